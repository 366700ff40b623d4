package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Timeline;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.TimeSettings;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.BatchSource;
import java.util.List;
import java.util.function.UnaryOperator;

/** A component for each time, from noise at the first to the data at the last. */
record TimeComponents(TimeSettings settings, Timeline timeline) implements Components {
    TimeComponents(TimeSettings settings) {
        this(settings, settings.timeline());
    }

    @Override
    public int count() {
        return timeline.times();
    }

    @Override
    public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
        return new EnergyModel(ready.apply(network.shaped(shape, timeline.outputs())), timeline);
    }

    @Override
    public BatchSource batches(Data data) {
        return data.batches(false).over(timeline);
    }

    @Override
    public ComponentKind kind(List<Long> shape) {
        return new ComponentKind.Times(settings.annealing());
    }

    /** Without a time, the data as they are at the last; with times, mixed with their noise. */
    @Override
    public SampleSource draws(Data data) {
        SampleSource clean = data.draws();
        return SampleSource.of(clean, (key, t) -> {
            try (Scope scope = Scope.open()) {
                Key[] keys = key.split(2);
                return scope.keep(timeline.mix(keys[1], clean.draw(keys[0], t.length), t));
            }
        });
    }
}

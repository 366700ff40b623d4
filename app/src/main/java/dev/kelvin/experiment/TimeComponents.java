package dev.kelvin.experiment;

import dev.kelvin.model.ComponentKind;
import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Timeline;
import dev.kelvin.judge.TimeDensities;
import dev.kelvin.judge.TimeNormaliser;
import dev.kelvin.judge.TimeView;
import dev.kelvin.math.Box;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.panel.TimePanels;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.TimeSettings;
import dev.kelvin.report.Section;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.BatchSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A component for each time, from noise at the first to the data at the last. */
public record TimeComponents(TimeSettings settings, Timeline timeline) implements Components {
    private static final int SPREAD_BATCHES = 16;
    private static final int SPREAD_BATCH = 256;

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

    /** Without a time, the data as they are at the last; with times, mixed with their noise. */
    @Override
    public SampleSource draws(Data data) {
        SampleSource clean = data.draws();
        return new SampleSource() {
            @Override
            public Tensor draw(Key key, int count) {
                return clean.draw(key, count);
            }

            @Override
            public Tensor drawGiven(Key key, long... t) {
                try (Scope scope = Scope.open()) {
                    Key[] keys = key.split(2);
                    return scope.keep(timeline.mix(keys[1], clean.draw(keys[0], t.length), t));
                }
            }
        };
    }

    @Override
    public ComponentKind kind(Data data) {
        return new ComponentKind.Times(settings.annealing());
    }

    @Override
    public Seen judge(Experiment experiment) {
        TimeView view = TimeView.of(experiment, timeline, experiment.data().examples(experiment));
        Map<String, Double> figures = new LinkedHashMap<>();
        Optional<TimeDensities> densities = TimeDensities.of(experiment, timeline);
        densities.ifPresent(all -> figures.putAll(all.figures()));
        figures.putAll(view.figures());
        Optional<TimeNormaliser> normaliser =
                TimeNormaliser.of(experiment, timeline, settings.annealing().steps());
        normaliser.ifPresent(found -> figures.putAll(found.figures()));
        Section section = TimePanels.of(view, densities, normaliser);
        return new Seen(figures, List.of(section), densities.map(TimeDensities::box), Optional.empty());
    }

    @Override
    public List<String> warnings(Data data) {
        double spread = spread(data.draws());
        double std = timeline.std();
        return std >= spread
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "The reference is too narrow: its standard deviation is %.3g, and the data's from its mean %.3g."
                                + " Chains that start there miss the outer data; try time.reference.std=%.2g.",
                        std,
                        spread,
                        1.1 * spread));
    }

    /** The data's root mean square distance from the reference's mean, in the widest coordinate. */
    private double spread(SampleSource draws) {
        try (Scope scope = Scope.open()) {
            Tensor mean = Tensors.zerosLike(draws.draw(Key.of(0), 1).flattenSamples());
            for (int i = 0; i < SPREAD_BATCHES; i++) {
                try (Scope batch = Scope.open()) {
                    Tensor x = draws.draw(Key.of(0).child(i), SPREAD_BATCH);
                    Tensor centred = timeline.seen(x).times(timeline.std()).flattenSamples();
                    mean.addInPlace(centred.square().mean(0L), 1.0 / SPREAD_BATCHES);
                }
            }
            return Math.sqrt(Arrays.stream(mean.toDoubles()).max().orElseThrow());
        }
    }

    @Override
    public String modelWords() {
        return " whose outputs are log p(z, t) for " + count()
                + " times, z being the data mixed with ever less noise: at the first time it is Gaussian noise of standard"
                + " deviation " + timeline.std() + ", whose density is known"
                + (timeline.pinned() ? " and pinned" : "") + ", at the last the data.";
    }

    @Override
    public String samplesWords(Recipe recipe) {
        return "The samples are chains that were annealed from the noise to the data, time by time.";
    }

    @Override
    public String filmWords() {
        return " chains are annealed from the reference to the data, time by time.";
    }

    /** A square that holds a domain and the reference. */
    public static Box around(Box domain, Timeline timeline, double reach) {
        double x = timeline.centre()[0];
        double y = timeline.centre()[1];
        return new Box(
                Math.min(domain.xMin(), x - reach),
                Math.max(domain.xMax(), x + reach),
                Math.min(domain.yMin(), y - reach),
                Math.max(domain.yMax(), y + reach));
    }
}

package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.recipe.ClassForm;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A component for each class. Where only each class alone is learnt, chains of one class never see another's f, so the classes'
 * constants are tied by nothing but the network's common layers: p(x|y) is learnt, p(y|x) and p(x) only as far as those go.
 */
record ClassComponents(ClassForm form, ContrastedDensity compared, List<String> names) implements Components {
    ClassComponents {
        if (names.size() < 2) {
            throw new UserException("the data have " + (names.isEmpty() ? "no labels" : "one class alone")
                    + ", and the recipe asks for classes; leave 'classes' out");
        }
    }

    @Override
    public int count() {
        return names.size();
    }

    @Override
    public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
        return new EnergyModel(ready.apply(form.network(network, shape, count())), new LogitHead(count()));
    }

    @Override
    public BatchSource batches(Data data) {
        return data.batches(true);
    }

    @Override
    public ComponentKind kind(List<Long> shape) {
        return new ComponentKind.Classes(names);
    }

    @Override
    public SampleSource draws(Data data) {
        return data.drawsByClass();
    }

    @Override
    public Optional<long[]> classesOf(int samples) {
        return compared == ContrastedDensity.GIVEN
                ? Optional.of(ReplayBuffer.inTurn(samples, count()))
                : Optional.empty();
    }
}

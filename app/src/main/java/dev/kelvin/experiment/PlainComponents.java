package dev.kelvin.experiment;

import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.train.BatchSource;
import java.util.List;
import java.util.function.UnaryOperator;

/** One component: a plain energy. */
record PlainComponents() implements Components {
    static final String FILM_WORDS = " chains run from their starts on f of the trained model.";

    @Override
    public int count() {
        return 1;
    }

    @Override
    public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
        return EnergyModel.plain(ready.apply(network.shaped(shape, 1)));
    }

    @Override
    public BatchSource batches(Data data) {
        return data.batches(false);
    }

    @Override
    public SampleSource draws(Data data) {
        return data.draws();
    }

    @Override
    public ComponentKind kind(Data data) {
        return new ComponentKind.None();
    }

    @Override
    public Seen judge(Experiment experiment) {
        return Seen.NOTHING;
    }

    @Override
    public String modelWords() {
        return " whose one output f(x) is the unnormalised log-density: the higher, the likelier.";
    }

    @Override
    public String samplesWords(Recipe recipe) {
        return chainWords(recipe);
    }

    @Override
    public String filmWords() {
        return FILM_WORDS;
    }

    /** What samples of chains are, in a sentence or two. */
    static String chainWords(Recipe recipe) {
        boolean kept = recipe.negatives().buffer().isPresent();
        boolean differ = ChainSettings.differs(recipe.finalObjective().samplingScale());
        String length = recipe.negatives().sampleSteps().isPresent()
                ? "of " + recipe.negatives().freshSteps() + " steps"
                : "as long as " + (kept || differ ? "one chain of training" : "in training");
        if (differ) {
            return "The samples are fresh chains on f, " + length + ". Training's own chains"
                    + (kept ? ", those of the replay buffer," : "")
                    + " see (1 − β)f, so they spread wider than the model; they have figures of their own.";
        }
        return kept && recipe.negatives().sampleSteps().isEmpty()
                ? "The samples are the replay buffer's chains, continued as in training; of images, fresh chains "
                        + length + "."
                : "The samples are fresh chains, " + length + ".";
    }
}

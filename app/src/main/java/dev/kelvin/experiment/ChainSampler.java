package dev.kelvin.experiment;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.objective.Compared;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;
import java.util.TreeSet;

/** The recipe's chains: from fresh starts or, where there is a buffer, from its chains. */
record ChainSampler(Experiment experiment) implements Sampler {
    static final String FILM_WORDS = " chains walk from their starts under the trained model.";

    private static final int FRAMES = 12;
    private static final int LONG_CHAINS = 2_500;

    /** The steps of a film where chains go on from a buffer: as long as they may have walked. */
    private static final int LONG_FILM = 1000;

    /** What the samples are, in a sentence. */
    static String words(Recipe recipe) {
        String chains = recipe.negatives().buffer().isPresent()
                ? "The samples are the replay buffer's chains, moved on as in training; of images, fresh chains as long as one"
                        + " walk of training."
                : "The samples are fresh chains, as long as in training.";
        return recipe.objective().samplingScale() == 1
                ? chains
                : chains + " In training the chains see (1 − β)f, so they spread wider than the model.";
    }

    @Override
    public Walk draw(Key key, int count) {
        return experiment.buffer().isEmpty() ? drawFresh(key, count) : draw(key, 0, count);
    }

    @Override
    public Walk draw(Key key, int batch, int count) {
        if (experiment.buffer().isEmpty()) {
            return drawFresh(key.child(batch), count);
        }
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            ReplayBuffer buffer = experiment.buffer().get();
            long[] k = columns(Math.min(count, buffer.size()));
            Tensor start = buffer.chains(keys[0], batch, k);
            return walk(scope, keys[1].child(batch), target(true, k), start, k, steps());
        }
    }

    @Override
    public Walk drawFresh(Key key, int count) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] k = columns(count);
            return walk(scope, keys[1], target(true, k), experiment.starts().drawGiven(keys[0], k), k, steps());
        }
    }

    /** From fresh starts, so that a buffer's age counts for nothing. */
    @Override
    public Walk drawLong(Key key, Tensor drawn) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] k = columns(LONG_CHAINS);
            return walk(
                    scope,
                    keys[1],
                    target(false, k),
                    experiment.starts().drawGiven(keys[0], k),
                    k,
                    LONGER * Math.max(1, steps()));
        }
    }

    @Override
    public Walk drawGiven(Key key, int steps, long... k) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Tensor start = experiment.starts().drawGiven(keys[0], k);
            return walk(scope, keys[1], experiment.given(k), start, k, steps);
        }
    }

    private int steps() {
        return experiment.recipe().negatives().steps().last();
    }

    private long[] columns(int count) {
        return experiment.columns().inTurn(count);
    }

    /** What chains walk on: as in training, f or (1 − β)f under the robust objective, or f itself. */
    private LogDensity target(boolean asInTraining, long... k) {
        LogDensity f = experiment.recipe().objective().compares() == Compared.GIVEN
                ? experiment.given(k)
                : experiment.logDensity();
        return asInTraining ? f.scaled(experiment.objective().samplingScale()) : f;
    }

    private Walk walk(Scope scope, Key key, LogDensity density, Tensor start, long[] k, int steps) {
        Walk walk = experiment
                .adapted()
                .map(sizes -> sizes.settled(key, experiment.kernel(), density, start, k, steps))
                .orElseGet(() -> Walk.inHalves(key, experiment.kernel(), density, start, steps));
        return new Walk(scope.keep(walk.x()), walk.accepted(), walk.more());
    }

    /** Frames at steps that grow about geometrically: much happens early. */
    @Override
    public void film(Key key, int count, Frames frames) {
        int once = Math.max(1, steps());
        int steps = experiment.buffer().isPresent() ? Math.max(once, LONG_FILM) : once;
        TreeSet<Integer> shown = new TreeSet<>();
        for (int i = 0; i < FRAMES - 1; i++) {
            shown.add((int) Math.round(Math.pow(steps, (double) i / (FRAMES - 2))));
        }
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] k = columns(count);
            Tensor start = experiment.starts().drawGiven(keys[0], k);
            frames.at("step 0", start);
            LogDensity density = target(false, k);
            Optional<Tensor> stretch = experiment.adapted().map(sizes -> sizes.stretch(start, k));
            Walk.run(
                    keys[1],
                    experiment.kernel(),
                    stretch.map(density::rescaled).orElse(density),
                    stretch.map(start::over).orElse(start),
                    steps,
                    (step, state) -> {
                        if (shown.contains(step)) {
                            Tensor x = state.x();
                            frames.at("step " + step, stretch.map(x::times).orElse(x));
                        }
                    });
        }
    }
}

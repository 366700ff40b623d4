package dev.kelvin.run;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.TreeSet;

/** The recipe's chains: from fresh starts or, where there is a buffer, from its chains. */
record ChainSampler(Experiment parts) implements Sampler {
    private static final int FRAMES = 12;
    private static final int LONG_CHAINS = 2_500;

    /** The steps of a film where chains go on from a buffer: as long as they may have walked. */
    private static final int LONG_FILM = 1000;

    @Override
    public Walk draw(Key key, int count) {
        if (parts.buffer().isEmpty()) {
            return drawFresh(key, count);
        }
        try (Scope scope = Scope.open()) {
            ReplayBuffer buffer = parts.buffer().get();
            int held = Math.min(count, buffer.size());
            Tensor start = buffer.chains().narrow(0, 0, held);
            return walk(
                    scope,
                    key.split(2)[1],
                    parts.trainingTarget().given(parts.labels(held)),
                    start,
                    negatives().steps());
        }
    }

    @Override
    public Walk drawFresh(Key key, int count) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] labels = parts.labels(count);
            Tensor start = parts.starts().drawGiven(keys[0], labels);
            return walk(
                    scope,
                    keys[1],
                    parts.trainingTarget().given(labels),
                    start,
                    negatives().steps());
        }
    }

    /** From fresh starts, so that a buffer's age counts for nothing. */
    @Override
    public Walk drawLong(Key key, Tensor drawn) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] labels = parts.labels(LONG_CHAINS);
            Tensor start = parts.starts().drawGiven(keys[0], labels);
            int steps = LONGER * Math.max(1, negatives().steps());
            return walk(scope, keys[1], parts.logDensity().given(labels), start, steps);
        }
    }

    private Walk walk(Scope scope, Key key, LogDensity density, Tensor start, int steps) {
        Walk walk = Walk.inHalves(key, parts.kernel(), density, start, steps);
        return new Walk(scope.keep(walk.x()), walk.accepted(), walk.more());
    }

    /** Frames at steps that grow about geometrically: much happens early. */
    @Override
    public void film(Key key, int count, Frames frames) {
        int once = Math.max(1, negatives().steps());
        int steps = negatives().buffer().isPresent() ? Math.max(once, LONG_FILM) : once;
        TreeSet<Integer> shown = new TreeSet<>();
        for (int i = 0; i < FRAMES - 1; i++) {
            shown.add((int) Math.round(Math.pow(steps, (double) i / (FRAMES - 2))));
        }
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] labels = parts.labels(count);
            Tensor start = parts.starts().drawGiven(keys[0], labels);
            frames.at("step 0", start);
            Walk.run(keys[1], parts.kernel(), parts.logDensity().given(labels), start, steps, (step, state) -> {
                if (shown.contains(step)) {
                    frames.at("step " + step, state.x());
                }
            });
        }
    }

    private Negatives negatives() {
        return parts.recipe().negatives();
    }
}

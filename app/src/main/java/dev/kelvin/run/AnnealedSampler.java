package dev.kelvin.run;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.TimeEnergy;
import dev.kelvin.negative.Start;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.TimeSpec;
import dev.kelvin.sample.AnnealedWalk;
import dev.kelvin.sample.AnnealingPath;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.Walk;
import dev.kelvin.sample.WarmUp;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.TimeLearner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A time-joint model's samples: chains led from the reference to the data, at steps that are found for each density on the
 * way, not those of training, which are for all times together.
 */
record AnnealedSampler(Recipe recipe, TimeLearner learner, Start starts) implements Sampler {
    private static final int FRAMES = 12;

    @Override
    public Walk draw(Key key, int count) {
        return anneal(key, count, (i, x) -> {});
    }

    private Walk anneal(Key key, int count, AnnealedWalk.Observer observer) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Tensor start = starts.draw(keys[0], count);
            AnnealedWalk walk = AnnealedWalk.adapting(
                    keys[1],
                    path(),
                    kernel(),
                    time().acceptance(),
                    start,
                    time().annealing().steps(),
                    observer);
            double[] accepted = Arrays.stream(walk.acceptance())
                    .filter(rate -> !Double.isNaN(rate))
                    .toArray();
            return new Walk(scope.keep(walk.x()), accepted, Map.of());
        }
    }

    /** From annealed samples on, {@value #LONGER} times as many steps on the data's density as training takes. */
    @Override
    public Walk drawLong(Key key, Tensor drawn) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            LogDensity last = path().last();
            StepSized<?> found =
                    kernel().withStepSize(WarmUp.find(keys[0], kernel(), last, drawn, time().acceptance()));
            int steps = LONGER * recipe.negatives().steps();
            Walk walk = Walk.inHalves(keys[1], found, last, drawn, steps);
            return new Walk(scope.keep(walk.x()), walk.accepted(), walk.more());
        }
    }

    @Override
    public void film(Key key, int count, Frames frames) {
        int last = time().count() - 1;
        List<Integer> shown = IntStream.range(1, FRAMES)
                .map(i -> (int) Math.round((double) i * last / (FRAMES - 1)))
                .boxed()
                .toList();
        try (Scope scope = Scope.open()) {
            frames.at("t = 0", starts.draw(key.split(2)[0], count));
            anneal(key, count, (i, x) -> {
                if (shown.contains(i)) {
                    frames.at("t = " + i, x);
                }
            });
        }
    }

    private AnnealingPath path() {
        TimeEnergy model = (TimeEnergy) learner.model();
        List<double[]> mixtures = new ArrayList<>();
        for (int t = 0; t < model.times(); t++) {
            double[] weights = new double[model.times()];
            int to = time().annealing().way() == TimeSpec.Way.SOFT ? model.times() : t + 1;
            Arrays.fill(weights, t, to, 1.0 / (to - t));
            mixtures.add(weights);
        }
        return new AnnealingPath(model.mixtures(learner.averaged(), mixtures));
    }

    private StepSized<?> kernel() {
        return (StepSized<?>) recipe.negatives().kernel().kernel();
    }

    private TimeSpec time() {
        return recipe.time().orElseThrow();
    }
}

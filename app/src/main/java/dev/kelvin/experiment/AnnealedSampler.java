package dev.kelvin.experiment;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.recipe.TimeSettings;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.anneal.AnnealedChainRun;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A time-joint model's samples: chains led from the reference to the data, at steps that are found for each density on the
 * way, not those of training, which are for all times together.
 */
public record AnnealedSampler(Experiment experiment, TimeSettings settings, Timeline timeline) implements Sampler {
    private static final int FRAMES = 12;

    @Override
    public boolean annealed() {
        return true;
    }

    @Override
    public int judged(int most) {
        return Math.min(most, settings.annealing().samples());
    }

    @Override
    public int length(int steps) {
        return (timeline.times() - 1) * settings.annealing().steps();
    }

    @Override
    public ChainRun draw(Key key, int count) {
        return anneal(key, count, (i, x) -> {});
    }

    @Override
    public ChainRun drawGiven(Key key, int steps, long... k) {
        return draw(key, k.length);
    }

    private SampleSource reference() {
        return SampleSource.gaussian(
                timeline.mean(), timeline.std(), experiment.data().shape(), experiment.device());
    }

    private ChainRun anneal(Key key, int count, AnnealedChainRun.Observer observer) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Tensor start = reference().draw(keys[0], experiment.wholeSets(count));
            int steps = settings.annealing().steps();
            Kernel<?> kernel = experiment.kernel();
            OptionalDouble found = kernel.traits().bestAcceptance().isPresent()
                    ? OptionalDouble.of(acceptance())
                    : OptionalDouble.empty();
            ChainRun walk = new Annealing(experiment, kernel, found, 1, steps).walk(keys[1], path(), start, observer);
            return new ChainRun(scope.keep(walk.x().narrow(0, 0, count)), walk.accepted(), walk.more());
        }
    }

    /** From annealed samples on, {@value #LONGER} times as many steps on the data's density as training takes. */
    @Override
    public ChainRun drawLong(Key key, Tensor drawn) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            LogDensity last = path().get(timeline.times() - 1);
            int steps =
                    LONGER * Math.max(1, experiment.recipe().negatives().steps().last());
            Tensor sets = drawn.narrow(0, 0, experiment.wholeSetsAmong((int) drawn.size(0)));
            Kernel<?> kernel = experiment.inSets(lastKernel(keys[0], last, sets));
            ChainRun walk = ChainRun.inHalves(keys[1], kernel, last, sets, steps);
            return new ChainRun(scope.keep(walk.x()), walk.accepted(), walk.more());
        }
    }

    private Kernel<?> lastKernel(Key key, LogDensity last, Tensor drawn) {
        Optional<StepSized<?>> sized = StepSized.of(experiment.kernel());
        return experiment.kernel().traits().bestAcceptance().isPresent()
                ? sized.map(kernel -> kernel.withStepSize(WarmUp.find(key, kernel, last, drawn, acceptance())))
                        .orElseThrow()
                : sized.<Kernel<?>>map(kernel ->
                                kernel.withStepSize(kernel.stepSize() * timeline.firstSteps()[timeline.times() - 1]))
                        .orElse(experiment.kernel());
    }

    private double acceptance() {
        return experiment.recipe().negatives().acceptance();
    }

    @Override
    public void film(Key key, int count, Frames frames) {
        int last = timeline.times() - 1;
        List<Integer> shown = IntStream.range(1, FRAMES)
                .map(i -> (int) Math.round((double) i * last / (FRAMES - 1)))
                .boxed()
                .toList();
        try (Scope scope = Scope.open()) {
            frames.at("t = 0", reference().draw(key.split(2)[0], count));
            anneal(key, count, (i, x) -> {
                if (shown.contains(i)) {
                    frames.at("t = " + i, x.narrow(0, 0, count));
                }
            });
        }
    }

    private List<LogDensity> path() {
        JointDensity table = experiment.table();
        int times = timeline.times();
        List<LogDensity> densities = new ArrayList<>();
        for (int t = 0; t < times; t++) {
            double[] weights = new double[times];
            int to = settings.annealing().schedule() == TimeSettings.Way.SOFT ? times : t + 1;
            Arrays.fill(weights, t, to, 1.0 / (to - t));
            densities.add(table.mixture(timeline.mixed(weights)));
        }
        return densities;
    }
}

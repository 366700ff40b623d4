package dev.kelvin.sample.warmup;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Evaluated;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.Transition;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * Tunes {@link JitteredHmc} while chains find the density: the metric in {@link Windows} that double, pooled over the chains
 * ({@link MetricEstimate}), the step size by {@link DualAveraging}, begun anew after each window, and the path length by
 * {@link PathAdaptation}. After it nothing is changed any more, so that the draws are exact.
 *
 * <p>The acceptance that the step size answers to is the chains' harmonic mean, in which a few chains that stick count more than
 * in the ordinary one, but each as 0.1 at least: in the neck of a funnel they would stop all others. Chains leave such places
 * by the eighth of the paths that take smaller steps, which the adaptation does not learn from.
 *
 * @param mala whether draws are made by single leaps; the warm-up's own are paths nevertheless, as they find the density and
 *     its metric sooner, and 500 single leaps at the end settle the step size
 * @param correlated whether the metric has correlations; otherwise it is diagonal
 */
public record AdaptiveWarmUp(int steps, boolean mala, boolean correlated) {
    /** The harmonic mean over chains that is asked for: above the best for speed, as Stan's 0.8 is, so that few paths diverge. */
    private static final double ACCEPTANCE = 0.85;

    /** What a chain counts for at least: a few that are stuck where the density is too steep must not stop all others. */
    private static final double LEAST = 0.1;

    /** The least acceptance of a chain before the first window, where chains must leave steep slopes, however small the steps. */
    private static final double STUCK = 0.01;

    /** The share of paths in smaller steps, by which chains leave places that are too steep for the others. */
    private static final double SMALL = 0.125;

    /** Leaps of a path while chains are still on their way to the density. */
    private static final int FIRST_LEAPS = 10;

    /** Half a period of a density of unit width: the longest path of use, where the metric is right. */
    private static final double HALF_PERIOD = Math.PI;

    /** Single leaps that settle MALA's step size. */
    private static final int SINGLE_LEAPS = 500;

    public AdaptiveWarmUp {
        Check.atLeast("steps", steps, 1);
    }

    /** The kernel, tuned and frozen, and where chains are after the warm-up; they start at x, [chains, ...]. */
    public WarmUp<Evaluated> run(Key key, LogDensity target, Tensor x, double temperature) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            WarmUp<Evaluated> found = paths(keys[0], target, x, new JitteredHmc(1, 0, List.of(), SMALL, temperature));
            if (mala) {
                found = singleLeaps(keys[1], target, found);
            }
            scope.keep(found.x());
            return found;
        }
    }

    /** Settles the step size of single leaps, by the same acceptance. */
    private static WarmUp<Evaluated> singleLeaps(Key key, LogDensity target, WarmUp<Evaluated> found) {
        JitteredHmc leap = ((JitteredHmc) found.kernel()).withPathLength(0);
        double first = WarmUp.find(key.child(-1), leap.withSmallSteps(0), target, found.x(), ACCEPTANCE);
        DualAveraging steps = new DualAveraging(ACCEPTANCE, first);
        Evaluated state = leap.start(target, found.x());
        for (int step = 0; step < SINGLE_LEAPS; step++) {
            Evaluated before = state;
            try (Scope scope = Scope.open()) {
                double stepSize = steps.stepSize(0);
                Key[] keys = key.child(step).split(2);
                JitteredHmc.Path path = leap.withStepSize(stepSize).path(keys[0], target, before);
                Transition<Evaluated> next = path.choose(scope, keys[1], before);
                state = next.state();
                if (path.stepSize() == stepSize) {
                    steps.update(
                            0,
                            harmonicMean(next.info().acceptance().orElseThrow().toDoubles(), LEAST));
                }
                state.tensors().forEach(scope::keep);
            }
            before.free(state, found.x());
        }
        return new WarmUp<>(leap.withStepSize(steps.settled(0)), state.x());
    }

    private WarmUp<Evaluated> paths(Key key, LogDensity target, Tensor x, JitteredHmc first) {
        Windows windows = Windows.of(steps);
        int chains = Math.toIntExact(x.size(0));
        int d = Math.toIntExact(x.count() / chains);
        JitteredHmc kernel = first;
        double[] widths = new double[d];
        Arrays.fill(widths, 1);
        double stepSize = WarmUp.find(key.child(-1), kernel.withSmallSteps(0), target, x, ACCEPTANCE);
        DualAveraging steps = new DualAveraging(ACCEPTANCE, stepSize);
        PathAdaptation paths = new PathAdaptation(FIRST_LEAPS * stepSize);
        MetricEstimate metric = new MetricEstimate(chains, d, correlated);
        Evaluated state = first.start(target, x);
        for (int step = 0; step < windows.steps(); step++) {
            stepSize = steps.stepSize(0);
            double length = step < windows.first() ? FIRST_LEAPS * stepSize : paths.length();
            kernel = kernel.withStepSize(stepSize)
                    .withPathLength(Math.min(length, PathAdaptation.MOST_LEAPS * stepSize));
            Evaluated before = state;
            try (Scope scope = Scope.open()) {
                Key[] keys = key.child(step).split(2);
                JitteredHmc.Path path = kernel.path(keys[0], target, before);
                Transition<Evaluated> next = path.choose(scope, keys[1], before);
                state = next.state();
                double[] accepted = next.info().acceptance().orElseThrow().toDoubles();
                boolean full = path.stepSize() == stepSize;
                if (full) {
                    steps.update(0, harmonicMean(accepted, step < windows.first() ? STUCK : LEAST));
                }
                if (full && step >= windows.first()) {
                    paths.update(
                            kernel.scales(),
                            before.x().toDoubles(),
                            path.end().x().toDoubles(),
                            path.velocity().toDoubles(),
                            accepted,
                            path.leaps() * stepSize,
                            stepSize);
                }
                if (windows.collects(step)) {
                    metric.add(state.x().toDoubles());
                }
                state.tensors().forEach(scope::keep);
            }
            before.free(state, x);
            if (windows.endsWith(step)) {
                List<Double> scales = metric.scales(widths);
                widths = widths(scales, d);
                metric = new MetricEstimate(chains, d, correlated);
                double leaps = paths.length() / steps.settled(0);
                kernel = new JitteredHmc(stepSize, kernel.pathLength(), scales, SMALL, kernel.temperature());
                stepSize = WarmUp.find(
                        key.child(-2 - step),
                        kernel.withStepSize(steps.settled(0)).withPathLength(0).withSmallSteps(0),
                        target,
                        state.x(),
                        ACCEPTANCE);
                steps = new DualAveraging(ACCEPTANCE, stepSize);
                paths.restart(Math.max(stepSize, Math.min(leaps * stepSize, HALF_PERIOD)));
            }
        }
        double settled = steps.settled(0);
        JitteredHmc found = kernel.withStepSize(settled)
                .withPathLength(Math.min(paths.settled(), PathAdaptation.MOST_LEAPS * settled));
        return new WarmUp<>(found, state.x());
    }

    private static double harmonicMean(double[] accepted, double least) {
        double sum = 0;
        for (double a : accepted) {
            sum += 1 / (a > least ? a : least); // NaN is the least
        }
        return accepted.length / sum;
    }

    /** The width of each coordinate, whatever form the metric has. */
    private static double[] widths(List<Double> scales, int d) {
        double[] widths = new double[d];
        if (scales.size() == d) {
            Arrays.setAll(widths, scales::get);
            return widths;
        }
        for (int i = 0, at = 0; i < d; i++) {
            double squares = 0;
            for (int j = 0; j <= i; j++) {
                double number = scales.get(at++);
                squares += number * number;
            }
            widths[i] = Math.sqrt(squares);
        }
        return widths;
    }
}

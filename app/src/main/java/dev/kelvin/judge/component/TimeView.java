package dev.kelvin.judge.component;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.PlaneDataset;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.sample.StepSized;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a time-joint model of anything knows of time.
 *
 * @param posteriors p(t|z) at some points
 * @param kernel the Markov kernel, in words
 * @param steps the {@link StepSized#stepLength} that each time's chains settled at; none where steps are not adapted
 * @param noise βₜσ, the noise in z at each time
 */
public record TimeView(List<Posterior> posteriors, String kernel, double[] steps, double[] noise) {
    /** p(t|z) at a point that is described in words. */
    public record Posterior(String at, double[] shares) {}

    /** What "Thinking Fourth Dimensionally" finds each time's step to settle at, in units of the noise. */
    public static final double REPORTED = 0.4;

    /** With the posteriors at these points, each [1, ...]. */
    public static TimeView of(Experiment experiment, Timeline timeline, Map<String, Tensor> points) {
        List<Posterior> posteriors;
        try (Scope scope = Scope.open()) {
            JointDensity table = experiment.model().joint();
            posteriors = points.entrySet().stream()
                    .map(point -> new Posterior(
                            point.getKey(),
                            table.at(point.getValue()).softmax(1).toDoubles()))
                    .toList();
        }
        double[] noise = IntStream.range(0, timeline.times())
                .mapToDouble(t -> timeline.beta(t) * timeline.std())
                .toArray();
        double length =
                StepSized.of(experiment.kernel()).map(StepSized::stepLength).orElse(Double.NaN);
        double[] steps = experiment
                .model()
                .adapted()
                .map(sizes -> Arrays.stream(sizes.factors())
                        .map(factor -> length * Math.sqrt(factor)) // a row is stretched by its factor's root
                        .toArray())
                .orElse(new double[0]);
        return new TimeView(posteriors, experiment.kernel().words(), steps, noise);
    }

    /** How many times there are. */
    public int count() {
        return noise.length;
    }

    /** Over the times at which there is noise: all but the last. */
    public Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        if (steps.length > 0) {
            figures.put(ModelFigures.STEP_RATIO.name(), median(t -> steps[t] / noise[t]));
            figures.put(ModelFigures.STEP_RATIO_FIRST.name(), steps[0] / noise[0]);
            int quarter = (count() - 1) / 4;
            figures.put(ModelFigures.STEP_RATIO_EARLY.name(), steps[quarter] / noise[quarter]);
            int late = 3 * (count() - 1) / 4;
            figures.put(ModelFigures.STEP_RATIO_LATE.name(), steps[late] / noise[late]);
            figures.put(ModelFigures.STEP_MISFIT.name(), median(t -> Math.abs(steps[t] / (REPORTED * noise[t]) - 1)));
        }
        return figures;
    }

    private double median(IntToDoubleFunction value) {
        double[] sorted =
                IntStream.range(0, count() - 1).mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /**
     * A time-joint model's density at every time, p(z|t), normalised on one grid that holds them all, and the truth at some
     * times, where it is known. As the model is meant to be normalised by itself, every log Z should be 0.
     */
    public record Densities(List<GridDensity> model, Map<Integer, GridDensity> truth) {
        /** Cells a side: enough for the toys' narrowest noise, and 256 times fit into memory. */
        private static final int CELLS = 128;

        /** Times at which the truth is looked at; it may be an integral at every cell. */
        private static final int LOOKS = 7;

        /** Of the reference, in standard deviations, that the grid holds. */
        private static final double REACH = 4.5;

        /** Of a model of the plane. */
        public static Optional<Densities> of(Experiment experiment, Timeline timeline) {
            return experiment.data() instanceof PlaneDataset plane
                    ? Optional.of(of(experiment, timeline, plane.toy()))
                    : Optional.empty();
        }

        private static Densities of(Experiment experiment, Timeline timeline, ToyData toy) {
            Box box = around(toy.domain(), timeline, REACH * timeline.std());
            double shift = Math.log(timeline.times());
            List<GridDensity> model;
            try (Scope scope = Scope.open()) {
                JointDensity table = experiment.model().joint();
                model = GridDensity.each(
                        z -> table.at(z).plus(shift), timeline.times(), box, CELLS, DType.FLOAT, experiment.device());
            }
            Map<Integer, GridDensity> truth = new TreeMap<>();
            for (int t : looks(timeline.times())) {
                truth(toy, timeline, t)
                        .ifPresent(
                                density -> truth.put(t, GridDensity.of(density, box, CELLS, DType.FLOAT, Device.CPU)));
            }
            return new Densities(model, truth);
        }

        /** A square that holds a domain and the reference. */
        private static Box around(Box domain, Timeline timeline, double reach) {
            double x = timeline.centre()[0];
            double y = timeline.centre()[1];
            return new Box(
                    Math.min(domain.xMin(), x - reach),
                    Math.max(domain.xMax(), x + reach),
                    Math.min(domain.yMin(), y - reach),
                    Math.max(domain.yMax(), y + reach));
        }

        /** The true density of z at a time: of αx + β(m + σξ). */
        private static Optional<LogDensity> truth(ToyData data, Timeline timeline, int t) {
            double beta = timeline.beta(t);
            double[] shift = timeline.centre();
            for (int i = 0; i < shift.length; i++) {
                shift[i] *= beta;
            }
            return data.mixed(timeline.alpha(t), shift, beta * timeline.std());
        }

        /** Times spread evenly from the first to the last. */
        public static List<Integer> looks(int times) {
            int count = Math.min(LOOKS, times);
            return IntStream.range(0, count)
                    .map(i -> (int) Math.round((double) i * (times - 1) / (count - 1)))
                    .boxed()
                    .toList();
        }

        /** The square that holds the densities of all times. */
        public Box box() {
            return model.get(0).box();
        }

        /** Figures of merit by their names. */
        public Map<String, Double> figures() {
            Map<String, Double> figures = new LinkedHashMap<>();
            double worst = model.stream()
                    .mapToDouble(grid -> Math.abs(grid.logNormaliser()))
                    .max()
                    .orElseThrow();
            figures.put(ModelFigures.LOG_Z_MAX.name(), worst);
            figures.put(
                    ModelFigures.LOG_Z_LAST.name(), model.get(model.size() - 1).logNormaliser());
            truth.entrySet().stream()
                    .mapToDouble(each -> each.getValue().klTo(model.get(each.getKey())))
                    .average()
                    .ifPresent(mean -> figures.put(ModelFigures.KL_MEAN.name(), mean));
            if (truth.size() > 1) {
                figures.put(ModelFigures.STITCHING_ERROR.name(), stitchingError());
            }
            return figures;
        }

        private double stitchingError() {
            List<Map.Entry<Integer, GridDensity>> times = List.copyOf(truth.entrySet());
            return IntStream.range(1, times.size())
                    .mapToDouble(i -> {
                        GridDensity before = times.get(i - 1).getValue();
                        Map.Entry<Integer, GridDensity> now = times.get(i);
                        return before.meanDifference(model.get(now.getKey()), now.getValue());
                    })
                    .average()
                    .orElseThrow();
        }
    }
}

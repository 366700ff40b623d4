package dev.kelvin.judge;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.Histogram;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.objective.Objective;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.sample.anneal.PartitionFunction;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A model of the plane, judged: its density on a grid, the truth's where it is known, and what its components add.
 *
 * <p>A model can have good samples without a good density, and the other way round, so both are measured: samples of
 * chains on f as long as those that trained it, and of some that walk {@value Sampler#LONGER} times as far.
 */
public record PlaneJudgement(
        Experiment experiment, ToyData toy, GridDensity model, Optional<GridDensity> truth, Measured components)
        implements Judgement {
    /** Fewer come from a replay buffer that holds fewer. */
    static final int SAMPLES = 20_000;

    /** Where samples are annealed through all components: each takes a long walk. */
    static final int ANNEALED = 2_000;

    /** Points of the data that f is taken at. */
    public static final int HELD_OUT = 10_000;

    static final int BINS = 50;

    private static final int FILM_CHAINS = 2000;
    private static final int PICTURED = 5_000;

    /** Batches over which an objective's weights are averaged. */
    private static final int WEIGHED = 20;

    @Override
    public Evaluation evaluate(Key key, Path runs, WorkListener listener) {
        Key[] keys = key.split(11);
        Map<String, Double> figures = new LinkedHashMap<>();
        truth.ifPresent(known -> {
            figures.put(GridDensity.KL.name(), known.klTo(model));
            figures.put(GridDensity.TOTAL_VARIATION.name(), known.totalVariation(model));
            addShift(figures, "", model.mean(), known.mean());
        });
        try (Scope scope = Scope.open()) {
            Tensor heldOut = experiment.data().draws().draw(keys[0], HELD_OUT);
            HeldOut likelihood = HeldOut.of(experiment.model().density(), model.logNormaliser(), heldOut);
            figures.put("log_likelihood", likelihood.mean());
            figures.put("log_likelihood_error", likelihood.standardError());
            figures.putAll(experiment.rounding(
                    experiment.model().logDensity().at(heldOut).toDoubles()));
            toy.logDensity()
                    .ifPresent(exact -> figures.put(
                            "true_log_likelihood",
                            HeldOut.of(exact, 0, heldOut.to(Device.CPU)).mean()));
            Box box = components.box().orElse(toy.domain());
            Histogram reference = reference(box, keys[1]);
            Sampler sampler = experiment.sampler();
            ChainRun samples =
                    sampler.draw(SampleRequest.of(keys[2], sampler.traits().annealed() ? ANNEALED : SAMPLES));
            addDistance(figures, SampleDistance.SAMPLE_TV.name(), keys[3], samples, reference);
            truth.ifPresent(
                    known -> addShift(figures, "sample_", samples.x().mean(0L).toDoubles(), known.mean()));
            samples.acceptance().ifPresent(rate -> figures.put("acceptance", rate));
            if (sampler.traits().negativesDiffer()) {
                ChainRun negatives = sampler.draw(SampleRequest.negatives(keys[9], SAMPLES));
                addDistance(figures, SampleDistance.TRAINING_TV.name(), keys[10], negatives, reference);
            }
            ChainRun longer = sampler.draw(SampleRequest.longRun(keys[4], samples.x()));
            addDistance(figures, SampleDistance.LONG_SAMPLE_TV.name(), keys[5], longer, reference);
            figures.putAll(Judgement.registered(
                    keys[6], experiment, samples.x(), experiment.data().draws().draw(keys[6], REGISTERED)));
            figures.putAll(Normaliser.figures(keys[8], experiment, longer.x()));
        }
        figures.put("edge_mass", model.edgeMass());
        if (experiment.objective().weighs()) {
            figures.putAll(weights(keys[7]));
        }
        Judgement.addTemperature(experiment, figures);
        figures.putAll(components.figures());
        return new Evaluation(figures, Map.of("samples", components.samplesWords()), List.of());
    }

    /** How the objective weighs, at the end of training: the means over some batches. */
    private Map<String, Double> weights(Key key) {
        Recipe recipe = experiment.recipe();
        Objective objective = experiment.objective();
        Map<String, Double> means = new TreeMap<>(); // a fixed order: the file must not differ from run to run
        Key[] keys = key.split(2);
        for (int i = 0; i < WEIGHED; i++) {
            try (Scope scope = Scope.open()) {
                LogDensity f = experiment.model().logDensity();
                Tensor data = experiment
                        .data()
                        .draws()
                        .draw(keys[0].child(i), recipe.train().batch());
                Tensor samples = experiment.drawn(SampleRequest.negatives(keys[1], i, recipe.negativeCount()));
                objective
                        .of(f.at(data).toDoubles(), f.at(samples).toDoubles())
                        .parts()
                        .forEach((name, value) -> means.merge(name, value / WEIGHED, Double::sum));
            }
        }
        return means;
    }

    /** How far a mean point lies from the data's. */
    private static void addShift(Map<String, Double> figures, String of, double[] mean, double[] truth) {
        figures.put(of + "shift_x", mean[0] - truth[0]);
        figures.put(of + "shift_y", mean[1] - truth[1]);
    }

    private static void addDistance(
            Map<String, Double> figures, String name, Key key, ChainRun samples, Histogram reference) {
        SampleDistance distance = SampleDistance.of(key, samples.x().to(Device.CPU), reference);
        figures.put(name, distance.totalVariation());
        figures.put(name + "_floor", distance.floor());
    }

    /** The data's histogram: exact where its density is known, otherwise of many draws. */
    private Histogram reference(Box box, Key key) {
        return toy.logDensity()
                .map(density -> Histogram.of(density, box, BINS))
                .orElseGet(() -> Histogram.of(toy.draw(key, 50 * SAMPLES), box, BINS));
    }

    static GridDensity grid(LogDensity f, ToyData data, int cells, Device device) {
        return GridDensity.of(f, data.domain(), cells, DType.FLOAT, device);
    }

    /** f of fresh points of the data; log Z by the grid, unless some of the density lies beyond its edge. */
    @Override
    public Optional<HeldOutReference> reference(Evaluation evaluation, long step) {
        double[] values;
        try (Scope scope = Scope.open()) {
            Tensor heldOut = experiment.data().draws().draw(KeyDomain.PLANE_REFERENCE.key(), HELD_OUT);
            values = experiment.model().logDensity().at(heldOut).toDoubles();
        }
        double logZ = model.logNormaliser();
        boolean known = Double.isFinite(logZ) && !GridDensity.EDGE_MASS.isPoor(Map.of("edge_mass", model.edgeMass()));
        return HeldOutReference.of(
                step,
                experiment.model().temperature(),
                known ? Optional.of(HeldOutReference.Bounds.of(logZ, logZ)) : Optional.empty(),
                values);
    }

    /** The samples of the model that a report shows: where it takes a film to make them, its last frame. */
    public ReportSamples samples() {
        boolean annealed = experiment.sampler().traits().annealed();
        boolean dear = annealed || experiment.kernel().traits().interacting(); // steps are many, or expensive
        return ReportSamples.of(experiment, PICTURED, dear ? FILM_CHAINS / 2 : FILM_CHAINS, annealed);
    }

    /** Draws of the data, to show beside them. */
    public Drawn data(int count) {
        try (Scope scope = Scope.open()) {
            return Drawn.of(toy.draw(ReportSamples.KEY.child(2), count));
        }
    }

    /**
     * log Z of a model of points by annealed importance sampling from its base measure, or from a Gaussian as wide as the data,
     * forwards and, from the model's own samples, backwards: a lower and an upper bound. The upper one needs samples that are the
     * model's; where short chains are not, both say little, and lie apart.
     */
    private static final class Normaliser {
        private static final PartitionFunction.Settings SETTINGS = new PartitionFunction.Settings(0.1, 200, 250_000);

        private static final int FITTED = 1000;

        /** How much wider than the data the Gaussian is, so that the model's mass lies within. */
        private static final double WIDER = 1.5;

        private Normaliser() {}

        /** Both bounds on log Z of exp(f/T), and how far they lie apart. */
        static Map<String, Double> figures(Key key, Experiment experiment, Tensor samples) {
            PartitionFunction found = of(key, experiment, samples);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put(ModelFigures.LOG_Z_LOWER.name(), found.lower());
            figures.put(ModelFigures.LOG_Z_UPPER.name(), found.upper());
            figures.put(ModelFigures.LOG_Z_GAP.name(), found.gap());
            return figures;
        }

        private static PartitionFunction of(Key key, Experiment experiment, Tensor samples) {
            Key[] keys = key.split(2);
            try (Scope scope = Scope.open()) {
                Gaussian base = experiment
                        .learner()
                        .model()
                        .base(experiment.learner().averaged())
                        .orElseGet(() -> around(experiment.data().draws().draw(keys[0], FITTED)));
                return PartitionFunction.of(
                        keys[1],
                        experiment.model().density(),
                        base,
                        Optional.of(samples),
                        SETTINGS,
                        experiment.device());
            }
        }

        private static Gaussian around(Tensor data) {
            double[] mean = data.mean(0L).toDoubles();
            double[] variance = data.square().mean(0L).toDoubles();
            double[][] covariance = new double[mean.length][mean.length];
            for (int i = 0; i < mean.length; i++) {
                covariance[i][i] = WIDER * WIDER * Math.max(1e-6, variance[i] - mean[i] * mean[i]);
            }
            return new Gaussian(mean, covariance);
        }
    }
}

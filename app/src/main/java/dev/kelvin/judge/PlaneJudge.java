package dev.kelvin.judge;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.Histogram;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.objective.Objective;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.sample.anneal.PartitionFunction;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Learner;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A model of the plane, judged: its density on a grid, the truth's where it is known, and what its components add.
 *
 * <p>A model can have good samples without a good density, and the other way round, so both are measured: samples of
 * chains on f as long as those that trained it, and of some that walk {@value Sampler#LONGER} times as far.
 */
public record PlaneJudge(
        Experiment experiment,
        ToyData toy,
        Optional<GridDensity> learnt,
        Optional<GridDensity> truth,
        Measured components)
        implements Judge {
    PlaneJudge(Experiment experiment, ToyData toy) {
        this(experiment, toy, Optional.empty(), Optional.empty(), Measured.NONE);
    }

    /** Cells a side for the score that is taken during training. */
    private static final int SCORE_CELLS = 128;

    @Override
    public PlaneJudge measured() {
        try (Scope scope = Scope.open()) {
            return new PlaneJudge(
                    experiment,
                    toy,
                    Optional.of(grid(experiment.model().density(), toy, GridDensity.CELLS, experiment.device())),
                    toy.logDensity().map(known -> grid(known, toy, GridDensity.CELLS, Device.CPU)),
                    ComponentJudge.of(experiment).evaluate(this::examples));
        }
    }

    /** The model's density on a grid. */
    public GridDensity model() {
        return learnt.orElseThrow();
    }

    /** Fewer come from a replay buffer that holds fewer. */
    static final int SAMPLES = 20_000;

    /** Where samples are annealed through all components: each takes a long walk. */
    static final int ANNEALED = 2_000;

    /** Points of the data that f is taken at. */
    public static final int HELD_OUT = 10_000;

    static final int BINS = 50;

    private static final int FILM_CHAINS = 2000;
    private static final int PICTURED = 5_000;

    private static final PartitionFunction.Settings NORMALISER = new PartitionFunction.Settings(0.1, 200, 250_000);

    /** Points of the data that give the Gaussian from which log Z is annealed. */
    private static final int FITTED = 1000;

    /** How much wider than the data that Gaussian is, so that the model's mass lies within. */
    private static final double WIDER = 1.5;

    /** Batches over which an objective's weights are averaged. */
    private static final int WEIGHED = 20;

    @Override
    public Evaluation evaluate(Key key, Path runs, WorkListener listener) {
        Key[] keys = key.split(11);
        Map<String, Double> figures = new LinkedHashMap<>();
        truth.ifPresent(known -> {
            figures.put(GridDensity.KL.name(), known.klTo(model()));
            figures.put(GridDensity.TOTAL_VARIATION.name(), known.totalVariation(model()));
            double[] centre = known.mean();
            addShift(figures, "", model().mean(), centre);
            figures.put(
                    GridDensity.SHIFT_RADIUS.name(),
                    model().meanDistance(centre[0], centre[1]) - known.meanDistance(centre[0], centre[1]));
        });
        try (Scope scope = Scope.open()) {
            Tensor heldOut = experiment.data().draws().draw(keys[0], HELD_OUT);
            HeldOut likelihood = HeldOut.of(experiment.model().density(), model().logNormaliser(), heldOut);
            figures.put(HeldOut.LOG_LIKELIHOOD.name(), likelihood.mean());
            figures.put(HeldOut.ERROR.name(), likelihood.standardError());
            figures.putAll(experiment.rounding(
                    experiment.model().logDensity().at(heldOut).toDoubles()));
            toy.logDensity()
                    .ifPresent(exact -> figures.put(
                            HeldOut.TRUE_LOG_LIKELIHOOD.name(),
                            HeldOut.of(exact, 0, heldOut.to(Device.CPU)).mean()));
            Box box = components.box().orElse(toy.domain());
            Histogram reference = reference(box, keys[1]);
            Sampler sampler = experiment.sampler();
            ChainRun samples =
                    sampler.draw(SampleRequest.of(keys[2], sampler.traits().annealed() ? ANNEALED : SAMPLES));
            addDistance(figures, SampleDistance.SAMPLE_TV.name(), keys[3], samples, reference);
            truth.ifPresent(
                    known -> addShift(figures, "sample_", samples.x().mean(0L).toDoubles(), known.mean()));
            samples.acceptance().ifPresent(rate -> figures.put(ChainFigures.ACCEPTANCE.name(), rate));
            if (sampler.traits().negativesDiffer()) {
                ChainRun negatives = sampler.draw(SampleRequest.negatives(keys[9], SAMPLES));
                addDistance(figures, SampleDistance.TRAINING_TV.name(), keys[10], negatives, reference);
            }
            ChainRun longer = sampler.draw(SampleRequest.longRun(keys[4], samples.x()));
            addDistance(figures, SampleDistance.LONG_SAMPLE_TV.name(), keys[5], longer, reference);
            figures.putAll(
                    registered(keys[6], samples.x(), experiment.data().draws().draw(keys[6], REGISTERED)));
            addNormaliser(keys[8], figures, longer.x());
        }
        figures.put(GridDensity.EDGE_MASS.name(), model().edgeMass());
        if (experiment.objective().weighs()) {
            figures.putAll(weights(keys[7]));
        }
        addTemperature(figures);
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
        double logZ = model().logNormaliser();
        boolean known = Double.isFinite(logZ)
                && !GridDensity.EDGE_MASS.isPoor(Map.of(GridDensity.EDGE_MASS.name(), model().edgeMass()));
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
     * Both bounds on log Z of exp(f/T), and how far they lie apart, by annealed importance sampling from the base measure, or from
     * a Gaussian as wide as the data, forwards and, from the model's own samples, backwards: a lower and an upper bound. The upper
     * one needs samples that are the model's; where short chains are not, both say little, and lie apart.
     */
    private void addNormaliser(Key key, Map<String, Double> figures, Tensor samples) {
        Key[] keys = key.split(2);
        try (Scope scope = Scope.open()) {
            Learner learner = experiment.learner();
            Gaussian base = learner.model()
                    .base(learner.averaged())
                    .orElseGet(() -> around(experiment.data().draws().draw(keys[0], FITTED)));
            Judge.addBounds(
                    figures,
                    PartitionFunction.of(
                            keys[1],
                            experiment.model().density(),
                            base,
                            Optional.of(samples),
                            NORMALISER,
                            experiment.device()));
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

    /** Two samples of the data, the origin, and far out where only noise gets. */
    private Map<String, Tensor> examples() {
        float[] data;
        try (Scope scope = Scope.open()) {
            data = toy.draw(Key.of(0).child(1), 2).toFloats();
        }
        float far = (float) toy.domain().xMax();
        Map<String, Tensor> named = new LinkedHashMap<>();
        for (float[] z : new float[][] {{data[0], data[1]}, {data[2], data[3]}, {0, 0}, {far, 0}}) {
            named.put(
                    Words.say("z = (%.2f, %.2f)", z[0], z[1]),
                    Tensors.of(z, 1, 2).to(experiment.device()));
        }
        return named;
    }

    /** KL(data‖model) on a coarse grid, where the truth is known. */
    @Override
    public Optional<CheckpointMetric> score() {
        return toy.logDensity().map(known -> {
            GridDensity reference = grid(known, toy, SCORE_CELLS, Device.CPU);
            return new CheckpointMetric(GridDensity.KL, true, () -> {
                try (Scope scope = Scope.open()) {
                    return reference.klTo(grid(experiment.model().density(), toy, SCORE_CELLS, experiment.device()));
                }
            });
        });
    }

    @Override
    public String lead(Evaluation evaluation) {
        String model = "An energy-based model of " + toy.name();
        OptionalDouble kl = evaluation.figure(GridDensity.KL);
        String density = switch (GridDensity.KL.verdict(evaluation.figures())) {
            case GOOD -> "matches the data's density closely";
            case FAIR -> "comes near the data's density";
            default -> "is far from the data's density";
        };
        return kl.isEmpty() ? model + "." : Words.say("%s that %s (KL %.3g nats).", model, density, kl.getAsDouble());
    }

    @Override
    public List<Finding> findings(Evaluation evaluation) {
        Map<String, Double> figures = evaluation.figures();
        OptionalDouble kl = evaluation.figure(GridDensity.KL);
        boolean broken = kl.isPresent() && !Double.isFinite(kl.getAsDouble());
        boolean poorDensity = !broken && kl.isPresent() && GridDensity.KL.isPoor(figures);
        boolean goodSamples = !SampleDistance.SAMPLE_TV.isPoor(figures);
        double longer = SampleDistance.LONG_SAMPLE_TV.judged(figures).orElse(0);
        return new Findings(experiment.recipe(), figures)
                .add(
                        broken,
                        About.MODEL,
                        "KL(data‖model) is not a number: f is not finite somewhere on the grid. The run has broken.",
                        Suggestions::smallerLearningRate)
                .add(
                        poorDensity && goodSamples,
                        About.MODEL,
                        "The short-run samples are good but the density is not: in training the sampler does not converge.",
                        Suggestions::robust,
                        Suggestions::replayBuffer,
                        Suggestions::moreSteps)
                .add(
                        poorDensity && !goodSamples,
                        About.MODEL,
                        "Neither the samples nor the density match the data.",
                        Suggestions::trainLonger,
                        Suggestions::moreSteps)
                .add(
                        !broken && !poorDensity && !goodSamples,
                        About.SAMPLER,
                        "The density is fair but the samples are not: the chains are too short or their step is too small.",
                        suggestions ->
                                suggestions.longerSamples(experiment.model().usualSteps()),
                        Suggestions::moreSteps,
                        Suggestions::largerSteps)
                .add(
                        goodSamples && longer > 2 * SampleDistance.LONG_SAMPLE_TV.poor(),
                        About.MODEL,
                        "Chains that run for 30 times as many steps as in training leave the data: samples are good only at the"
                                + " length that was trained, and the density is not the one that the samples suggest.",
                        Suggestions::moreSteps,
                        Suggestions::replayBuffer)
                .all();
    }
}

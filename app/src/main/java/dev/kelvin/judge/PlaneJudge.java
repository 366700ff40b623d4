package dev.kelvin.judge;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.KeyDomain;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Scale;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Components;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Sampler;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.Histogram;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.objective.Objective;
import dev.kelvin.panel.PlanePanels;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.report.Picture;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
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
public record PlaneJudge(
        Experiment experiment, ToyData toy, GridDensity model, Optional<GridDensity> truth, Components.Seen components)
        implements Judgement {
    /** Fewer come from a replay buffer that holds fewer. */
    static final int SAMPLES = 20_000;

    /** Where samples are annealed through all components: each takes a long walk. */
    static final int ANNEALED = 2_000;

    public static final int HELD_OUT = 10_000;
    static final int BINS = 50;

    /** Batches over which an objective's weights are averaged. */
    private static final int WEIGHED = 20;

    /** Cells a side for the score that is taken during training. */
    private static final int SCORE_CELLS = 128;

    public static PlaneJudge of(Experiment experiment, ToyData toy) {
        try (Scope scope = Scope.open()) {
            return new PlaneJudge(
                    experiment,
                    toy,
                    grid(experiment.density(), toy, GridDensity.CELLS, experiment.device()),
                    toy.logDensity().map(truth -> grid(truth, toy, GridDensity.CELLS, Device.CPU)),
                    experiment.components().judge(experiment));
        }
    }

    /** KL(data‖model) on a coarse grid, where the truth is known: the score of a checkpoint. */
    public static Optional<Data.CheckpointMetric> score(Experiment experiment, ToyData toy) {
        return toy.logDensity().map(truth -> {
            GridDensity reference = grid(truth, toy, SCORE_CELLS, Device.CPU);
            return new Data.CheckpointMetric(GridDensity.KL, true, () -> {
                try (Scope scope = Scope.open()) {
                    return reference.klTo(grid(experiment.density(), toy, SCORE_CELLS, experiment.device()));
                }
            });
        });
    }

    @Override
    public Evaluation evaluate(Key key, WorkListener listener) {
        Key[] keys = key.split(11);
        Map<String, Double> figures = new LinkedHashMap<>();
        truth.ifPresent(known -> {
            figures.put(GridDensity.KL.name(), known.klTo(model));
            figures.put(GridDensity.TOTAL_VARIATION.name(), known.totalVariation(model));
            addShift(figures, "", model.mean(), known.mean());
        });
        try (Scope scope = Scope.open()) {
            Tensor heldOut = experiment.data().draws().draw(keys[0], HELD_OUT);
            HeldOut likelihood = HeldOut.of(experiment.density(), model.logNormaliser(), heldOut);
            figures.put("log_likelihood", likelihood.mean());
            figures.put("log_likelihood_error", likelihood.standardError());
            figures.putAll(
                    experiment.rounding(experiment.logDensity().at(heldOut).toDoubles()));
            toy.logDensity()
                    .ifPresent(exact -> figures.put(
                            "true_log_likelihood",
                            HeldOut.of(exact, 0, heldOut.to(Device.CPU)).mean()));
            Box box = components.box().orElse(toy.domain());
            Histogram reference = reference(box, keys[1]);
            Sampler sampler = experiment.sampler();
            ChainRun samples = sampler.draw(keys[2], sampler.annealed() ? ANNEALED : SAMPLES);
            addDistance(figures, SampleDistance.SAMPLE_TV.name(), keys[3], samples, reference);
            truth.ifPresent(
                    known -> addShift(figures, "sample_", samples.x().mean(0L).toDoubles(), known.mean()));
            samples.acceptance().ifPresent(rate -> figures.put("acceptance", rate));
            if (sampler.negativesDiffer()) {
                ChainRun negatives = sampler.drawNegatives(keys[9], SAMPLES);
                addDistance(figures, SampleDistance.TRAINING_TV.name(), keys[10], negatives, reference);
            }
            ChainRun longer = sampler.drawLong(keys[4], samples.x());
            addDistance(figures, SampleDistance.LONG_SAMPLE_TV.name(), keys[5], longer, reference);
            figures.putAll(RegisteredFigures.of(
                    keys[6],
                    experiment,
                    samples.x(),
                    experiment.data().draws().draw(keys[6], RegisteredFigures.SAMPLES)));
            figures.putAll(Normaliser.figures(keys[8], experiment, longer.x()));
        }
        figures.put("edge_mass", model.edgeMass());
        if (experiment.objective().weighs()) {
            figures.putAll(weights(keys[7]));
        }
        if (experiment.hasTemperature()) {
            figures.put("temperature", experiment.temperature());
        }
        figures.putAll(components.figures());
        return new Evaluation(
                figures, Map.of("samples", experiment.components().samplesWords(experiment.recipe())), List.of());
    }

    /** How the objective weighs, at the end of training: the means over some batches. */
    private Map<String, Double> weights(Key key) {
        Recipe recipe = experiment.recipe();
        Objective objective = experiment.objective();
        Map<String, Double> means = new TreeMap<>(); // a fixed order: the file must not differ from run to run
        Key[] keys = key.split(2);
        for (int i = 0; i < WEIGHED; i++) {
            try (Scope scope = Scope.open()) {
                LogDensity f = experiment.logDensity();
                Tensor data = experiment
                        .data()
                        .draws()
                        .draw(keys[0].child(i), recipe.train().batch());
                Tensor samples = experiment
                        .sampler()
                        .drawNegatives(keys[1], i, recipe.negativeCount())
                        .x();
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

    private static GridDensity grid(LogDensity f, ToyData data, int cells, Device device) {
        return GridDensity.of(f, data.domain(), cells, DType.FLOAT, device);
    }

    /** f of fresh points of the data; log Z by the grid, unless some of the density lies beyond its edge. */
    @Override
    public Optional<HeldOutReference> reference(Evaluation evaluation, long step) {
        double[] values;
        try (Scope scope = Scope.open()) {
            Tensor heldOut =
                    experiment.data().draws().draw(KeyDomain.SCORES.key().child(6), HELD_OUT);
            values = experiment.logDensity().at(heldOut).toDoubles();
        }
        double logZ = model.logNormaliser();
        boolean known = Double.isFinite(logZ) && !GridDensity.EDGE_MASS.isPoor(Map.of("edge_mass", model.edgeMass()));
        return HeldOutReference.of(
                step,
                experiment.temperature(),
                known ? Optional.of(HeldOutReference.Bounds.of(logZ, logZ)) : Optional.empty(),
                values);
    }

    @Override
    public Shown show(Path samples, Evaluation evaluation) throws IOException {
        return new PlanePanels(samples, this).shown();
    }

    @Override
    public Picture picture(String caption) {
        double[][] density = PlanePanels.rows(model);
        Scale scale = Scale.linear(truth.map(PlanePanels::rows).orElse(density));
        return new Picture(
                caption, "Heat map of the density of " + caption, Drawings.density(toy.domain(), density, scale));
    }
}

package dev.kelvin.run;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.Histogram;
import dev.kelvin.metric.MaximumMeanDiscrepancy;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Robust;
import dev.kelvin.recipe.ObjectiveSpec;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.Learner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * A model of the plane: its density on a grid, the truth's where it is known, and those of all times where there are
 * some.
 *
 * <p>A model can have good samples without a good density, and the other way round, so both are measured: samples of
 * the sampler that trained it, and of one that walks {@value Sampler#LONGER} times as far.
 */
public record PlaneExhibits(GridDensity model, Optional<GridDensity> truth, Optional<TimeDensities> times)
        implements Exhibits {
    /** Fewer come from a replay buffer that holds fewer. */
    static final int SAMPLES = 20_000;

    /** Of a time-joint model: they take a walk through all times each. */
    static final int ANNEALED = 2_000;

    static final int HELD_OUT = 10_000;
    static final int BINS = 50;

    /** Batches over which the robust objective's weights are averaged. */
    private static final int WEIGHED = 20;

    static final int MMD_SAMPLES = 1_000;

    /** Cells a side for the score that is taken during training. */
    private static final int SCORE_CELLS = 128;

    static PlaneExhibits of(Experiment parts, Device device) {
        ToyData data = parts.toy();
        return new PlaneExhibits(
                grid(parts.density(), data, GridDensity.CELLS, device),
                data.logDensity().map(truth -> grid(truth, data, GridDensity.CELLS, Device.CPU)),
                TimeDensities.of(parts, device));
    }

    /** KL(data‖model) on a coarse grid, where the truth is known: the score of a checkpoint. */
    static Optional<ToDoubleFunction<Learner>> score(Experiment parts, Device device) {
        return parts.toy().logDensity().map(truth -> {
            GridDensity reference = grid(truth, parts.toy(), SCORE_CELLS, Device.CPU);
            return learner -> reference.klTo(grid(parts.density(), parts.toy(), SCORE_CELLS, device));
        });
    }

    @Override
    public Evaluation evaluate(Key key, Experiment parts, Device device, WorkListener stages) {
        Key[] keys = key.split(8);
        Map<String, Double> figures = new LinkedHashMap<>();
        truth.ifPresent(known -> {
            figures.put("kl", known.klTo(model));
            figures.put("tv", known.totalVariation(model));
            addShift(figures, "", model.mean(), known.mean());
        });
        try (Scope scope = Scope.open()) {
            Tensor heldOut = parts.positives().draw(keys[0], HELD_OUT);
            HeldOut likelihood = HeldOut.of(parts.density(), model.logNormaliser(), heldOut);
            figures.put("log_likelihood", likelihood.mean());
            figures.put("log_likelihood_error", likelihood.standardError());
            parts.toy()
                    .logDensity()
                    .ifPresent(exact -> figures.put(
                            "true_log_likelihood",
                            HeldOut.of(exact, 0, heldOut.to(Device.CPU)).mean()));
            Box box = times.map(TimeDensities::box).orElse(parts.toy().domain());
            Histogram reference = reference(parts, box, keys[1]);
            Walk samples = parts.sampler().draw(keys[2], times.isPresent() ? ANNEALED : SAMPLES);
            addDistance(figures, "sample_tv", keys[3], samples, reference);
            truth.ifPresent(
                    known -> addShift(figures, "sample_", samples.x().mean(0L).toDoubles(), known.mean()));
            samples.acceptance().ifPresent(rate -> figures.put("acceptance", rate));
            addDistance(figures, "long_sample_tv", keys[5], parts.sampler().drawLong(keys[4], samples.x()), reference);
            Tensor some =
                    samples.x().narrow(0, 0, Math.min(MMD_SAMPLES, samples.x().size(0)));
            figures.put("mmd2", mmd(some.to(Device.CPU), parts.toy().draw(keys[6], MMD_SAMPLES)));
        }
        figures.put("edge_mass", model.edgeMass());
        if (parts.recipe().objective() instanceof ObjectiveSpec.Robust robust && robust.beta() != 0) {
            figures.putAll(weights(keys[7], parts, robust));
        }
        times.ifPresent(all -> figures.putAll(all.figures()));
        return new Evaluation(figures, Map.of(), List.of());
    }

    /** How the robust objective weighs, at the end of training: the means over some batches. */
    private static Map<String, Double> weights(Key key, Experiment parts, ObjectiveSpec.Robust robust) {
        int count =
                parts.recipe().negatives().count().orElse(parts.recipe().train().batch());
        Objective objective = new Robust(robust.beta());
        Map<String, Double> means = new TreeMap<>(); // a fixed order: the file must not differ from run to run
        for (int i = 0; i < WEIGHED; i++) {
            try (Scope scope = Scope.open()) {
                Key[] keys = key.child(i).split(2);
                Tensor data =
                        parts.positives().draw(keys[0], parts.recipe().train().batch());
                Tensor samples = parts.sampler().draw(keys[1], count).x();
                objective
                        .of(
                                parts.logDensity().at(data).toDoubles(),
                                parts.logDensity().at(samples).toDoubles())
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
            Map<String, Double> figures, String name, Key key, Walk samples, Histogram reference) {
        SampleDistance distance = SampleDistance.of(key, samples.x().to(Device.CPU), reference);
        figures.put(name, distance.totalVariation());
        figures.put(name + "_floor", distance.floor());
    }

    /** The data's histogram: exact where its density is known, otherwise of many draws. */
    private static Histogram reference(Experiment parts, Box box, Key key) {
        ToyData data = parts.toy();
        return data.logDensity()
                .map(truth -> Histogram.of(truth, box, BINS))
                .orElseGet(() -> Histogram.of(data.draw(key, 50 * SAMPLES), box, BINS));
    }

    private static double mmd(Tensor samples, Tensor data) {
        return MaximumMeanDiscrepancy.of(samples, data).squared();
    }

    private static GridDensity grid(LogDensity f, ToyData data, int cells, Device device) {
        return GridDensity.of(f, data.domain(), cells, DType.FLOAT, device);
    }
}

package dev.kelvin.run;

import dev.kelvin.AtomicFile;
import dev.kelvin.data.ToyData;
import dev.kelvin.energy.Box;
import dev.kelvin.energy.LogDensity;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * How good a model of the plane came out: its density, normalised on a grid, and its samples, each against the data.
 *
 * <p>A model can have good samples without a good density, and the other way round, so both are measured: samples of
 * the sampler that trained it, and of one that walks {@value Sampler#LONGER} times as far.
 */
public record Evaluation(Map<String, Double> figures) {
    /** Fewer come from a replay buffer that holds fewer. */
    static final int SAMPLES = 20_000;

    /** Of a time-joint model: they take a walk through all times each. */
    static final int ANNEALED = 2_000;

    static final int HELD_OUT = 10_000;
    static final int BINS = 50;

    /** Batches over which the robust objective's weights are averaged. */
    private static final int WEIGHED = 20;

    static final int MMD_SAMPLES = 2_000;

    /** Cells a side for the score that is taken during training. */
    private static final int SCORE_CELLS = 128;

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** The grid of the model's density and of the truth, where it is known; and of all times, where there are some. */
    public record Densities(GridDensity model, Optional<GridDensity> truth, Optional<TimeDensities> times) {
        public static Densities of(Parts parts, Device device) {
            ToyData data = parts.data();
            return new Densities(
                    grid(parts.density(), data, GridDensity.CELLS, device),
                    data.logDensity().map(truth -> grid(truth, data, GridDensity.CELLS, Device.CPU)),
                    TimeDensities.of(parts, device));
        }
    }

    /** KL(data‖model) on a coarse grid, where the truth is known: the score of a checkpoint. */
    public static Optional<java.util.function.ToDoubleFunction<dev.kelvin.train.Learner>> score(
            Parts parts, Device device) {
        return parts.data().logDensity().map(truth -> {
            GridDensity reference = grid(truth, parts.data(), SCORE_CELLS, Device.CPU);
            return learner -> reference.klTo(grid(parts.density(), parts.data(), SCORE_CELLS, device));
        });
    }

    /** Measures everything; the key decides the draws. */
    public static Evaluation of(Key key, Parts parts, Densities densities, Device device) {
        Key[] keys = key.split(8);
        Map<String, Double> figures = new LinkedHashMap<>();
        GridDensity model = densities.model();
        densities.truth().ifPresent(truth -> {
            figures.put("kl", truth.klTo(model));
            figures.put("tv", truth.totalVariation(model));
            addShift(figures, "", model.mean(), truth.mean());
        });
        try (Scope scope = Scope.open()) {
            Tensor heldOut = parts.positives().draw(keys[0], HELD_OUT);
            HeldOut likelihood = HeldOut.of(parts.density(), model.logNormaliser(), heldOut);
            figures.put("log_likelihood", likelihood.mean());
            figures.put("log_likelihood_error", likelihood.standardError());
            parts.data()
                    .logDensity()
                    .ifPresent(truth -> figures.put(
                            "true_log_likelihood",
                            HeldOut.of(truth, 0, heldOut.to(Device.CPU)).mean()));
            Box box = densities
                    .times()
                    .map(TimeDensities::box)
                    .orElse(parts.data().domain());
            Histogram reference = reference(parts, box, keys[1]);
            Walk samples = parts.sampler().draw(keys[2], densities.times().isPresent() ? ANNEALED : SAMPLES);
            addDistance(figures, "sample_tv", keys[3], samples, reference);
            densities
                    .truth()
                    .ifPresent(truth ->
                            addShift(figures, "sample_", samples.x().mean(0L).toDoubles(), truth.mean()));
            samples.acceptance().ifPresent(rate -> figures.put("acceptance", rate));
            addDistance(figures, "long_sample_tv", keys[5], parts.sampler().drawLong(keys[4], samples.x()), reference);
            Tensor some =
                    samples.x().narrow(0, 0, Math.min(MMD_SAMPLES, samples.x().size(0)));
            figures.put("mmd2", mmd(some.to(Device.CPU), parts.data().draw(keys[6], MMD_SAMPLES)));
        }
        figures.put("edge_mass", model.edgeMass());
        if (parts.recipe().objective() instanceof ObjectiveSpec.Robust robust && robust.beta() != 0) {
            figures.putAll(weights(keys[7], parts, robust));
        }
        densities.times().ifPresent(times -> figures.putAll(times.figures()));
        return new Evaluation(figures);
    }

    /** How the robust objective weighs, at the end of training: the means over some batches. */
    private static Map<String, Double> weights(Key key, Parts parts, ObjectiveSpec.Robust robust) {
        int count =
                parts.recipe().negatives().count().orElse(parts.recipe().train().batch());
        Objective objective = new Robust(robust.beta());
        Map<String, Double> means = new LinkedHashMap<>();
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
    private static Histogram reference(Parts parts, Box box, Key key) {
        ToyData data = parts.data();
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

    /** A figure, where it was measured. */
    public OptionalDouble figure(String name) {
        Double value = figures.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** The figures that were written. */
    public static Evaluation read(Path file) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>();
        JSON.readTree(Files.readString(file)).properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            if (value.isNumber()) {
                figures.put(entry.getKey(), value.asDouble());
            } else if (value.isString() && value.asString().matches("NaN|-?Infinity")) {
                figures.put(entry.getKey(), Double.parseDouble(value.asString()));
            }
        });
        return new Evaluation(figures);
    }

    void write(Path file) throws IOException {
        AtomicFile.write(file, JSON.writeValueAsString(figures));
    }
}

package dev.kelvin.dataset;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.PointRows;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Png;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Sampler;
import dev.kelvin.io.Sha256;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Finding;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.Judgement;
import dev.kelvin.judge.ModelWarnings;
import dev.kelvin.judge.PlaneJudge;
import dev.kelvin.judge.Suggestions;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.panel.PlanePanels;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Points of the plane from a toy set, whose density is known. */
record PlaneDataset(ToyData toy, Device device) implements Data {
    /** Enough draws to tell two versions of a toy set apart. */
    private static final int HASHED_DRAWS = 1000;

    @Override
    public List<Long> shape() {
        return List.of((long) toy.dimension());
    }

    @Override
    public SampleSource draws() {
        return (key, count) -> {
            try (Scope scope = Scope.open()) {
                return scope.keep(toy.draw(key, count).to(device));
            }
        };
    }

    @Override
    public SampleSource drawsByClass() {
        throw new UserException("toy sets have no classes");
    }

    @Override
    public BatchSource batches(boolean labelled) {
        return BatchSource.fresh(draws());
    }

    @Override
    public List<String> classes() {
        return List.of();
    }

    /** Toy data has no file: the hash is of its first draws under a fixed key. */
    @Override
    public String hash() {
        try (Scope scope = Scope.open()) {
            float[] draws = toy.draw(Key.of(0), HASHED_DRAWS).toFloats();
            return Sha256.of(digest -> {
                for (float draw : draws) {
                    digest.update(Integer.toString(Float.floatToIntBits(draw)).getBytes(StandardCharsets.US_ASCII));
                }
            });
        }
    }

    @Override
    public Rows rows(String place, Optional<ImageFiles.Part> part) throws IOException {
        return new SeenRows(PointRows.open(Path.of(place), toy.dimension()), points -> points.to(device));
    }

    @Override
    public String origin() {
        return "toy " + toy.name();
    }

    @Override
    public Optional<ToyData> plane() {
        return Optional.of(toy);
    }

    @Override
    public Optional<CheckpointMetric> score(Experiment experiment) {
        return PlaneJudge.score(experiment, toy);
    }

    /** Two samples of the data, the origin, and far out where only noise gets. */
    @Override
    public Map<String, Tensor> examples(Experiment experiment) {
        float[] data;
        try (Scope scope = Scope.open()) {
            data = toy.draw(Key.of(0).child(1), 2).toFloats();
        }
        double far = toy.domain().xMax();
        float[] points = {data[0], data[1], data[2], data[3], 0, 0, (float) far, 0};
        Map<String, Tensor> named = new LinkedHashMap<>();
        for (int i = 0; i < points.length; i += 2) {
            named.put(
                    String.format(Locale.ROOT, "z = (%.2f, %.2f)", points[i], points[i + 1]),
                    Tensors.of(new float[] {points[i], points[i + 1]}, 1, 2).to(device));
        }
        return named;
    }

    @Override
    public Judgement judge(Experiment experiment) {
        return PlaneJudge.of(experiment, toy);
    }

    @Override
    public String lead(Evaluation evaluation) {
        OptionalDouble kl = evaluation.figure(GridDensity.KL.name());
        if (kl.isEmpty()) {
            return "An energy-based model of " + toy.name() + ".";
        }
        String density = switch (GridDensity.KL.verdict(evaluation.figures())) {
            case GOOD -> "matches the data's density closely";
            case FAIR -> "comes near the data's density";
            default -> "is far from the data's density";
        };
        return String.format(
                Locale.ROOT,
                "An energy-based model of %s that %s (KL %.3g nats).",
                toy.name(),
                density,
                kl.getAsDouble());
    }

    @Override
    public List<Finding> findings(Recipe recipe, Evaluation evaluation) {
        List<Finding> found = new ArrayList<>();
        Suggestions remedies = new Suggestions(recipe);
        Map<String, Double> figures = evaluation.figures();
        OptionalDouble kl = evaluation.figure(GridDensity.KL.name());
        boolean poorDensity = kl.isPresent() && GridDensity.KL.isPoor(figures);
        boolean goodSamples = !SampleDistance.SAMPLE_TV.isPoor(figures);
        if (kl.isPresent() && !Double.isFinite(kl.getAsDouble())) {
            found.add(Finding.of(
                    About.MODEL,
                    "KL(data‖model) is not a number: f is not finite somewhere on the grid. The run has broken.",
                    remedies.smallerLearningRate()));
        } else if (poorDensity && goodSamples) {
            found.add(Finding.of(
                    About.MODEL,
                    "The short-run samples are good but the density is not: in training the sampler does not converge.",
                    remedies.robust(),
                    remedies.replayBuffer(),
                    remedies.moreSteps()));
        } else if (poorDensity) {
            found.add(Finding.of(
                    About.MODEL,
                    "Neither the samples nor the density match the data.",
                    remedies.trainLonger(),
                    remedies.moreSteps()));
        } else if (!goodSamples) {
            found.add(Finding.of(
                    About.SAMPLER,
                    "The density is fair but the samples are not: the chains are too short or their step is too small.",
                    remedies.longerSamples(sampleSteps(recipe.negatives())),
                    remedies.moreSteps(),
                    remedies.largerSteps()));
        }
        if (goodSamples
                && SampleDistance.LONG_SAMPLE_TV.judged(figures).orElse(0) > 2 * SampleDistance.LONG_SAMPLE_TV.poor()) {
            found.add(Finding.of(
                    About.MODEL,
                    "Chains that run for 30 times as many steps as in training leave the data: samples are good only at the"
                            + " length that was trained, and the density is not the one that the samples suggest.",
                    remedies.moreSteps(),
                    remedies.replayBuffer()));
        }
        found.addAll(ModelWarnings.of(recipe, figures));
        return found;
    }

    @Override
    public Png picture(Experiment experiment, Tensor x, boolean byComponent) {
        return Drawings.samples(PlanePanels.domain(toy), PlanePanels.points(x));
    }

    /** A density in the plane can be asked for more than training walks. */
    @Override
    public int sampleSteps(Negatives chains) {
        return chains.sampleSteps()
                .orElse(Sampler.LONGER * Math.max(1, chains.steps().last()));
    }

    @Override
    public void close() {}
}

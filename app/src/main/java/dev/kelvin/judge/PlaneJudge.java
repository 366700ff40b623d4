package dev.kelvin.judge;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.PlaneDataset;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Judges models of the plane, whose density can be computed on a grid. */
record PlaneJudge(Experiment experiment, PlaneDataset data) implements Judge {
    /** Cells a side for the score that is taken during training. */
    private static final int SCORE_CELLS = 128;

    @Override
    public Judgement judgement() {
        try (Scope scope = Scope.open()) {
            ToyData toy = data.toy();
            return new PlaneJudgement(
                    experiment,
                    toy,
                    PlaneJudgement.grid(experiment.model().density(), toy, GridDensity.CELLS, experiment.device()),
                    toy.logDensity().map(truth -> PlaneJudgement.grid(truth, toy, GridDensity.CELLS, Device.CPU)),
                    ComponentJudge.of(experiment).evaluate(this::examples));
        }
    }

    /** Two samples of the data, the origin, and far out where only noise gets. */
    private Map<String, Tensor> examples() {
        float[] data;
        try (Scope scope = Scope.open()) {
            data = data().toy().draw(Key.of(0).child(1), 2).toFloats();
        }
        float far = (float) data().toy().domain().xMax();
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
        ToyData toy = data.toy();
        return toy.logDensity().map(truth -> {
            GridDensity reference = PlaneJudgement.grid(truth, toy, SCORE_CELLS, Device.CPU);
            return new CheckpointMetric(GridDensity.KL, true, () -> {
                try (Scope scope = Scope.open()) {
                    return reference.klTo(
                            PlaneJudgement.grid(experiment.model().density(), toy, SCORE_CELLS, experiment.device()));
                }
            });
        });
    }

    @Override
    public String lead(Evaluation evaluation) {
        String model = "An energy-based model of " + data.toy().name();
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

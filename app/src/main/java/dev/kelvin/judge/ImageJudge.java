package dev.kelvin.judge;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Judges models of images. */
record ImageJudge(Experiment experiment, ImageDataset data) implements Judge {
    @Override
    public Judgement judgement() {
        return ImageJudgement.of(
                experiment, data, () -> ComponentJudge.of(experiment).evaluate(this::examples));
    }

    @Override
    public Judgement unmeasured() {
        return new ImageJudgement(
                experiment, data, Map.of(), Measured.of(Map.of(), "", ""), Optional.empty(), Optional.empty());
    }

    private Map<String, Tensor> examples() {
        PixelRange range = data.range().orElseThrow();
        Tensor image = data.learnt(data.test().images(ImageDataset.range(0, 1)));
        Tensor noise = Tensors.normalLike(KeyDomain.TIME_EXAMPLES.key(), (range.high() - range.low()) / 2, image);
        Map<String, Tensor> examples = new LinkedHashMap<>();
        examples.put("a held-out image", image);
        examples.put("half of each", image.plus(noise).times(0.5));
        examples.put("noise", noise);
        return examples;
    }

    @Override
    public Optional<CheckpointMetric> score() {
        return ComponentJudge.of(experiment).score();
    }

    @Override
    public String lead(Evaluation evaluation) {
        // judged as a classifier that draws samples of each class
        boolean joint = evaluation.figure(Calibration.CLASS_SAMPLE_ACCURACY).isPresent();
        String model = joint
                ? Words.say(
                        "A joint energy model of %s: it names the class of %.1f %% of the held-out images (ECE %.1f %%)",
                        data.spec().title(),
                        100 * evaluation.value(Calibration.ACCURACY),
                        100 * evaluation.value(Calibration.ECE))
                : "An energy-based model of " + data.spec().title();
        return evaluation.figure(FrechetDistance.FID).isEmpty()
                ? model + "."
                : Words.say(
                        "%s %s samples lie %.3g from the training images (FID; a Gaussian fitted to the pixels lies"
                                + " %.3g away).",
                        model,
                        joint ? "and its" : "whose",
                        evaluation.value(FrechetDistance.FID),
                        evaluation.value(FrechetDistance.FID_GAUSSIAN));
    }

    @Override
    public List<Finding> findings(Evaluation evaluation) {
        Recipe recipe = experiment.recipe();
        Map<String, Double> figures = evaluation.figures();
        boolean poor = FrechetDistance.FID.isPoor(figures);
        OptionalDouble ofBuffer = evaluation.figure(FrechetDistance.FID_BUFFER);
        boolean buffer = ofBuffer.isPresent() && !FrechetDistance.FID_BUFFER.isPoor(figures);
        Optional<String> leaning = evaluation.leaning();
        return new Findings(recipe, figures)
                .add(
                        poor && buffer,
                        About.SAMPLER,
                        Words.say(
                                "Fresh chains do not reach the images in %d steps; those of the replay buffer, which have gone"
                                        + " further, do (FID %.3g).",
                                recipe.negatives().freshSteps(), ofBuffer.orElse(Double.NaN)),
                        Suggestions::judgeLongerChains)
                .add(
                        poor && !buffer,
                        About.MODEL,
                        "The samples are no nearer to the images than a fitted Gaussian's.",
                        Suggestions::trainLonger,
                        Suggestions::average)
                .add(
                        Figure.named("auroc_noise").isPoor(figures),
                        About.MODEL,
                        "f is hardly higher at images than at noise: it can't be used to detect what is out of distribution.",
                        Suggestions::trainLonger)
                .add(
                        evaluation.ofFeatures().isEmpty() && Calibration.ECE.isPoor(figures) && leaning.isPresent(),
                        About.MODEL,
                        Words.say(
                                "p(y|x) is not calibrated (ECE %.2f). %s",
                                Calibration.ECE.value(figures), leaning.orElse("")))
                .all();
    }
}

package dev.kelvin.panel;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageJudge;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.PlaneJudge;
import dev.kelvin.judge.TableJudge;
import dev.kelvin.math.Box;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.Reliability;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleKind;
import dev.kelvin.part.Words;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report.Section;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** What a report shows of a judged model: one class a kind of data, found here and nowhere else. */
public interface Panels {
    /** Images in the picture of samples, at most. */
    int PICTURED = 400;

    /** The part of the plane in which points are shown that are of no toy set. */
    Box SHOWN = new Box(-4, 4, -4, 4);

    /** Images in a row of it. */
    int PICTURED_COLUMNS = 20;

    /** The panels of a judgement. */
    static Panels of(Judge judgement) {
        if (judgement instanceof ImageJudge images) {
            return new ImagePanels(images);
        }
        if (judgement instanceof TableJudge table) {
            return new TablePanels(table);
        }
        if (judgement instanceof PlaneJudge plane) {
            return new PlanePanels(plane);
        }
        throw new IllegalStateException("nobody shows " + judgement.getClass());
    }

    /**
     * A picture of samples.
     *
     * @param components as many as the samples are of in turn, 1 if they are of none
     * @param toy the toy set whose part of the plane is shown, of a model of one
     */
    static Png samples(Model model, Tensor x, int components, Optional<ToyData> toy) {
        try (Scope scope = Scope.open()) {
            SampleKind kind = model.card().samples();
            if (kind.images().isPresent()) {
                Tensor shown = x.narrow(0, 0, Math.min(PICTURED, x.size(0)));
                return ImageGrid.of(kind.units().fromModel(ImagePanels.inRows(shown, components)), PICTURED_COLUMNS);
            }
            if (kind instanceof SampleKind.Rows rows) {
                return ColumnPanels.pairs(rows.schema(), rows.own(x));
            }
            return Drawings.samples(toy.map(ToyData::domain).orElse(SHOWN), PlanePanels.points(x));
        }
    }

    /**
     * How often a classifier is right among images of which it is equally sure, and how many those are. Source: Guo et al.
     * 2017, figure 1.
     *
     * @param own whether the model itself has classes
     */
    static Pictures reliability(Evaluation evaluation, boolean own) {
        List<Reliability.Bin> bins = evaluation.reliability();
        double images = bins.stream().mapToLong(Reliability.Bin::count).sum();
        double[] right = bins.stream().mapToDouble(Reliability.Bin::accuracy).toArray();
        double[] shares = bins.stream().mapToDouble(bin -> bin.count() / images).toArray();
        String error = Words.say("%.3f", evaluation.value(Calibration.ECE));
        OptionalDouble low = evaluation.figure(Calibration.ECE_LOW);
        String interval = low.isEmpty()
                ? ""
                : Words.say(" (95 %%: %.3f to %.3f)", low.getAsDouble(), evaluation.value(Calibration.ECE_HIGH));
        return new Pictures(
                (own
                                ? "The model's own p(y|x) on the held-out images."
                                : "The classifier whose features FID and KID compare, on the held-out images; the"
                                        + " energy-based model itself has no classes.")
                        + " Its confidence is the probability that it gives to the likeliest class. Where a"
                        + " bar ends on the diagonal, it is right as often as it says; below it, it is over-confident; above"
                        + " it, under-confident. The expected calibration error (ECE) is the mean distance from the diagonal"
                        + " over all images: "
                        + error + interval + ". " + evaluation.leaning().orElse(""),
                new Picture(
                        "Accuracy by confidence, ECE " + error + interval,
                        "Bars: how often the classifier is right, by its confidence, and the diagonal",
                        Drawings.bars(right, true, "confidence", "accuracy")),
                new Picture(
                        "Share of the images by confidence",
                        "Bars: how many of the images have each confidence",
                        Drawings.bars(shares, false, "confidence", "share of images")));
    }

    /** Sections of a report, and pictures by the names of their files, drawn when they are written. */
    record Shown(List<Section> sections, Map<String, Supplier<Png>> files) {}

    /** The report's sections; samples are written to that folder. */
    Shown show(Path samples, Evaluation evaluation) throws IOException;

    /** One picture that says most, with this caption, to stand beside other runs'. */
    Picture picture(String caption);
}

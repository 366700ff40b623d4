package dev.kelvin.panel;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageJudgement;
import dev.kelvin.judge.Judgement;
import dev.kelvin.judge.PlaneJudgement;
import dev.kelvin.judge.TableJudgement;
import dev.kelvin.math.Box;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleKind;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Section;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    static Panels of(Judgement judgement) {
        if (judgement instanceof ImageJudgement images) {
            return new ImagePanels(images);
        }
        if (judgement instanceof TableJudgement table) {
            return new TablePanels(table);
        }
        if (judgement instanceof PlaneJudgement plane) {
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
                return PairPlot.of(rows.schema(), rows.own(x));
            }
            return Drawings.samples(toy.map(ToyData::domain).orElse(SHOWN), PlanePanels.points(x));
        }
    }

    /** Sections of a report, and pictures by the names of their files, drawn when they are written. */
    record Shown(List<Section> sections, Map<String, Supplier<Png>> files) {}

    /** The report's sections; samples are written to that folder. */
    Shown show(Path samples, Evaluation evaluation) throws IOException;

    /** One picture that says most, with this caption, to stand beside other runs'. */
    Picture picture(String caption);
}

package dev.kelvin.panel;

import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.PlaneDataset;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageJudgement;
import dev.kelvin.judge.Judgement;
import dev.kelvin.judge.PlaneJudgement;
import dev.kelvin.judge.TableJudgement;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Section;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What a report shows of a judged model: one class a kind of data, found here and nowhere else. */
public interface Panels {
    /** Images in the picture of samples, at most. */
    int PICTURED = 400;

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
     */
    static Png samples(Data data, Tensor x, int components) {
        try (Scope scope = Scope.open()) {
            if (data instanceof ImageDataset images) {
                Tensor shown = x.narrow(0, 0, Math.min(PICTURED, x.size(0)));
                return ImageGrid.of(images.unit(ImagePanels.inRows(shown, components)), PICTURED_COLUMNS);
            }
            if (data instanceof TableDataset table) {
                return PairPlot.of(table.schema(), table.original(x));
            }
            return Drawings.samples(PlanePanels.domain(((PlaneDataset) data).toy()), PlanePanels.points(x));
        }
    }

    /** Sections of a report, and pictures by the names of their files, drawn when they are written. */
    record Shown(List<Section> sections, Map<String, Supplier<Png>> files) {}

    /** The report's sections; samples are written to that folder. */
    Shown show(Path samples, Evaluation evaluation) throws IOException;

    /** One picture that says most, with this caption, to stand beside other runs'. */
    Picture picture(String caption);
}

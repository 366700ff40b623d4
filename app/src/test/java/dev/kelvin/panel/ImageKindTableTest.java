package dev.kelvin.panel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.judge.Evaluation;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImageKindTableTest {
    private static Map<String, Double> figures() {
        return new HashMap<>(Map.of(
                "n",
                50.0,
                "fid",
                3.0,
                "fid_share",
                0.1,
                "kid",
                0.2,
                "kid_spread",
                0.02,
                "n_gaussian",
                50.0,
                "fid_gaussian",
                30.0,
                "kid_gaussian",
                2.0));
    }

    @Test
    void eachKindHasARowWithItsNumberOfImages() {
        Map<String, Double> figures = figures();
        figures.putAll(
                Map.of("n_test", 40.0, "fid_test", 1.5, "fid_test_share", 0.05, "kid_test", 0.0, "is_test", 8.0));
        Map<String, String> notes = Map.of("features", "ResNet-56", "comparable", "none", "reference", "60 images");
        Section section =
                ImageKindTable.of(new Evaluation(figures, notes, List.of())).orElseThrow();
        assertThat(((Paragraphs) section.blocks().get(0)).paragraphs())
                .containsExactly("Each kind is compared with 60 images by ResNet-56.", "Comparable: none.");
        TableBlock table = (TableBlock) section.blocks().get(1);
        assertThat(table.rows())
                .extracting(row -> row.stream().map(Cell::text).toList())
                .containsExactly(
                        List.of("fresh chains", "50", "3", "0.100", "0.200", "–"),
                        List.of("a fitted Gaussian", "50", "30", "1", "2", "–"),
                        List.of("held-out images", "40", "1.5", "0.0500", "0", "8"));
        assertThat(table.rows().get(0).get(4).note()).isEqualTo("± 0.0200");
    }

    /** Older versions did not say how many images the Gaussian had. */
    @Test
    void figuresOfAnotherVersionHaveNoTable() {
        Map<String, Double> figures = figures();
        figures.remove("n_gaussian");
        assertThat(ImageKindTable.of(new Evaluation(figures, Map.of(), List.of())))
                .isEmpty();
    }

    @Test
    void aSetWithoutHeldOutImagesHasATableToo() {
        Section section = ImageKindTable.of(new Evaluation(figures(), Map.of(), List.of()))
                .orElseThrow();
        assertThat(((TableBlock) section.blocks().get(1)).rows()).hasSize(2);
    }

    @Test
    void whatTheTableShowsIsNotSaidTwice() {
        Map<String, Double> figures = figures();
        figures.put("fid_test", 1.0);
        figures.put("fid_buffer", 2.0);
        assertThat(Evaluation.main(figures))
                .containsKeys("n", "fid", "fid_share", "fid_gaussian", "fid_buffer", "kid")
                .doesNotContainKeys("fid_test", "n_gaussian", "kid_gaussian");
    }
}

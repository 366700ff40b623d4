package dev.kelvin.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.report.TableBlock.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasureTest {
    @Test
    void declarationsSayWhatFiguresMean() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("from-the-future", 7.0);
        figures.put("auroc_noise", 0.99);
        figures.put("sample_tv_floor", 0.043);
        figures.put("sample_tv", 0.06);
        figures.put("kl", 0.7);
        List<Measure> measures = Measure.all(figures);
        assertThat(measures)
                .extracting(Measure::name)
                .containsExactly(
                        "KL(data‖model)", "Total variation of samples", "AUROC against noise", "from-the-future");
        assertThat(measures)
                .extracting(Measure::verdict)
                .containsExactly(Verdict.POOR, Verdict.GOOD, Verdict.GOOD, Verdict.NONE);
        assertThat(measures.get(0).words()).isEqualTo("0.700 nats");
        assertThat(measures.get(1).meaning()).endsWith(" Total variation of exact samples: 0.0430.");
        assertThat(Measure.highlights(measures)).isEqualTo(measures.subList(0, 3));
    }

    @Test
    void anErrorOrASpreadStandsBesideItsValue() {
        Measure kid = Measure.of(Figure.named("kid"), Map.of("kid", 2.3456, "kid_spread", 0.123));
        assertThat(kid.words()).isEqualTo("2.35 ± 0.12");
        assertThat(kid.meaning()).endsWith(" ± is the spread of KID.");
        Html html = new Html();
        TableBlock.of("c", List.of(kid)).write(html);
        assertThat(html.toString()).contains("2.35 ± 0.12");
        assertThat(Measure.of(Figure.named("kid"), Map.of("kid", 2.3456)).words())
                .isEqualTo("2.35");
    }

    @Test
    void aCompanionAloneIsAMeasure() {
        assertThat(Measure.all(Map.of("fid_gaussian", 3.0)))
                .extracting(Measure::name)
                .containsExactly("FID of a fitted Gaussian");
        assertThat(Measure.of(GridDensity.KL, Map.of()).value()).isNaN();
    }

    @Test
    void figuresStandInDeclaredOrderWithTheirUnitsAndNames() {
        TableBlock table = TableBlock.ofFigures(
                "all", List.of("a"), List.of("n", "log_likelihood", "kl"), figure -> List.of(Cell.value(0.25, "best")));
        assertThat(table.headers()).containsExactly("Figure", "a");
        assertThat(table.rows())
                .extracting(row -> row.get(0))
                .containsExactly(
                        Cell.words("KL(data‖model), nats", "kl"),
                        Cell.words("Held-out log-likelihood, nats", "log_likelihood"),
                        Cell.words("Number of samples", "n"));
        Html html = new Html();
        table.write(html);
        assertThat(html.toString()).contains("<small>best</small>");
    }
}

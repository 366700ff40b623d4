package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.ImageFigures;
import dev.kelvin.report.Curves;
import dev.kelvin.run.MetricsLog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrainingCurvesTest {
    private static List<String> titles(Map<String, Double> values) {
        return TrainingCurves.of(List.of(new MetricsLog.Line(50, values)), ImageFigures.DEFAULT).stream()
                .map(Curves::title)
                .toList();
    }

    @Test
    void theLossHasAChartOnlyWhereItSaysMoreThanTheGap() {
        assertThat(titles(Map.of("loss", -0.5, "gap", 0.5))).containsExactly("Data against samples");
        assertThat(titles(Map.of("loss", 0.0, "gap", -0.0))).containsExactly("Data against samples");
        assertThat(titles(Map.of("loss", -0.4, "gap", 0.5)))
                .containsExactly("Data against samples", "Loss and its parts");
        assertThat(titles(Map.of("loss", -0.5, "gap", 0.5, "l2", 0.0)))
                .containsExactly("Data against samples", "Loss and its parts");
        assertThat(titles(Map.of("loss", Double.NaN, "gap", 0.5)))
                .containsExactly("Data against samples", "Loss and its parts");
    }

    @Test
    void everyChartSaysWhatItMeasuresAndKlHasALogScale() {
        List<Curves> charts = TrainingCurves.of(
                List.of(new MetricsLog.Line(
                        50, Map.of("kl", 0.1, "f_positive", 1.0, "f_negative", 1.0, "acceptance", 0.5, "loss", 3.0))),
                ImageFigures.DEFAULT);
        assertThat(charts).allSatisfy(chart -> assertThat(chart.up()).isNotEmpty());
        assertThat(charts.get(0).up()).isEqualTo("KL(data‖model), nats");
        assertThat(charts).extracting(Curves::logarithmic).containsExactly(true, false, false, false);
    }
}

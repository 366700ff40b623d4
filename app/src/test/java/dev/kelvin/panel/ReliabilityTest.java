package dev.kelvin.panel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.draw.Drawings;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.metric.Reliability;
import dev.kelvin.report.Pictures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReliabilityTest {
    @Test
    void showsAccuracyAndShareOfEachBin() {
        Reliability reliability = new Reliability(2);
        reliability.add(0.4, true);
        reliability.add(0.9, true);
        reliability.add(0.9, false);
        reliability.add(0.8, false);
        Pictures diagram = Panels.reliability(new Evaluation(Map.of("ece", 0.55), Map.of(), reliability.bins()), false);
        assertThat(diagram.caption()).contains("whose features", "calibration error (ECE)", "0.550.");
        assertThat(diagram.pictures().get(0).png().bytes())
                .isEqualTo(Drawings.bars(new double[] {1, 1 / 3.0}, true, "confidence", "accuracy")
                        .bytes());
        assertThat(diagram.pictures().get(1).png().bytes())
                .isEqualTo(Drawings.bars(new double[] {0.25, 0.75}, false, "confidence", "share of images")
                        .bytes());
    }

    @Test
    void saysWhichWayItErrs() {
        assertThat(leaning(0.3, 0.99))
                .startsWith("It is under-confident: it is right in 99.0 % of the cases, and 30.0 %");
        assertThat(leaning(0.9, 0.4)).startsWith("It is over-confident:");
        assertThat(leaning(0.9, 0.88)).startsWith("It is well calibrated:");
    }

    /** One bin: the error is the distance of both. */
    private static String leaning(double sure, double right) {
        Reliability.Bin bin = new Reliability.Bin(0, 1, 100, sure, right);
        Map<String, Double> figures = Map.of("ece", Math.abs(sure - right));
        return new Evaluation(figures, Map.of(), List.of(bin)).leaning().orElseThrow();
    }
}

package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.draw.Drawings;
import dev.kelvin.metric.Reliability;
import dev.kelvin.report.Pictures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReliabilityDiagramTest {
    @Test
    void showsAccuracyAndShareOfEachBin() {
        Reliability reliability = new Reliability(2);
        reliability.add(0.4, true);
        reliability.add(0.9, true);
        reliability.add(0.9, false);
        reliability.add(0.8, false);
        Pictures diagram =
                ReliabilityDiagram.of(new Evaluation(Map.of("ece", 0.55), Map.of(), reliability.bins()), false);
        assertThat(diagram.caption()).contains("whose features", "calibration error (ECE)", "0.550.");
        assertThat(diagram.pictures().get(0).png().bytes())
                .isEqualTo(Drawings.bars(new double[] {1, 1 / 3.0}, true).bytes());
        assertThat(diagram.pictures().get(1).png().bytes())
                .isEqualTo(Drawings.bars(new double[] {0.25, 0.75}, false).bytes());
    }
}

package dev.kelvin.panel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.math.Box;
import org.junit.jupiter.api.Test;

class PlanePanelsTest {
    @Test
    void aPictureSaysHowManyPointsLeftIt() {
        Box domain = Box.square(0, 0, 1);
        float[][] points = {{0, 0}, {2, 0}, {0, Float.NaN}, {0, Float.NEGATIVE_INFINITY}};
        assertThat(PlanePanels.outside(domain, points)).isEqualTo(", of which 3 lie outside the picture");
        assertThat(PlanePanels.outside(domain, new float[][] {{0, 5}}))
                .isEqualTo(", of which 1 lies outside the picture");
        assertThat(PlanePanels.outside(domain, new float[][] {{0, 0}})).isEmpty();
    }
}

package dev.kelvin.panel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.draw.Domain;
import org.junit.jupiter.api.Test;

class PlanePanelsTest {
    @Test
    void aPictureSaysHowManyPointsLeftIt() {
        Domain domain = Domain.square(1);
        float[][] points = {{0, 0}, {2, 0}, {0, Float.NaN}};
        assertThat(PlanePanels.outside(domain, points)).isEqualTo(", of which 2 lie outside the picture");
        assertThat(PlanePanels.outside(domain, new float[][] {{0, 5}}))
                .isEqualTo(", of which 1 lies outside the picture");
        assertThat(PlanePanels.outside(domain, new float[][] {{0, 0}})).isEmpty();
    }
}

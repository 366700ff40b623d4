package com.example.kelvin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.diagnostic.Summary;
import dev.kelvin.sample.posterior.Posterior;
import org.junit.jupiter.api.Test;

/** The numbered program on sampling a density. */
class SampleDensityIT {
    /** The mean is Student's t with 8 degrees of freedom around 1.2, of scale √(0.5/8), so of sd √(0.5/6). */
    @Test
    void findsMeanAndSpread() {
        Posterior posterior = E2SampleDensity.sample(0);
        Summary.Row mean = posterior.summary().row("mean");
        assertThat(mean.mean()).isCloseTo(1.2, within(4 * mean.mcse()));
        assertThat(mean.sd()).isCloseTo(Math.sqrt(0.5 / 6), within(4 * mean.mcseSd()));
        assertThat(posterior.warnings()).isEmpty();
    }
}

package dev.kelvin.energy.analytic;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import java.util.stream.DoubleStream;

/** Gaussians of equal weight at equal distances on a circle in the plane. */
@Named("mixture")
@Doc("a mixture of Gaussians on a circle in the plane")
public record ModesOnCircle(
        @Doc("number of Gaussians") @Default("8") int modes,
        @Doc("radius of the circle") @Default("4") double radius,

        @Doc("standard deviation of each Gaussian") @Default("0.5")
        double std)
        implements TargetFamily {
    public ModesOnCircle {
        Check.all(
                () -> Check.atLeast("modes", modes, 1),
                () -> Check.notNegative("radius", radius),
                () -> Check.positive("std", std));
    }

    @Override
    public String difficulty() {
        return modes + " modes on a circle that no small step connects";
    }

    @Override
    public GaussianMixture target() {
        double[][] centres = new double[modes][];
        for (int k = 0; k < modes; k++) {
            double angle = 2 * Math.PI * k / modes;
            centres[k] = new double[] {radius * Math.cos(angle), radius * Math.sin(angle)};
        }
        return GaussianMixture.isotropic(
                std, centres, DoubleStream.generate(() -> 1).limit(modes).toArray());
    }
}

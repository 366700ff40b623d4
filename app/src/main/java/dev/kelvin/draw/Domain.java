package dev.kelvin.draw;

import dev.kelvin.part.Check;

/** The part of the plane that a picture shows. */
public record Domain(double xMin, double xMax, double yMin, double yMax) {
    public Domain {
        Check.finite("xMin", xMin);
        Check.finite("yMin", yMin);
        Check.positive("xMax - xMin", xMax - xMin);
        Check.positive("yMax - yMin", yMax - yMin);
    }

    /** The square from -reach to reach in both directions. */
    public static Domain square(double reach) {
        return new Domain(-reach, reach, -reach, reach);
    }

    /** How many of the points a picture of this domain cannot show; a point that is not finite is one of them. */
    public long outside(float[][] points) {
        long outside = 0;
        for (float[] point : points) {
            if (!(point[0] >= xMin && point[0] <= xMax && point[1] >= yMin && point[1] <= yMax)) {
                outside++;
            }
        }
        return outside;
    }

    double width() {
        return xMax - xMin;
    }

    double height() {
        return yMax - yMin;
    }
}

package dev.kelvin.report;

import dev.kelvin.draw.Png;
import java.util.Optional;

/** Curves whose picture is a file of its own as well, and is drawn once for both. */
public record DrawnCurves(Curves curves, Optional<Png> picture) implements Block {
    /** Drawn now. */
    public static DrawnCurves of(Curves curves) {
        return new DrawnCurves(curves, CurveChart.drawn(curves));
    }

    @Override
    public void write(Html html) {
        curves.write(html, picture);
    }
}

package dev.kelvin.report;

import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Png;
import java.util.List;

/** Curves whose picture is a file of its own as well, and is drawn once for both. */
public record DrawnCurves(Curves curves, Png picture) implements Block {
    /** Drawn now. */
    public static DrawnCurves of(Curves curves) {
        return new DrawnCurves(curves, CurveChart.drawn(curves));
    }

    /** The picture under its title, on white. */
    public Png file() {
        return Drawings.sheet(1, List.of(curves.title()), List.of(picture));
    }

    @Override
    public void write(Html html) {
        curves.write(html, picture);
    }
}

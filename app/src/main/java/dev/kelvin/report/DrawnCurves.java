package dev.kelvin.report;

import java.util.Optional;

/** Curves whose picture is a file of its own as well, and is drawn once for both. */
record DrawnCurves(Curves curves, Optional<Png> picture) implements Block {
    static DrawnCurves of(Curves curves) {
        return new DrawnCurves(curves, Figures.curves(curves));
    }

    @Override
    public void write(Html html) {
        curves.write(html, picture);
    }
}

package dev.kelvin.draw;

import dev.kelvin.Check;
import java.awt.Color;
import java.util.List;
import java.util.Locale;

/**
 * A square matrix of numbers between −reach and reach as a heat map with names: purple below 0, green above, and the page's
 * colour at 0.
 */
public final class Diverging {
    private static final Color BELOW = new Color(0x8A4FB5);
    private static final Color ABOVE = new Color(0x23875A);
    private static final int NAMES = 230;
    private static final int LEGEND = 76;
    private static final int MARGIN = 8;

    /** Up to so many columns the picture is half a page wide, and cells have their numbers where they are large enough. */
    public static final int FEW = 8;

    private static final int CELL = 64;
    private static final int SMALLEST = 22; // a name's height

    private Diverging() {}

    /** Rows from top to bottom, columns from left to right; NaN is left empty. */
    public static Png of(List<String> names, double[][] matrix, double reach) {
        Check.positive("reach", reach);
        int d = names.size();
        int cell = d <= FEW ? CELL : Math.max(SMALLEST, Math.min(CELL, (Canvas.PAGE - NAMES - MARGIN) / d));
        int side = d * cell;
        try (Canvas canvas = new Canvas(NAMES + Math.max(side, 6 * CELL) + MARGIN, NAMES + side + LEGEND)) {
            for (int i = 0; i < d; i++) {
                String name = Lettering.shortened(canvas.pen(), names.get(i), NAMES - 14);
                Lettering.endingAt(canvas.pen(), name, NAMES - 8, NAMES + i * cell + cell / 2 + 7);
                Lettering.upwardsFrom(canvas.pen(), name, NAMES + i * cell + cell / 2 + 7, NAMES - 8);
                for (int j = 0; j < d; j++) {
                    double value = matrix[i][j];
                    if (!Double.isNaN(value)) {
                        canvas.pen().setColor(colour(value / reach));
                        canvas.pen().fillRect(NAMES + j * cell, NAMES + i * cell, cell - 1, cell - 1);
                    }
                    canvas.pen().setColor(Canvas.INK);
                    if (cell == CELL && !Double.isNaN(value)) {
                        canvas.pen().setColor(Math.abs(value / reach) > 0.6 ? Color.WHITE : Canvas.INK);
                        Lettering.centred(
                                canvas.pen(),
                                digits(value),
                                NAMES + j * cell + cell / 2,
                                NAMES + i * cell + cell / 2 + 7);
                        canvas.pen().setColor(Canvas.INK);
                    }
                }
            }
            canvas.frame(NAMES - 1, NAMES - 1, side, side);
            legend(canvas, NAMES + side + 20, reach);
            return canvas.png();
        }
    }

    private static void legend(Canvas canvas, int top, double reach) {
        int width = 6 * CELL - 2 * MARGIN;
        for (int x = 0; x < width; x++) {
            canvas.pen().setColor(colour(2.0 * x / (width - 1) - 1));
            canvas.pen().fillRect(NAMES + x, top, 1, 14);
        }
        canvas.frame(NAMES, top, width, 14);
        Lettering.startingAt(canvas.pen(), digits(-reach), NAMES, top + 38);
        Lettering.centred(canvas.pen(), "0", NAMES + width / 2, top + 38);
        Lettering.endingAt(canvas.pen(), digits(reach), NAMES + width, top + 38);
    }

    private static String digits(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.equals("-0.00") ? "0.00" : text.replace('-', '−');
    }

    private static Color colour(double place) {
        Color full = place < 0 ? BELOW : ABOVE;
        int alpha = (int) Math.round(255 * Math.min(1, Math.abs(place)));
        return new Color(full.getRed(), full.getGreen(), full.getBlue(), alpha);
    }
}

package dev.kelvin.draw;

import java.awt.Color;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Locale;

/** A square matrix of numbers up to ±reach as a heat map with names: purple below 0, white at 0, green above. */
public final class Diverging {
    private static final int BELOW = 0x8A4FB5;
    private static final int ABOVE = 0x23875A;
    private static final int ZERO = 0xF7F7F7;
    private static final Color DIGITS = new Color(0x333333);
    private static final int MOST_NAMES = 230;
    private static final int LEGEND = 76;
    private static final int MARGIN = 8;

    /** Up to this number of columns the picture is half a page wide, and cells show their numbers. */
    public static final int FEW = 8;

    private static final int CELL = 64;
    private static final int LEGEND_WIDTH = 6 * CELL;
    private static final double SHADES = 1 / 64.0; // fewer colours: smaller files
    private static final int SMALLEST = 22; // a name's height

    private Diverging() {}

    /** Rows from top to bottom, columns from left to right; NaN is left empty. */
    public static Png of(List<String> names, double[][] matrix, double reach) {
        int d = names.size();
        int cell = d <= FEW ? CELL : Math.max(SMALLEST, Math.min(CELL, (Canvas.PAGE - MOST_NAMES - MARGIN) / d));
        int side = d * cell;
        int left = Math.min(MOST_NAMES, Lettering.width(names) + 15);
        Canvas canvas = new Canvas(left + Math.max(side, LEGEND_WIDTH) + MARGIN, left + side + LEGEND);
        List<String> shown = Lettering.shortened(names, left - 14);
        for (int i = 0; i < d; i++) {
            Lettering.endingAt(canvas.pen(), shown.get(i), left - 8, left + i * cell + cell / 2 + 7);
            Lettering.upwardsFrom(canvas.pen(), shown.get(i), left + i * cell + cell / 2 + 7, left - 8);
            for (int j = 0; j < d; j++) {
                cell(canvas, matrix[i][j], reach, left + j * cell, left + i * cell, cell);
            }
        }
        canvas.frame(new Rectangle(left - 1, left - 1, side, side));
        legend(canvas, left, left + side + 20, LEGEND_WIDTH - 2 * MARGIN, reach);
        return canvas.png();
    }

    private static void cell(Canvas canvas, double value, double reach, int x, int y, int side) {
        if (Double.isNaN(value)) {
            return;
        }
        canvas.pen().setColor(colour(value / reach));
        canvas.pen().fillRect(x, y, side - 1, side - 1);
        if (side == CELL) {
            canvas.pen().setColor(Math.abs(value / reach) > 0.6 ? Color.WHITE : DIGITS);
            Lettering.centred(canvas.pen(), digits(value), x + side / 2, y + side / 2 + 7);
        }
        canvas.pen().setColor(Canvas.INK);
    }

    /** The colours with the numbers that they stand for. */
    static void legend(Canvas canvas, int left, int top, int width, double reach) {
        for (int x = 0; x < width; x++) {
            canvas.pen().setColor(colour(2.0 * x / (width - 1) - 1));
            canvas.pen().fillRect(left + x, top, 1, 14);
        }
        canvas.frame(new Rectangle(left, top, width, 14));
        Lettering.startingAt(canvas.pen(), digits(-reach), left, top + 38);
        Lettering.centred(canvas.pen(), "0", left + width / 2, top + 38);
        Lettering.endingAt(canvas.pen(), digits(reach), left + width, top + 38);
    }

    /** A map of numbers on a grid, row 0 at the bottom; NaN is left empty. */
    static BufferedImage map(double[][] numbers, double reach, int width, int height) {
        return Raster.image(width, height, (u, v) -> {
            double[] row = numbers[(int) ((height - v - 0.5) / height * numbers.length)];
            double value = row[(int) ((u + 0.5) / width * row.length)];
            return Double.isNaN(value) ? 0 : rgb(SHADES * Math.rint(value / reach / SHADES));
        });
    }

    private static String digits(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.equals("-0.00") ? "0.00" : text.replace('-', '−');
    }

    private static Color colour(double place) {
        return new Color(rgb(place));
    }

    private static int rgb(double place) {
        return Raster.Palette.mix(ZERO, place < 0 ? BELOW : ABOVE, Math.min(1, Math.abs(place)));
    }
}

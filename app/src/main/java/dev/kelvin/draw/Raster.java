package dev.kelvin.draw;

import dev.kelvin.math.Box;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;

/** Fills the pixels of a domain: from a density on a grid, from points, or from the heights of bars. */
final class Raster {
    /** A point is drawn as a soft dot of this many pixels around its centre. */
    private static final int DOT_REACH = 4;

    /** The middle of the scale: seen on a light page and on a dark one. */
    private static final double BAR_SHADE = 0.5;

    /** Left empty on each side of a bar, as a share of its width. */
    private static final double BAR_GAP = 0.04;

    private static final int LINE = 2;

    private Raster() {}

    /**
     * A heat map, interpolated between the centres of the grid's cells.
     *
     * @param density {@code density[row][column]}, row 0 at the lowest y, column 0 at the lowest x
     */
    static BufferedImage density(double[][] density, Scale scale, int width, int height) {
        int rows = density.length;
        int columns = density[0].length;
        double[][] positions = Arrays.stream(density)
                .map(row -> Arrays.stream(row).map(scale::position).toArray())
                .toArray(double[][]::new);
        return image(width, height, (u, v) -> {
            double row = between((height - v - 0.5) / height * rows - 0.5, rows);
            double column = between((u + 0.5) / width * columns - 0.5, columns);
            return Palette.colour(interpolate(positions, row, column));
        });
    }

    /** Points as soft dots that grow brighter where they meet; those outside the domain are not drawn. */
    static BufferedImage points(float[][] points, Box domain, int width, int height) {
        // Dots shrink and dim as points grow in number, so that twenty points are seen and 20 000 don't drown the page.
        double crowding = Math.min(1, Math.max(0, Math.log10(Math.max(points.length, 1) / 100.0) / 2));
        double radius = (1.6 - 0.6 * crowding) * width / 600.0 + 0.25;
        double brightness = 1.6 - 1.2 * crowding;
        float[] light = new float[width * height];
        for (float[] point : points) {
            double u = (point[0] - domain.xMin()) / domain.width() * width - 0.5;
            double v = (domain.yMax() - point[1]) / domain.height() * height - 0.5;
            if (u > -1 && u < width && v > -1 && v < height) {
                addDot(light, width, u, v, radius);
            }
        }
        return image(width, height, (u, v) -> Palette.colour(1 - Math.exp(-brightness * light[v * width + u])));
    }

    static void addDot(float[] light, int width, double u, double v, double radius) {
        int height = light.length / width;
        int left = (int) Math.floor(u);
        int top = (int) Math.floor(v);
        int right = Math.min(width, left + DOT_REACH + 2);
        int bottom = Math.min(height, top + DOT_REACH + 2);
        left = Math.max(0, left - DOT_REACH);
        double[] across = new double[right - left];
        for (int x = left; x < right; x++) {
            across[x - left] = Math.exp(-(x - u) * (x - u) / (2 * radius * radius));
        }
        for (int y = Math.max(0, top - DOT_REACH); y < bottom; y++) {
            double down = Math.exp(-(y - v) * (y - v) / (2 * radius * radius));
            for (int x = left; x < right; x++) {
                light[y * width + x] += (float) (down * across[x - left]);
            }
        }
    }

    /** Bars of heights in [0, 1] on a transparent square, its lower edge and, if wanted, its diagonal. */
    static BufferedImage bars(double[] heights, boolean diagonal, int side) {
        return image(side, side, (x, v) -> {
            int y = side - 1 - v;
            double place = (x + 0.5) / side * heights.length;
            boolean gap = Math.abs(place - Math.rint(place)) < BAR_GAP;
            boolean bar = !gap && y >= LINE && (y + 0.5) / side < heights[(int) place];
            boolean line = diagonal && Math.abs(x - y) < LINE;
            int ground = line || y < LINE ? Canvas.INK.getRGB() : 0;
            return bar ? Palette.colour(line ? 0 : BAR_SHADE) : ground;
        });
    }

    /** All colours of the scale from left to right. */
    static BufferedImage ramp(int width, int height) {
        return image(width, height, (u, v) -> Palette.colour((double) u / (width - 1)));
    }

    private static double interpolate(double[][] values, double row, double column) {
        int r = Math.min((int) row, values.length - 1);
        int c = Math.min((int) column, values[0].length - 1);
        int up = Math.min(r + 1, values.length - 1);
        int right = Math.min(c + 1, values[0].length - 1);
        double low = values[r][c] + (column - c) * (values[r][right] - values[r][c]);
        double high = values[up][c] + (column - c) * (values[up][right] - values[up][c]);
        return low + (row - r) * (high - low);
    }

    private static double between(double place, int count) {
        return Math.min(count - 1, Math.max(0, place));
    }

    /** An image of the colours at places to the right and down. */
    static BufferedImage image(int width, int height, IntBinaryOperator colour) {
        int[] pixels = new int[width * height];
        Arrays.setAll(pixels, i -> colour.applyAsInt(i % width, i / width));
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        image.setRGB(0, 0, width, height, pixels, 0, width);
        return image;
    }

    /** Viridis: even steps of brightness, also to colour-blind eyes and in print; grey is for "not a number". */
    static final class Palette {
        /** Viridis at 0, 1/8, ... 1 (matplotlib, CC0), between which we interpolate. */
        private static final int[] ANCHORS = {
            0x440154, 0x472C7A, 0x3B518B, 0x2C718E, 0x21908D, 0x27AD81, 0x5CC863, 0xAADC32, 0xFDE725
        };

        private static final int OPAQUE = 0xFF000000;
        private static final int NOT_A_NUMBER = OPAQUE | 0xA0A0A0;

        /** As many as leave room for grey and for axes among the 256 colours of a small file. */
        private static final int[] SHADES = shades(239);

        private Palette() {}

        /** The colour for a position from 0 to 1, or for NaN. */
        static int colour(double position) {
            return Double.isNaN(position) ? NOT_A_NUMBER : SHADES[(int) Math.round(position * (SHADES.length - 1))];
        }

        private static int[] shades(int count) {
            int[] shades = new int[count];
            for (int i = 0; i < count; i++) {
                double place = (double) i / (count - 1) * (ANCHORS.length - 1);
                int below = Math.min((int) place, ANCHORS.length - 2);
                shades[i] = mix(ANCHORS[below], ANCHORS[below + 1], place - below);
            }
            return shades;
        }

        static int mix(int from, int to, double share) {
            int mixed = OPAQUE;
            for (int shift = 16; shift >= 0; shift -= 8) {
                int a = from >> shift & 0xFF;
                int b = to >> shift & 0xFF;
                mixed |= (int) Math.round(a + share * (b - a)) << shift;
            }
            return mixed;
        }
    }
}

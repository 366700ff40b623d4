package dev.kelvin.draw;

import java.awt.AlphaComposite;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Polygon;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/** A transparent picture that is drawn on with the ink of axes and the colours of what is compared. */
final class Canvas {
    /** Pictures of this width fill a report's page; letters are then as large as its small print. */
    static final int PAGE = 1440;

    static final Color INK = new Color(0x7A7A7A);

    /** For frames and grids: seen, but behind everything. */
    private static final Color FRAME = new Color(0x7A, 0x7A, 0x7A, 110);

    /** Blue for data, orange for samples, and others, as {@code --series-1} and on in {@code report.css}. */
    private static final List<Color> COLOURS = List.of(
            new Color(0x3D7DAA),
            new Color(0xD07A22),
            new Color(0x2F9A6B),
            new Color(0x9A70C0),
            new Color(0xC8574A),
            new Color(0x7F8791));

    static final int TICK = 6;
    static final int LINE_HEIGHT = 26; // of a legend
    private static final int GAP = 14; // between labels of an axis
    private static final int APART = 100; // of labels beside a panel
    private static final int APART_BELOW = 160;

    /** How far labels under a panel may reach towards the next one. */
    static final int OVERHANG = GAP / 2;

    private static final int SWATCH = 26; // of a legend
    private static final int ROUNDING = 24;
    private static final int[] PARTS = {4, 6, 8, 10}; // numbers of ticks to try

    private final BufferedImage image;
    private final Graphics2D g;

    Canvas(int width, int height) {
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        g = pen(image);
        g.setColor(INK);
    }

    static Color colour(int kind) {
        return COLOURS.get(kind % COLOURS.size());
    }

    Graphics2D pen() {
        return g;
    }

    /** What is drawn, in few enough shades of the ink that the file is small. */
    Png png() {
        return Png.of(Raster.image(image.getWidth(), image.getHeight(), (x, y) -> {
            int colour = image.getRGB(x, y);
            int alpha = shade((colour >>> 24) / 255.0);
            int hue = isInk(colour) ? INK.getRGB() : colour;
            return alpha == 0 ? 0 : (alpha << 24) | (hue & 0xFFFFFF);
        }));
    }

    /** Whether a colour is the ink's but for rounding, as where the edge of a letter covers a part of a pixel. */
    private static boolean isInk(int colour) {
        int grey = INK.getRed();
        return Math.abs((colour >> 16 & 0xFF) - grey)
                        + Math.abs((colour >> 8 & 0xFF) - grey)
                        + Math.abs((colour & 0xFF) - grey)
                < ROUNDING;
    }

    /** One of 16 strengths from 0 to 255. */
    private static int shade(double strength) {
        return (int) Math.round(15 * strength) * 17;
    }

    static Graphics2D pen(BufferedImage image) {
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setStroke(new BasicStroke(1.5f));
        return g;
    }

    void frame(Rectangle panel) {
        g.setColor(FRAME);
        g.setStroke(new BasicStroke(1f));
        g.draw(panel);
        g.setColor(INK);
    }

    /**
     * Names beside their colours at the top, in as many rows as they need; one that is too long is shortened.
     *
     * @return the height of all rows
     */
    int legend(List<String> names, int left, int width) {
        return legend(names, left, width, place -> place);
    }

    /** As {@link #legend(List, int, int)}, with the number of each name's colour. */
    int legend(List<String> names, int left, int width, IntUnaryOperator colours) {
        int at = left;
        int baseline = 20;
        for (int i = 0; i < names.size(); i++) {
            String name = Lettering.shortened(names.get(i), width - SWATCH - 8);
            int room = SWATCH + 8 + Lettering.width(name);
            if (at > left && at + room > left + width) {
                at = left;
                baseline += LINE_HEIGHT;
            }
            g.setColor(colour(colours.applyAsInt(i)));
            g.fillRect(at, baseline - 11, SWATCH, 8);
            g.setColor(INK);
            Lettering.startingAt(g, name, at + SWATCH + 8, baseline);
            at += room + SWATCH;
        }
        return names.isEmpty() ? 0 : baseline + LINE_HEIGHT - 20;
    }

    /**
     * Ticks under a panel, with as few labels as are enough for its width; none touches another.
     *
     * @param overhang how far a label may reach beyond the panel
     */
    void below(Ranged extent, Rectangle panel, int overhang) {
        double[] ticks = ticks(extent, panel.width / APART_BELOW, some -> labelled(extent, panel, some, overhang));
        List<Double> labelled = labelled(extent, panel, ticks, overhang);
        int y = panel.y + panel.height;
        for (double tick : ticks) {
            int x = x(extent, tick, panel);
            g.drawLine(x, y, x, y + TICK);
            if (labelled.contains(tick)) {
                Lettering.centred(g, extent.words(tick), x, y + TICK + 20);
            }
        }
    }

    /** As few ticks as have two labels, or as many labels as are enough. */
    private static double[] ticks(Ranged extent, int enough, Function<double[], List<Double>> labelled) {
        double[] ticks = {};
        for (int parts : PARTS) {
            if (labelled.apply(ticks).size() < Math.max(2, enough)) {
                ticks = extent.ticks(parts);
            }
        }
        return ticks;
    }

    private List<Double> labelled(Ranged extent, Rectangle panel, double[] ticks, int overhang) {
        List<Double> labelled = new ArrayList<>();
        int end = panel.x - overhang - GAP - 1;
        for (double tick : ticks) {
            int x = x(extent, tick, panel);
            int half = Lettering.width(extent.words(tick)) / 2;
            if (x - half > end + GAP && x + half <= panel.x + panel.width + overhang) {
                labelled.add(tick);
                end = x + half;
            }
        }
        return labelled;
    }

    private static int x(Ranged extent, double value, Rectangle panel) {
        return panel.x + (int) Math.round(extent.place(value) * panel.width);
    }

    private static int y(Ranged extent, double value, Rectangle panel) {
        return panel.y + (int) Math.round((1 - extent.place(value)) * panel.height);
    }

    /**
     * Ticks left of a panel, with two labels or more.
     *
     * @param overhang how far the middle of a label may be beyond the panel's ends
     */
    void beside(Ranged extent, Rectangle panel, int overhang) {
        for (double tick : ticksBeside(extent, panel.height, overhang)) {
            int y = y(extent, tick, panel);
            g.drawLine(panel.x - TICK, y, panel.x, y);
            if (inside(extent, tick, panel.height, overhang)) {
                Lettering.endingAt(g, extent.words(tick), panel.x - TICK - 4, y + 7);
            }
        }
    }

    /** How much room the ticks left of a panel take, labels and all. */
    static int widthBeside(Ranged extent, int height, int overhang) {
        List<String> labels = Arrays.stream(ticksBeside(extent, height, overhang))
                .mapToObj(extent::words)
                .toList();
        return Lettering.width(labels) + TICK + 4;
    }

    private static double[] ticksBeside(Ranged extent, int height, int overhang) {
        return ticks(
                extent,
                height / APART,
                some -> Arrays.stream(some)
                        .filter(tick -> inside(extent, tick, height, overhang))
                        .boxed()
                        .toList());
    }

    /** A grid's lines at the ticks left of a panel. */
    void lines(Ranged extent, Rectangle panel, int overhang) {
        g.setColor(FRAME);
        g.setStroke(new BasicStroke(0.7f));
        for (double tick : ticksBeside(extent, panel.height, overhang)) {
            int y = y(extent, tick, panel);
            g.drawLine(panel.x, y, panel.x + panel.width, y);
        }
        g.setColor(INK);
        g.setStroke(new BasicStroke(1.5f));
    }

    private static boolean inside(Ranged extent, double tick, int height, int overhang) {
        double place = extent.place(tick) * height;
        return place >= -overhang && place <= height + overhang;
    }

    /** Histograms of a variable over each other: the first cloud's filled, the others' as outlines. */
    void histograms(Extent extent, List<SmallMultiples.Cloud> clouds, int variable, Rectangle panel) {
        List<double[]> shares = clouds.stream()
                .map(cloud -> extent.shares(cloud.columns()[variable]))
                .toList();
        double peak = shares.stream().flatMapToDouble(Arrays::stream).max().orElse(0);
        for (int kind = 0; kind < shares.size() && peak > 0; kind++) {
            double[] share = shares.get(kind);
            Polygon outline = new Polygon();
            outline.addPoint(panel.x, panel.y + panel.height);
            for (int i = 0; i < share.length; i++) {
                int y = panel.y + panel.height - (int) Math.round(share[i] / peak * (panel.height - 4));
                outline.addPoint(panel.x + (int) Math.round((double) i * panel.width / share.length), y);
                outline.addPoint(panel.x + (int) Math.round((i + 1.0) * panel.width / share.length), y);
            }
            outline.addPoint(panel.x + panel.width, panel.y + panel.height);
            g.setColor(colour(kind));
            if (kind == 0) {
                g.setComposite(AlphaComposite.getInstance(AlphaComposite.SRC_OVER, 0.55f));
                g.fill(outline);
                g.setComposite(AlphaComposite.SrcOver);
            } else {
                g.setStroke(new BasicStroke(2.5f));
                g.drawPolyline(outline.xpoints, outline.ypoints, outline.npoints);
            }
        }
        g.setStroke(new BasicStroke(1.5f));
        g.setColor(INK);
    }

    /** Points as soft dots that grow stronger where they meet; those beyond a range lie on its edge. */
    void dots(Extent across, Extent up, double[] x, double[] y, int kind, Rectangle panel) {
        int width = panel.width - 1; // inside its frame
        int height = panel.height - 1;
        float[] light = new float[width * height];
        double radius = x.length > 500 ? 1.1 : x.length > 100 ? 1.6 : 2.2;
        for (int i = 0; i < x.length; i++) {
            double u = across.place(x[i]) * (width - 1);
            double v = (1 - up.place(y[i])) * (height - 1);
            if (!Double.isNaN(u) && !Double.isNaN(v)) {
                Raster.addDot(light, width, u, v, radius);
            }
        }
        int rgb = colour(kind).getRGB() & 0xFFFFFF;
        for (int i = 0; i < light.length; i++) {
            int alpha = shade(1 - Math.exp(-1.2 * light[i]));
            if (alpha > 0) {
                image.setRGB(panel.x + 1 + i % width, panel.y + 1 + i / width, alpha << 24 | rgb);
            }
        }
    }

    /** What an axis shows: where a value lies on it, and which round numbers it is marked with. */
    interface Ranged {
        /** Where a value lies, 0 at the low end and 1 at the high one. */
        double place(double value);

        /** Round numbers in the range: about as many as parts. */
        double[] ticks(int parts);

        /** What stands at one of them. */
        default String words(double tick) {
            return Numbers.onAxis(tick);
        }
    }
}

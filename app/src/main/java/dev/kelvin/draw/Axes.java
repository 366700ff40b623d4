package dev.kelvin.draw;

import dev.kelvin.math.Box;
import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.Optional;

/** Puts axes, and a legend of the colours where there is a scale, around a raster. The background is transparent. */
final class Axes {
    static final int LEFT = 64;
    static final int RIGHT = 16;
    static final int TOP = 12;
    static final int AXIS_HEIGHT = 38;
    static final int LEGEND_HEIGHT = 50;
    private static final int NAME = 30; // an axis's
    private static final int BAR_HEIGHT = 12;
    private static final int TICK = 6;

    private Axes() {}

    /** The raster, which is indexed by {@link Palette}, with its surroundings, indexed too: small files. */
    static BufferedImage around(BufferedImage raster, Box domain, Optional<Scale> scale) {
        return around(raster, domain, scale, "", "");
    }

    /** A raster with its surroundings and the names of its axes; an empty name is left out. */
    static BufferedImage around(BufferedImage raster, Box domain, Optional<Scale> scale, String across, String up) {
        int width = raster.getWidth();
        int height = raster.getHeight();
        int left = LEFT + (up.isEmpty() ? 0 : NAME);
        int below = AXIS_HEIGHT + (across.isEmpty() ? 0 : NAME);
        int total = TOP + height + below + (scale.isPresent() ? LEGEND_HEIGHT : 0);
        BufferedImage image = Raster.blank(left + width + RIGHT, total);
        BufferedImage drawing = new BufferedImage(image.getWidth(), total, BufferedImage.TYPE_INT_ARGB);
        Graphics2D g = pen(drawing);
        label(g, domain, left, width, height);
        Lettering.upwards(g, up, 20, TOP + height / 2);
        Lettering.centred(g, across, left + width / 2, TOP + height + below - 10);
        scale.ifPresent(s -> label(g, s, left, TOP + height + below + LEGEND_HEIGHT - 14, width));
        g.dispose();
        int[] inks = drawing.getRGB(0, 0, image.getWidth(), total, null, 0, image.getWidth());
        byte[] pixels = Raster.pixels(image);
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = Palette.ink(inks[i] >>> 24);
        }
        image.getRaster().setDataElements(left, TOP, raster.getRaster());
        if (scale.isPresent()) {
            BufferedImage bar = Raster.ramp(width, BAR_HEIGHT);
            image.getRaster().setDataElements(left, TOP + height + below, bar.getRaster());
        }
        return image;
    }

    /** Ticks and their numbers around a picture of the domain whose upper corner is at (left, {@value #TOP}). */
    static void label(Graphics2D g, Box domain, int left, int width, int height) {
        for (double x : ticks(domain.xMin(), domain.xMax())) {
            int u = left + (int) Math.round((x - domain.xMin()) / domain.width() * width);
            g.drawLine(u, TOP + height, u, TOP + height + TICK);
            Lettering.centred(g, Numbers.onAxis(x), u, TOP + height + AXIS_HEIGHT - 10);
        }
        for (double y : ticks(domain.yMin(), domain.yMax())) {
            int v = TOP + (int) Math.round((domain.yMax() - y) / domain.height() * height);
            g.drawLine(left - TICK, v, left, v);
            Lettering.endingAt(g, Numbers.onAxis(y), left - TICK - 4, v + 7);
        }
    }

    private static void label(Graphics2D g, Scale scale, int left, int baseline, int width) {
        Lettering.startingAt(g, (scale.logarithmic() ? "≤ " : "") + Numbers.forPeople(scale.low()), left, baseline);
        Lettering.centred(g, scale.label(), left + width / 2, baseline);
        Lettering.endingAt(g, "≥ " + Numbers.forPeople(scale.high()), left + width, baseline);
    }

    /** Three to seven round numbers in [low, high]. */
    static double[] ticks(double low, double high) {
        return ticks(low, high, 6);
    }

    /** About as many round numbers in [low, high] as parts. */
    static double[] ticks(double low, double high, int parts) {
        double rough = high / parts - low / parts; // which does not overflow
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
        long first = (long) Math.ceil(low / step - 1e-9);
        long last = (long) Math.floor(high / step + 1e-9);
        double[] ticks = new double[(int) (last - first + 1)];
        for (int i = 0; i < ticks.length; i++) {
            ticks[i] = (first + i) * step;
        }
        return ticks;
    }

    static Graphics2D pen(BufferedImage image) {
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setStroke(new BasicStroke(1.5f));
        return g;
    }
}

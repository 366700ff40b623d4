package dev.kelvin.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.Optional;

/** Puts axes, and a legend of the colours where there is a scale, around a raster. The background is transparent. */
final class Axes {
    /** A grey with the same contrast, 4.2, on the report's light and dark page. */
    private static final Color INK = new Color(0x7A7A7A);

    /** For pictures that are shown at about half their size. */
    static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 20);

    private static final int LEFT = 52;
    private static final int RIGHT = 16;
    private static final int TOP = 12;
    private static final int AXIS_HEIGHT = 38;
    private static final int LEGEND_HEIGHT = 50;
    private static final int BAR_HEIGHT = 12;
    private static final int TICK = 6;

    private Axes() {}

    static BufferedImage around(BufferedImage raster, Domain domain, Optional<Scale> scale) {
        int width = raster.getWidth();
        int height = raster.getHeight();
        int total = TOP + height + AXIS_HEIGHT + (scale.isPresent() ? LEGEND_HEIGHT : 0);
        BufferedImage image = new BufferedImage(LEFT + width + RIGHT, total, BufferedImage.TYPE_INT_ARGB);
        Graphics2D g = pen(image);
        g.drawImage(raster, LEFT, TOP, null);
        g.setColor(INK);
        g.setFont(FONT);
        for (double x : ticks(domain.xMin(), domain.xMax())) {
            int u = LEFT + (int) Math.round((x - domain.xMin()) / domain.width() * width);
            g.drawLine(u, TOP + height, u, TOP + height + TICK);
            centred(g, Numbers.forPeople(x), u, TOP + height + AXIS_HEIGHT - 10);
        }
        for (double y : ticks(domain.yMin(), domain.yMax())) {
            int v = TOP + (int) Math.round((domain.yMax() - y) / domain.height() * height);
            String label = Numbers.forPeople(y);
            g.drawLine(LEFT - TICK, v, LEFT, v);
            g.drawString(label, LEFT - TICK - 4 - g.getFontMetrics().stringWidth(label), v + 7);
        }
        scale.ifPresent(s -> legend(g, s, LEFT, TOP + height + AXIS_HEIGHT, width));
        g.dispose();
        return image;
    }

    private static void legend(Graphics2D g, Scale scale, int left, int top, int width) {
        for (int u = 0; u < width; u++) {
            g.setColor(Palette.colour((double) u / (width - 1)));
            g.fillRect(left + u, top, 1, BAR_HEIGHT);
        }
        g.setColor(INK);
        int baseline = top + BAR_HEIGHT + 24;
        String low = (scale.logarithmic() ? "≤ " : "") + Numbers.forPeople(scale.low());
        String high = "≥ " + Numbers.forPeople(scale.high());
        g.drawString(low, left, baseline);
        centred(g, scale.label(), left + width / 2, baseline);
        g.drawString(high, left + width - g.getFontMetrics().stringWidth(high), baseline);
    }

    /** Three to seven round numbers in [low, high]. */
    static double[] ticks(double low, double high) {
        double rough = (high - low) / 6;
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

    static void centred(Graphics2D g, String text, int middle, int baseline) {
        g.drawString(text, middle - g.getFontMetrics().stringWidth(text) / 2, baseline);
    }

    static Graphics2D pen(BufferedImage image) {
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        g.setStroke(new BasicStroke(1.5f));
        return g;
    }
}

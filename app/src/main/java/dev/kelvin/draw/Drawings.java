package dev.kelvin.draw;

import dev.kelvin.math.Box;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.util.List;

/** Makes pictures of arrays: densities, samples, frames of a chain, bars, curves, and sheets of several pictures. */
public final class Drawings {
    /** Twice the width at which a report shows a picture in a row of two, for sharp screens. */
    private static final int WIDTH = 640;

    private static final int FRAME_WIDTH = 320;

    private static final int LEFT = 64;
    private static final int RIGHT = 16;
    private static final int TOP = 12;
    private static final int TICKS = 38;
    private static final int NAME = 30; // of an axis
    private static final int BAR = 12; // of colours
    private static final int LEGEND = 50;
    private static final int GAP = 24;
    private static final int TITLE_HEIGHT = 36;

    private Drawings() {}

    /** A picture between axes with names, which may be empty, and free height under them. */
    private static Canvas plot(Box domain, BufferedImage picture, String across, String up, int free) {
        int width = picture.getWidth();
        int height = picture.getHeight();
        int left = LEFT + (up.isEmpty() ? 0 : NAME);
        int below = TOP + height + TICKS + (across.isEmpty() ? 0 : NAME);
        Canvas canvas = new Canvas(left + width + RIGHT, below + free);
        Rectangle panel = new Rectangle(left, TOP, width, height);
        canvas.below(new Axis(across, domain.xMin(), domain.xMax(), false), panel, RIGHT);
        canvas.beside(new Axis(up, domain.yMin(), domain.yMax(), false), panel, TOP);
        canvas.pen().drawImage(picture, left, TOP, null); // over the ticks' ends
        Lettering.upwards(canvas.pen(), up, 20, TOP + height / 2);
        Lettering.centred(canvas.pen(), across, left + width / 2, below - 10);
        return canvas;
    }

    /**
     * A heat map with axes and a legend.
     *
     * @param density {@code density[row][column]}, row 0 at the lowest y, column 0 at the lowest x; NaN is drawn grey
     */
    public static Png density(Box domain, double[][] density, Scale scale) {
        int height = height(domain, WIDTH);
        Canvas canvas = plot(domain, Raster.density(density, scale, WIDTH, height), "", "", LEGEND);
        int top = TOP + height + TICKS;
        canvas.pen().drawImage(Raster.ramp(WIDTH, BAR), LEFT, top, null);
        int baseline = top + BAR + 24;
        String low = (scale.logarithmic() ? "≤ " : "") + Numbers.forPeople(scale.low());
        Lettering.startingAt(canvas.pen(), low, LEFT, baseline);
        Lettering.centred(canvas.pen(), scale.logarithmic() ? "log-density" : "density", LEFT + WIDTH / 2, baseline);
        Lettering.endingAt(canvas.pen(), "≥ " + Numbers.forPeople(scale.high()), LEFT + WIDTH, baseline);
        return canvas.png();
    }

    /** Differences over a density's domain, with a legend: green above 0, purple below; colours end at ±reach. */
    public static Png difference(Box domain, double[][] difference, double reach) {
        int height = height(domain, WIDTH);
        Canvas canvas = plot(domain, Diverging.map(difference, reach, WIDTH, height), "", "", LEGEND);
        Diverging.legend(canvas, LEFT, TOP + height + TICKS, WIDTH, reach);
        return canvas.png();
    }

    /** A heat map without axes: one of many. */
    public static Png small(Box domain, double[][] density, Scale scale) {
        return Png.of(Raster.density(density, scale, FRAME_WIDTH, height(domain, FRAME_WIDTH)));
    }

    /** Points (x, y) with axes, aligned with a density's picture over the same domain. */
    public static Png samples(Box domain, float[][] points) {
        BufferedImage dots = Raster.points(points, domain, WIDTH, height(domain, WIDTH));
        return plot(domain, dots, "", "", 0).png();
    }

    /** Points without axes: a small frame of a film. */
    public static Png frame(Box domain, float[][] points) {
        return Png.of(Raster.points(points, domain, FRAME_WIDTH, height(domain, FRAME_WIDTH)));
    }

    /** Bars of heights in [0, 1] side by side, with axes and, if wanted, the diagonal; NaN is no bar. */
    public static Png bars(double[] heights, boolean diagonal, String across, String up) {
        return plot(new Box(0, 1, 0, 1), Raster.bars(heights, diagonal, WIDTH), across, up, 0)
                .png();
    }

    /** Pictures in rows on a white sheet, each under its caption: a pair to compare, or a film strip. */
    public static Png sheet(int columns, List<String> captions, List<Png> pictures) {
        int width = pictures.stream().mapToInt(Png::width).max().orElseThrow();
        int height = pictures.stream().mapToInt(Png::height).max().orElseThrow();
        int across = Math.min(columns, pictures.size());
        int down = (pictures.size() + across - 1) / across;
        BufferedImage sheet = new BufferedImage(
                GAP + across * (width + GAP), GAP + down * (TITLE_HEIGHT + height + GAP), BufferedImage.TYPE_INT_RGB);
        Graphics2D g = Canvas.pen(sheet);
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
        g.setColor(Color.DARK_GRAY);
        for (int i = 0; i < pictures.size(); i++) {
            int left = GAP + i % across * (width + GAP);
            int top = GAP + i / across * (TITLE_HEIGHT + height + GAP);
            Lettering.centred(g, captions.get(i), left + width / 2, top + TITLE_HEIGHT - 14);
            g.drawImage(pictures.get(i).image(), left, top + TITLE_HEIGHT, null);
        }
        g.dispose();
        return Png.of(sheet);
    }

    /** The height that keeps the domain's proportions, within reason for a very long domain. */
    private static int height(Box domain, int width) {
        double ratio = domain.height() / domain.width();
        return (int) Math.round(width * Math.min(3, Math.max(1 / 3.0, ratio)));
    }
}

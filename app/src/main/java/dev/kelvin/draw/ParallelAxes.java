package dev.kelvin.draw;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.geom.Path2D;
import java.util.ArrayList;
import java.util.List;

/** Parallel coordinates: an upright axis for each variable, and a line through the values of each thing that has them. */
public final class ParallelAxes {
    private static final int HEIGHT = 420;
    private static final int TOP = 84; // the legend and the axes' names
    private static final int BOTTOM = 30;
    private static final int RIGHT = 90;
    private static final int OVERHANG = 8;
    private static final int NAME = 18; // above an axis
    private static final float PLAIN = 1.8f;
    private static final float BOLD = 3f;
    private static final int PALE = 120; // of 255

    /** Names beside an axis take this share of the room between two. */
    private static final double BESIDE = 0.45;

    /** Blue, orange and red, the last of them for what went wrong. */
    private static final int[] COLOURS = {0, 1, 4};

    private ParallelAxes() {}

    /**
     * The values of one thing on all axes; a line ends before one that is NaN.
     *
     * @param kind which name of the legend it has: 0 is drawn pale behind the others, 2 is for what went wrong
     */
    public record Line(double[] values, int kind) {}

    /** How wide names beside one of so many axes may be, in pixels. */
    public static int room(int axes) {
        return (int) (BESIDE * Canvas.PAGE / axes);
    }

    /** The picture, under a legend of the kinds of lines, three at most. */
    public static Png of(List<Axis> axes, List<String> kinds, List<Line> lines) {
        int left = Canvas.widthBeside(axes.get(0), HEIGHT, OVERHANG) + 30;
        Canvas canvas = new Canvas(Canvas.PAGE, TOP + HEIGHT + BOTTOM);
        canvas.legend(kinds, left, Canvas.PAGE - left, kind -> COLOURS[kind]);
        List<Rectangle> places = new ArrayList<>();
        for (int i = 0; i < axes.size(); i++) {
            int x = left + (int) ((Canvas.PAGE - left - RIGHT) * (long) i / Math.max(1, axes.size() - 1));
            places.add(new Rectangle(x, TOP, 0, HEIGHT));
        }
        for (int kind = 0; kind < kinds.size(); kind++) {
            for (Line line : lines) {
                if (line.kind == kind) {
                    draw(canvas.pen(), line, axes, places);
                }
            }
        }
        for (int i = 0; i < axes.size(); i++) {
            axis(canvas, axes.get(i), places.get(i), room(axes.size()));
        }
        return canvas.png();
    }

    private static void axis(Canvas canvas, Axis axis, Rectangle place, int room) {
        Graphics2D g = canvas.pen();
        g.setColor(Canvas.INK);
        g.setStroke(new BasicStroke(PLAIN));
        g.drawLine(place.x, place.y, place.x, place.y + place.height);
        canvas.beside(axis, place, OVERHANG);
        String name = Lettering.shortened(axis.label(), 2 * room);
        int width = Lettering.width(name);
        int middle = Math.max(width / 2, Math.min(Canvas.PAGE - width / 2, place.x)); // none leaves the page
        Lettering.centred(g, name, middle, place.y - NAME);
    }

    private static void draw(Graphics2D g, Line line, List<Axis> axes, List<Rectangle> places) {
        Path2D path = new Path2D.Double();
        for (int i = 0; i < axes.size(); i++) {
            double value = line.values[i];
            if (Double.isNaN(value)) {
                break;
            }
            Rectangle place = places.get(i);
            double share = Math.min(1, Math.max(0, axes.get(i).place(value)));
            double y = place.y + (1 - share) * place.height;
            if (i == 0) {
                path.moveTo(place.x, y);
            } else {
                path.lineTo(place.x, y);
            }
        }
        Color colour = Canvas.colour(COLOURS[line.kind]);
        boolean bold = line.kind > 0;
        g.setColor(bold ? colour : new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), PALE));
        g.setStroke(new BasicStroke(bold ? BOLD : PLAIN, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        g.draw(path);
        g.setColor(Canvas.INK);
    }
}

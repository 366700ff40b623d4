package dev.kelvin.draw;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lines, dots and boxes between two axes, under a legend; transparent, in colours for light and dark pages. */
public final class Chart {
    /** Where a page shows it at two thirds of its size, letters are as large as its small print. */
    public static final int WIDTH = 760;

    private static final int HEIGHT = 330; // between the axes
    private static final int RIGHT = 26; // half a label of the last tick
    private static final int TOP = 12;
    private static final int LABEL = 30; // an axis's name
    private static final int TICKS = 34;
    private static final float PALE = 0.3f;
    private static final int DOT = 9;
    private static final int BOX = 26;

    /** What is known at a place of the horizontal axis, and the strip, in pixels, that is nearer to it than to others. */
    public record Note(String words, int left, int width) {}

    private static final float FAINT = 1; // a line's width
    private static final float PLAIN = 2.5f;
    private static final float BOLD = 3.5f;

    /** Values behind their means: enough to show how far they scatter, few enough to be drawn fast. */
    private static final int MOST_POINTS = 300;

    private final Canvas canvas;
    private final Axis across;
    private final Axis up;
    private final Rectangle plot;
    private final List<Rectangle> written = new ArrayList<>();
    private final TreeMap<Double, String> notes = new TreeMap<>();

    /** With a legend of the names, each of the colour of its place, where there are two or more. */
    public Chart(Axis across, Axis up, List<String> names) {
        this.across = across;
        this.up = up;
        List<String> shown = names.size() < 2 ? List.of() : names;
        int left = Canvas.widthBeside(up, HEIGHT, TOP) + (up.label().isEmpty() ? 8 : LABEL + 8);
        int top = TOP + new Canvas(1, 1).legend(shown, 0, WIDTH);
        plot = new Rectangle(left, top, WIDTH - left - RIGHT, HEIGHT);
        canvas = new Canvas(WIDTH, top + HEIGHT + TICKS + (across.label().isEmpty() ? 0 : LABEL));
        canvas.legend(shown, 0, WIDTH);
        axes();
    }

    private void axes() {
        canvas.lines(up, plot, TOP);
        canvas.beside(up, plot, TOP);
        canvas.below(across, plot, RIGHT);
        Graphics2D g = canvas.pen();
        g.drawLine(plot.x, plot.y + plot.height, plot.x + plot.width, plot.y + plot.height);
        String upwards = Lettering.shortened(up.label(), plot.height);
        Lettering.upwards(g, upwards, 20, plot.y + plot.height / 2);
        Lettering.centred(g, across.label(), plot.x + plot.width / 2, plot.y + plot.height + TICKS + LABEL - 8);
    }

    /**
     * A curve in the colour of its place, with gaps where a value is not finite, and dots where it has few; of one with
     * many values the running means in front of them.
     */
    public void curve(Series curve, int colour) {
        Color ink = Canvas.colour(colour);
        if (curve.isDense()) {
            drawn(path(curve.thinned(MOST_POINTS)), pale(ink), FAINT);
            drawn(path(curve.smoothed()), ink, BOLD);
        } else {
            drawn(path(curve), ink, PLAIN);
        }
        if (curve.isSparse()) {
            curve.points().forEach(point -> dot(point.step(), point.value(), colour));
        }
    }

    private Path2D path(Series curve) {
        Path2D path = new Path2D.Double();
        boolean open = false;
        for (Series.Point point : curve.points()) {
            double x = x(point.step());
            double y = y(point.value());
            boolean seen = Double.isFinite(x) && Double.isFinite(y);
            if (seen && open) {
                path.lineTo(x, y);
            } else if (seen) {
                path.moveTo(x, y);
            }
            open = seen;
        }
        return path;
    }

    private void drawn(Shape shape, Color colour, float width) {
        Graphics2D g = canvas.pen();
        Shape before = g.getClip();
        g.setClip(plot.x - 1, plot.y - 2, plot.width + 3, plot.height + 3);
        g.setColor(colour);
        g.setStroke(new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        g.draw(shape);
        g.setStroke(new BasicStroke(1.5f));
        g.setColor(Canvas.INK);
        g.setClip(before);
    }

    private static Color pale(Color colour) {
        return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), Math.round(255 * PALE));
    }

    /** A dot; none where a number is not finite. */
    public void dot(double x, double y, int colour) {
        if (Double.isFinite(x(x)) && Double.isFinite(y(y))) {
            canvas.pen().setColor(Canvas.colour(colour));
            canvas.pen().fillOval((int) x(x) - DOT / 2, (int) y(y) - DOT / 2, DOT, DOT);
            canvas.pen().setColor(Canvas.INK);
        }
    }

    /** A straight line between two points. */
    public void line(double fromX, double fromY, double toX, double toY, int colour) {
        drawn(new Line2D.Double(x(fromX), y(fromY), x(toX), y(toY)), Canvas.colour(colour), PLAIN);
    }

    /** A box at a place, from one value to another, with a line across at a third. */
    public void box(double x, double low, double middle, double high, int colour) {
        Graphics2D g = canvas.pen();
        int left = (int) x(x) - BOX / 2;
        int top = (int) y(high);
        int height = (int) (y(low) - y(high));
        g.setColor(pale(Canvas.colour(colour)));
        g.fillRect(left, top, BOX, height);
        g.setColor(Canvas.colour(colour));
        g.drawRect(left, top, BOX, height);
        g.fillRect(left, (int) y(middle) - 1, BOX, 3);
        g.setColor(Canvas.INK);
    }

    /** Words above a point, higher where others stand there already. */
    public void name(String name, double x, double y) {
        int width = Lettering.width(name);
        int middle = (int) Math.min(WIDTH - width / 2.0, Math.max(plot.x + width / 2.0, x(x)));
        Rectangle place = new Rectangle(middle - width / 2 - 3, (int) y(y) - 30, width + 6, 22);
        while (written.stream().anyMatch(place::intersects) && place.y > 0) {
            place.y -= place.height;
        }
        written.add(place);
        Lettering.centred(canvas.pen(), name, middle, place.y + 18);
    }

    /** Adds a line of words about a place on the horizontal axis. */
    public void note(double x, String words) {
        notes.merge(x, words, (before, line) -> before + "\n" + line);
    }

    /** All notes from left to right. */
    public List<Note> notes() {
        List<Note> all = new ArrayList<>();
        int left = plot.x;
        for (Map.Entry<Double, String> note : notes.entrySet()) {
            Double next = notes.higherKey(note.getKey());
            int right = next == null ? plot.x + plot.width : (int) Math.round((x(note.getKey()) + x(next)) / 2);
            all.add(new Note(note.getValue(), left, right - left));
            left = right;
        }
        return all;
    }

    private double x(double value) {
        return plot.x + across.place(value) * plot.width;
    }

    private double y(double value) {
        return plot.y + (1 - up.place(value)) * plot.height;
    }

    /** The picture as drawn so far. */
    public Png png() {
        return canvas.png();
    }
}

package dev.kelvin.draw;

import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;

/**
 * Writes on pictures. A machine without a single font, as many containers are, gets pictures without words.
 *
 * <p>One thread at a time: where two threads draw a letter for the first time at once, Java sometimes draws it another way.
 */
final class Lettering {
    /** For pictures that are shown at about half their size. */
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 20);

    /** Shares of a shortened text before what is left out, the best first. */
    private static final double[] HEADS = {0.5, 0.25, 0.75, 0, 1};

    /** Empty where nothing can be written. */
    private static final Optional<FontMetrics> METRICS = metrics();

    static final boolean AVAILABLE = METRICS.isPresent();

    private Lettering() {}

    static synchronized void startingAt(Graphics2D g, String text, int left, int baseline) {
        if (AVAILABLE) {
            g.setFont(FONT);
            g.drawString(text, left, baseline);
        }
    }

    static void centred(Graphics2D g, String text, int middle, int baseline) {
        startingAt(g, text, middle - width(text) / 2, baseline);
    }

    static void endingAt(Graphics2D g, String text, int right, int baseline) {
        startingAt(g, text, right - width(text), baseline);
    }

    /** Turned to be read from below, its middle at that height. */
    static synchronized void upwards(Graphics2D g, String text, int baseline, int middle) {
        upwardsFrom(g, text, baseline, middle + width(text) / 2);
    }

    /** Turned to be read from below, from that height on. */
    static synchronized void upwardsFrom(Graphics2D g, String text, int baseline, int bottom) {
        AffineTransform before = g.getTransform();
        g.translate(baseline, bottom);
        g.rotate(-Math.PI / 2);
        startingAt(g, text, 0, 0);
        g.setTransform(before);
    }

    /** How wide a text is; 0 where nothing can be written. */
    static synchronized int width(String text) {
        return METRICS.isPresent() ? METRICS.get().stringWidth(text) : 0;
    }

    /** How wide the longest text is. */
    static int width(List<String> texts) {
        return texts.stream().mapToInt(Lettering::width).max().orElse(0);
    }

    /** A text that fits a width: its middle is left out if it is too long. */
    static String shortened(String text, int width) {
        return shortened(text, width, HEADS[0]);
    }

    /** Texts cut to a width: in the middle, unless two would look the same and another part is better to leave out. */
    static List<String> shortened(List<String> texts, int width) {
        List<String> best = List.of();
        long different = -1;
        for (double head : HEADS) {
            List<String> shorter =
                    texts.stream().map(text -> shortened(text, width, head)).toList();
            long found = shorter.stream().distinct().count();
            if (found > different) {
                best = shorter;
                different = found;
            }
        }
        return best;
    }

    private static String shortened(String text, int width, double head) {
        if (width(text) <= width) {
            return text;
        }
        for (int kept = text.length() - 1; kept > 1; kept--) {
            int first = (int) Math.round(head * kept);
            String shorter = text.substring(0, first) + "…" + text.substring(text.length() - (kept - first));
            if (width(shorter) <= width) {
                return shorter;
            }
        }
        return "…";
    }

    /** There is no way to ask; without fonts or their libraries the JDK throws a plain Error, or a LinkageError. */
    private static Optional<FontMetrics> metrics() {
        try {
            FontMetrics metrics = Canvas.pen(new BufferedImage(1, 1, BufferedImage.TYPE_INT_ARGB))
                    .getFontMetrics(FONT);
            return metrics.stringWidth("0") > 0 ? Optional.of(metrics) : Optional.empty();
        } catch (RuntimeException | Error noFonts) {
            return Optional.empty();
        }
    }
}

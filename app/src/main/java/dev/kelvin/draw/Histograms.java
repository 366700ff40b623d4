package dev.kelvin.draw;

import dev.kelvin.part.Check;
import java.awt.Rectangle;
import java.util.List;

/** Small multiples: the histogram of each variable, of two clouds of points over each other. */
public final class Histograms {
    private static final int TOP = 46;
    private static final int NAME = 34;
    private static final int HEIGHT = 110;
    private static final int AXIS = 44;
    private static final int GAP = 28;
    private static final int MARGIN = 10;
    private static final int FEW = 8;

    private Histograms() {}

    /** One panel a variable, from left to right and from top to bottom. */
    public static Png of(List<Extent> extents, List<Cloud> clouds) {
        Check.notEmpty("extents", extents);
        int d = extents.size();
        int across = Math.min(d, d <= FEW ? 4 : 5);
        int most = d <= FEW ? 4 : 5;
        int width = (Canvas.PAGE - 2 * MARGIN - (most - 1) * GAP) / most;
        int down = (d + across - 1) / across;
        int total = Math.max(2 * MARGIN + across * width + (across - 1) * GAP, Canvas.PAGE / 2);
        try (Canvas canvas = new Canvas(total, TOP + down * (NAME + HEIGHT + AXIS))) {
            canvas.legend(Cloud.legend(clouds), MARGIN, total - MARGIN);
            List<String> names =
                    Lettering.shortened(extents.stream().map(Extent::name).toList(), width);
            for (int i = 0; i < d; i++) {
                Rectangle panel = new Rectangle(
                        MARGIN + i % across * (width + GAP),
                        TOP + i / across * (NAME + HEIGHT + AXIS) + NAME,
                        width,
                        HEIGHT);
                Lettering.startingAt(canvas.pen(), names.get(i), panel.x, panel.y - 8);
                canvas.pen().drawLine(panel.x, panel.y + HEIGHT, panel.x + width, panel.y + HEIGHT);
                canvas.histograms(extents.get(i), clouds, i, panel);
                canvas.below(extents.get(i), panel, Canvas.OVERHANG);
            }
            return canvas.png();
        }
    }
}

package dev.kelvin.draw;

import dev.kelvin.part.Check;
import java.awt.Rectangle;
import java.util.List;

/**
 * Every pair of variables of one or two clouds of points: histograms of both on the diagonal, the first cloud's points below
 * it, and the second's above.
 */
public final class PairMatrix {
    private static final int LEFT = 142;
    private static final int TOP = 76;
    private static final int BOTTOM = 40;
    private static final int RIGHT = 10;
    private static final int GAP = 12;
    private static final int LARGEST = 420;

    private PairMatrix() {}

    /** One panel a pair; clouds have as many variables as there are extents. */
    public static Png of(List<Extent> extents, List<Cloud> clouds) {
        Check.notEmpty("extents", extents);
        Check.within("clouds", clouds.size(), 1, 2);
        int d = extents.size();
        int side = Math.min(LARGEST, (Canvas.PAGE - LEFT - RIGHT - (d - 1) * GAP) / d);
        int all = d * side + (d - 1) * GAP;
        int width = Math.max(LEFT + all + RIGHT, 2 * LARGEST);
        try (Canvas canvas = new Canvas(width, TOP + all + BOTTOM)) {
            canvas.legend(Cloud.legend(clouds), LEFT, width - LEFT);
            List<String> names =
                    Lettering.shortened(extents.stream().map(Extent::name).toList(), side);
            for (int row = 0; row < d; row++) {
                Extent up = extents.get(row);
                for (int column = 0; column < d; column++) {
                    Rectangle panel = new Rectangle(LEFT + column * (side + GAP), TOP + row * (side + GAP), side, side);
                    int middle = panel.x + side / 2;
                    Extent across = extents.get(column);
                    int of = row < column ? 1 : 0;
                    if (column == 0 && d > 1) { // of one variable there is no other to stand beside
                        Lettering.upwards(canvas.pen(), names.get(row), 20, panel.y + side / 2);
                        canvas.beside(up, panel, -6); // away from the next panel's
                    }
                    if (row == d - 1) {
                        Lettering.centred(canvas.pen(), names.get(column), middle, TOP - 12);
                        canvas.below(across, panel, Canvas.OVERHANG);
                    }
                    if (of < clouds.size()) {
                        canvas.frame(panel);
                    }
                    if (row == column) {
                        canvas.histograms(across, clouds, row, panel);
                    } else if (of < clouds.size()) {
                        double[][] points = clouds.get(of).columns();
                        canvas.dots(across, up, points[column], points[row], of, panel);
                    }
                }
            }
            return canvas.png();
        }
    }
}

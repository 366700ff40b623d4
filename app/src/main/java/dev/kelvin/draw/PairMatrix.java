package dev.kelvin.draw;

import dev.kelvin.part.Check;
import java.util.List;
import java.util.stream.IntStream;

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
        List<Integer> kinds = IntStream.range(0, clouds.size()).boxed().toList();
        int width = Math.max(LEFT + all + RIGHT, 2 * LARGEST);
        try (Canvas canvas = new Canvas(width, TOP + all + BOTTOM)) {
            canvas.legend(Cloud.legend(clouds), LEFT, width - LEFT);
            List<String> names = Lettering.shortened(
                    canvas.pen(), extents.stream().map(Extent::name).toList(), side);
            for (int row = 0; row < d; row++) {
                int y = TOP + row * (side + GAP);
                Extent up = extents.get(row);
                if (d > 1) { // of one variable there is no other to stand beside
                    Lettering.upwards(canvas.pen(), names.get(row), 20, y + side / 2);
                    canvas.beside(up, LEFT, y, side, -6); // away from the next panel's
                }
                for (int column = 0; column < d; column++) {
                    int x = LEFT + column * (side + GAP);
                    Extent across = extents.get(column);
                    int of = row < column ? 1 : 0;
                    if (of >= clouds.size()) {
                        continue;
                    }
                    canvas.frame(x, y, side, side);
                    if (row == column) {
                        int at = row;
                        canvas.histograms(
                                across,
                                clouds.stream()
                                        .map(cloud -> cloud.columns()[at])
                                        .toList(),
                                kinds,
                                x,
                                y,
                                side,
                                side);
                    } else {
                        double[][] points = clouds.get(of).columns();
                        canvas.dots(across, up, points[column], points[row], of, x + 1, y + 1, side - 1, side - 1);
                    }
                }
            }
            for (int column = 0; column < d; column++) {
                int x = LEFT + column * (side + GAP);
                Lettering.centred(canvas.pen(), names.get(column), x + side / 2, TOP - 12);
                canvas.below(extents.get(column), x, side, TOP + all, Canvas.OVERHANG);
            }
            return canvas.png();
        }
    }
}

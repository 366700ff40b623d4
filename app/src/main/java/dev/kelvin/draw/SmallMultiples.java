package dev.kelvin.draw;

import dev.kelvin.diagnostic.ChainDraws;
import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Small panels in one picture: pairs of variables, their histograms, and the ranks of chains. */
public final class SmallMultiples {
    private static final int LEFT = 142;
    private static final int PAIRS_TOP = 76;
    private static final int BOTTOM = 40;
    private static final int PAIRS_RIGHT = 10;
    private static final int PAIRS_GAP = 12;
    private static final int LARGEST = 420;
    private static final int LEGEND = 46;
    private static final int NAME = 34;
    private static final int HEIGHT = 110;
    private static final int AXIS = 44;
    private static final int GAP = 28;
    private static final int MARGIN = 10;
    private static final int FEW = 8;

    /** Panels that are drawn at most. */
    public static final int MOST_RANKED = 16;

    /** Bars end at this many times the dashed line, or one chain that stands still would flatten all others. */
    public static final double HIGHEST = 4;

    private static final int BINS = 20;
    private static final int ACROSS = 4;
    private static final int RANKS_NAME = 30;

    private SmallMultiples() {}

    /**
     * Every pair of variables of one or two clouds of points: histograms of both on the diagonal, the first cloud's points
     * below it, and the second's above. Clouds have as many variables as there are extents.
     */
    public static Png pairs(List<Extent> extents, List<Cloud> clouds) {
        int d = extents.size();
        int side = Math.min(LARGEST, (Canvas.PAGE - LEFT - PAIRS_RIGHT - (d - 1) * PAIRS_GAP) / d);
        int all = d * side + (d - 1) * PAIRS_GAP;
        int width = Math.max(LEFT + all + PAIRS_RIGHT, 2 * LARGEST);
        Canvas canvas = new Canvas(width, PAIRS_TOP + all + BOTTOM);
        canvas.legend(Cloud.legend(clouds), LEFT, width - LEFT);
        List<String> names =
                Lettering.shortened(extents.stream().map(Extent::name).toList(), side);
        for (int row = 0; row < d; row++) {
            Extent up = extents.get(row);
            for (int column = 0; column < d; column++) {
                Rectangle panel = new Rectangle(
                        LEFT + column * (side + PAIRS_GAP), PAIRS_TOP + row * (side + PAIRS_GAP), side, side);
                int middle = panel.x + side / 2;
                Extent across = extents.get(column);
                int of = row < column ? 1 : 0;
                if (column == 0 && d > 1) { // of one variable there is no other to stand beside
                    Lettering.upwards(canvas.pen(), names.get(row), 20, panel.y + side / 2);
                    canvas.beside(up, panel, -6); // away from the next panel's
                }
                if (row == d - 1) {
                    Lettering.centred(canvas.pen(), names.get(column), middle, PAIRS_TOP - 12);
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

    /** One panel a variable, from left to right and from top to bottom. */
    public static Png histograms(List<Extent> extents, List<Cloud> clouds) {
        int d = extents.size();
        int across = Math.min(d, d <= FEW ? 4 : 5);
        int most = d <= FEW ? 4 : 5;
        int width = (Canvas.PAGE - 2 * MARGIN - (most - 1) * GAP) / most;
        int down = (d + across - 1) / across;
        int total = Math.max(2 * MARGIN + across * width + (across - 1) * GAP, Canvas.PAGE / 2);
        Canvas canvas = new Canvas(total, LEGEND + down * (NAME + HEIGHT + AXIS));
        canvas.legend(Cloud.legend(clouds), MARGIN, total - MARGIN);
        List<String> names =
                Lettering.shortened(extents.stream().map(Extent::name).toList(), width);
        for (int i = 0; i < d; i++) {
            Rectangle panel = new Rectangle(
                    MARGIN + i % across * (width + GAP),
                    LEGEND + i / across * (NAME + HEIGHT + AXIS) + NAME,
                    width,
                    HEIGHT);
            Lettering.startingAt(canvas.pen(), names.get(i), panel.x, panel.y - 8);
            canvas.pen().drawLine(panel.x, panel.y + HEIGHT, panel.x + width, panel.y + HEIGHT);
            canvas.histograms(extents.get(i), clouds, i, panel);
            canvas.below(extents.get(i), panel, Canvas.OVERHANG);
        }
        return canvas.png();
    }

    /** One panel a chain, all with one vertical scale; a dashed line is what each bin would hold if all chains were alike. */
    public static Png ranks(double[][] chains) {
        double[][] rankShares = rankShares(chains);
        int shown = Math.min(MOST_RANKED, chains.length);
        double peak = Math.min(
                HIGHEST / BINS,
                Arrays.stream(rankShares, 0, shown)
                        .flatMapToDouble(Arrays::stream)
                        .max()
                        .orElse(1));
        int down = (shown + ACROSS - 1) / ACROSS;
        int width = (Canvas.PAGE - 2 * MARGIN - (ACROSS - 1) * GAP) / ACROSS;
        int across = Math.min(ACROSS, shown);
        Canvas canvas = new Canvas(
                2 * MARGIN + across * width + (across - 1) * GAP, MARGIN + down * (RANKS_NAME + HEIGHT + MARGIN));
        for (int i = 0; i < shown; i++) {
            int x = MARGIN + i % ACROSS * (width + GAP);
            int y = MARGIN + i / ACROSS * (RANKS_NAME + HEIGHT + MARGIN) + RANKS_NAME;
            Lettering.startingAt(canvas.pen(), "chain " + (i + 1), x, y - 8);
            panel(canvas.pen(), rankShares[i], peak, x, y, width);
        }
        return canvas.png();
    }

    private static void panel(Graphics2D g, double[] shares, double peak, int x, int y, int width) {
        g.setColor(Canvas.colour(0));
        for (int bin = 0; bin < BINS; bin++) {
            int left = x + bin * width / BINS;
            int right = x + (bin + 1) * width / BINS - 1;
            int height = (int) Math.round(Math.min(1, shares[bin] / peak) * HEIGHT);
            g.fillRect(left, y + HEIGHT - height, right - left, height);
        }
        g.setColor(Canvas.INK);
        g.drawLine(x, y + HEIGHT, x + width, y + HEIGHT);
        int even = y + HEIGHT - (int) Math.round(1.0 / BINS / peak * HEIGHT);
        g.setStroke(new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, new float[] {8, 6}, 0));
        g.drawLine(x, even, x + width, even);
        g.setStroke(new BasicStroke(1.5f));
    }

    /** The share of each chain's draws in each bin of ranks among all draws; draws that are equal have their mean rank. */
    static double[][] rankShares(double[][] chains) {
        double[][] ranks = ChainDraws.ranks(chains);
        double all = ChainDraws.pooled(chains).length;
        double[][] rankShares = new double[chains.length][BINS];
        for (int i = 0; i < chains.length; i++) {
            for (double rank : ranks[i]) {
                rankShares[i][(int) Math.min(BINS - 1, (rank - 0.5) / all * BINS)] += 1.0 / chains[i].length;
            }
        }
        return rankShares;
    }

    /**
     * Points of one kind in pictures that compare kinds.
     *
     * @param name what they are, for the legend
     * @param columns {@code columns[variable][point]}
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Cloud(String name, double[][] columns) {
        /** Of points as rows. */
        public static Cloud of(String name, double[][] rows, int variables) {
            return new Cloud(
                    name,
                    IntStream.range(0, variables)
                            .mapToObj(j -> Arrays.stream(rows)
                                    .mapToDouble(row -> row[j])
                                    .toArray())
                            .toArray(double[][]::new));
        }

        /** Of some of its variables. */
        public Cloud only(int... variables) {
            return new Cloud(
                    name, Arrays.stream(variables).mapToObj(i -> columns[i]).toArray(double[][]::new));
        }

        /** The legend of clouds: how many points each has, and what they are. */
        static List<String> legend(List<Cloud> clouds) {
            return clouds.stream()
                    .map(cloud -> Numbers.forPeople(cloud.columns[0].length) + " " + cloud.name)
                    .toList();
        }
    }
}

package dev.kelvin.draw;

import dev.kelvin.diagnostic.ChainDraws;
import dev.kelvin.part.Check;
import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.util.Arrays;

/**
 * Small multiples: how the draws of each chain rank among those of all chains. Chains of one density have flat histograms.
 * Source: Vehtari et al. 2021, section 4.3.
 */
public final class RankPlot {
    /** Panels that are drawn at most. */
    public static final int MOST = 16;

    /** Bars end at this many times the dashed line, or one chain that stands still would flatten all others. */
    public static final double HIGHEST = 4;

    private static final int BINS = 20;
    private static final int ACROSS = 4;
    private static final int NAME = 30;
    private static final int HEIGHT = 110;
    private static final int GAP = 28;
    private static final int MARGIN = 10;

    private RankPlot() {}

    /** One panel a chain, all with one vertical scale; a dashed line is what each bin would hold if all chains were alike. */
    public static Png of(double[][] chains) {
        Check.atLeast("chains", chains.length, 1);
        double[][] shares = shares(chains);
        int shown = Math.min(MOST, chains.length);
        double peak = Math.min(
                HIGHEST / BINS,
                Arrays.stream(shares, 0, shown)
                        .flatMapToDouble(Arrays::stream)
                        .max()
                        .orElse(1));
        int down = (shown + ACROSS - 1) / ACROSS;
        int width = (Canvas.PAGE - 2 * MARGIN - (ACROSS - 1) * GAP) / ACROSS;
        int across = Math.min(ACROSS, shown);
        try (Canvas canvas = new Canvas(
                2 * MARGIN + across * width + (across - 1) * GAP, MARGIN + down * (NAME + HEIGHT + MARGIN))) {
            for (int i = 0; i < shown; i++) {
                int x = MARGIN + i % ACROSS * (width + GAP);
                int y = MARGIN + i / ACROSS * (NAME + HEIGHT + MARGIN) + NAME;
                Lettering.startingAt(canvas.pen(), "chain " + (i + 1), x, y - 8);
                panel(canvas.pen(), shares[i], peak, x, y, width);
            }
            return canvas.png();
        }
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
    static double[][] shares(double[][] chains) {
        double[] sorted = ChainDraws.pooled(chains);
        Arrays.sort(sorted);
        double[] ranks = new double[sorted.length]; // in (0, 1)
        for (int first = 0, next = 0; next < sorted.length; first = next) {
            while (next < sorted.length && Double.compare(sorted[next], sorted[first]) == 0) {
                next++;
            }
            Arrays.fill(ranks, first, next, (first + next) / 2.0 / sorted.length);
        }
        double[][] shares = new double[chains.length][BINS];
        for (int i = 0; i < chains.length; i++) {
            for (double value : chains[i]) {
                double rank = ranks[Arrays.binarySearch(sorted, value)];
                shares[i][(int) Math.min(BINS - 1, rank * BINS)] += 1.0 / chains[i].length;
            }
        }
        return shares;
    }
}

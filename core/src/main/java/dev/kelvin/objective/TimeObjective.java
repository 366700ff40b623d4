package dev.kelvin.objective;

import java.util.Arrays;
import java.util.Map;

/**
 * What a time-joint model makes small: from f(z)ₜ = log p(z, t), in rows of T numbers, to a loss and its gradient with
 * respect to every one of them. Positives (z, t) are data; negatives z̃ come from chains that start there.
 *
 * <pre>
 * CD_CE           mean log p(z̃) − mean log p(z) − mean log p(t|z)     chains on p(z)
 * JOINT_CD        mean f(z̃)_t̃ − mean f(z)_t,  t̃ ~ p(t|z̃)              chains on p(z)
 * CONDITIONAL_CD  mean f(z̃)_t − mean f(z)_t                           chains on p(z|t)
 * CROSS_ENTROPY   −mean log p(t|z)                                    no chains
 * </pre>
 *
 * <p>With log p(z) = LSE_t f(z)ₜ, the positives' part of the first is the second's, −mean f(z)_t; at the negatives it has
 * the expectation over t̃ where the second has one draw. The third learns every p(z|t) alone, as was done before; the
 * fourth leaves the times between the reference and the data to tell their ratio.
 *
 * <p>Source: paper 003, equations 6 and 8, algorithms 1 and 2; section 3.1 for the third.
 */
public enum TimeObjective {
    CD_CE,
    JOINT_CD,
    CONDITIONAL_CD,
    CROSS_ENTROPY;

    /** mean −log p(t|z), at the positives. */
    public static final String CROSS_ENTROPY_PART = "cross_entropy";

    /** Whether chains walk on p(z|t), each on its own t, and not on p(z). */
    public boolean conditional() {
        return this == CONDITIONAL_CD;
    }

    /** Whether there are negatives at all. */
    public boolean sampled() {
        return this != CROSS_ENTROPY;
    }

    /**
     * The loss. Negatives are as many as positives, or none where none are wanted.
     *
     * @param t the positives' times
     * @param drawn a draw of p(t|z̃) for each negative; asked for by {@link #JOINT_CD} alone
     */
    public Loss of(double[] positives, int[] t, double[] negatives, int[] drawn) {
        int n = t.length;
        int times = positives.length / n;
        double[] up = new double[positives.length];
        double[] down = new double[negatives.length];
        double crossEntropy = 0;
        double loss = 0;
        for (int i = 0; i < n; i++) {
            int row = i * times;
            double marginal = logSumExp(positives, row, times);
            double own = positives[row + t[i]];
            crossEntropy += (marginal - own) / n;
            loss += (this == CROSS_ENTROPY ? marginal - own : -own) / n;
            if (this == CROSS_ENTROPY) {
                addShares(up, positives, row, times, marginal, n);
            }
            up[row + t[i]] -= 1.0 / n;
        }
        for (int i = 0; sampled() && i < n; i++) {
            int row = i * times;
            if (this == CD_CE) {
                double marginal = logSumExp(negatives, row, times);
                loss += marginal / n;
                addShares(down, negatives, row, times, marginal, n);
            } else {
                int at = row + (this == JOINT_CD ? drawn[i] : t[i]);
                loss += negatives[at] / n;
                down[at] += 1.0 / n;
            }
        }
        return new Loss(loss, up, down, Map.of(CROSS_ENTROPY_PART, crossEntropy));
    }

    private static void addShares(double[] gradient, double[] f, int row, int times, double marginal, int n) {
        for (int k = row; k < row + times; k++) {
            gradient[k] += Math.exp(f[k] - marginal) / n;
        }
    }

    /** log Σ exp of each row of T numbers: log p(z). */
    public static double[] marginals(double[] f, int times) {
        double[] all = new double[f.length / times];
        Arrays.setAll(all, i -> logSumExp(f, i * times, times));
        return all;
    }

    private static double logSumExp(double[] f, int from, int count) {
        double top = Double.NEGATIVE_INFINITY;
        for (int i = from; i < from + count; i++) {
            top = Double.isNaN(f[i]) ? Double.NaN : Math.max(top, f[i]);
        }
        double sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += Math.exp(f[i] - top);
        }
        return top + Math.log(sum);
    }
}

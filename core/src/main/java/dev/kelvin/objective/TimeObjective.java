package dev.kelvin.objective;

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

    /** The mean of the log-density that the chains walk on, log p(z) or f(z)_t, at the positives. */
    public static final String POSITIVE = "f_positive";

    /** The same at the negatives; at the positives where there are none. */
    public static final String NEGATIVE = "f_negative";

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
        double[] up = positives.clone();
        double[] down = negatives.clone();
        double[] atData = shares(up, times);
        double[] atChains = shares(down, times);
        double crossEntropy = 0;
        double positive = 0;
        double negative = 0;
        double loss = 0;
        for (int i = 0; i < n; i++) {
            int own = i * times + t[i];
            crossEntropy += (atData[i] - positives[own]) / n;
            positive += (conditional() ? positives[own] : atData[i]) / n;
            loss += (this == CROSS_ENTROPY ? atData[i] - positives[own] : -positives[own]) / n;
            for (int k = i * times; k < (i + 1) * times; k++) {
                up[k] = this == CROSS_ENTROPY ? up[k] / n : 0;
            }
            up[own] -= 1.0 / n;
            if (sampled()) {
                int at = i * times + (this == JOINT_CD ? drawn[i] : t[i]);
                double value = this == CD_CE ? atChains[i] : negatives[at];
                loss += value / n;
                negative += (conditional() ? negatives[own] : atChains[i]) / n;
                for (int k = i * times; k < (i + 1) * times; k++) {
                    down[k] = this == CD_CE ? down[k] / n : k == at ? 1.0 / n : 0;
                }
            }
        }
        Map<String, Double> parts =
                Map.of(CROSS_ENTROPY_PART, crossEntropy, POSITIVE, positive, NEGATIVE, sampled() ? negative : positive);
        return new Loss(loss, up, down, parts);
    }

    /** Turns each row of T numbers f into its softmax, p(t|z), and tells its log Σ exp, log p(z). */
    public static double[] shares(double[] f, int times) {
        double[] marginals = new double[f.length / times];
        for (int i = 0; i < marginals.length; i++) {
            int from = i * times;
            double top = Double.NEGATIVE_INFINITY;
            for (int k = from; k < from + times; k++) {
                top = Double.isNaN(f[k]) ? Double.NaN : Math.max(top, f[k]);
            }
            double sum = 0;
            for (int k = from; k < from + times; k++) {
                f[k] = Math.exp(f[k] - top);
                sum += f[k];
            }
            for (int k = from; k < from + times; k++) {
                f[k] /= sum;
            }
            marginals[i] = top + Math.log(sum);
        }
        return marginals;
    }
}

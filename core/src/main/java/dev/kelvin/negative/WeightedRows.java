package dev.kelvin.negative;

import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Rows drawn with replacement, each group's among its own, with probabilities proportional to exp(log-weight). */
final class WeightedRows {
    private WeightedRows() {}

    /**
     * For each row one of its group; itself where no weight of the group is finite, which a run that breaks must not hide.
     */
    static int[] of(RandomGenerator random, int[] groups, double[] logWeights) {
        Map<Integer, Double> largest = new HashMap<>();
        for (int row = 0; row < groups.length; row++) {
            if (Double.isFinite(logWeights[row])) {
                largest.merge(groups[row], logWeights[row], Math::max);
            }
        }
        Map<Integer, Double> sums = new HashMap<>();
        double[] upTo = new double[groups.length]; // the sum of the group's weights up to the row, itself among them
        for (int row = 0; row < groups.length; row++) {
            double best = largest.getOrDefault(groups[row], Double.NaN);
            double weight = Double.isFinite(logWeights[row]) ? Math.exp(logWeights[row] - best) : 0;
            upTo[row] = sums.merge(groups[row], weight, Double::sum);
        }
        int[] drawn = new int[groups.length];
        for (int row = 0; row < groups.length; row++) {
            double at = random.nextDouble() * sums.getOrDefault(groups[row], 0.0);
            drawn[row] = row;
            for (int other = 0; other < groups.length; other++) {
                if (groups[other] == groups[row] && at < upTo[other]) {
                    drawn[row] = other;
                    break;
                }
            }
        }
        return drawn;
    }
}

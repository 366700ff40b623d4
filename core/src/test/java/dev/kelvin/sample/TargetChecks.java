package dev.kelvin.sample;

import dev.kelvin.energy.Target;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;

/** Whether independent rows are draws of a target: by its moments, the mean of f, and its marginals. */
final class TargetChecks {
    private TargetChecks() {}

    /** As many as {@link #smallestP} makes: d + d(d + 1)/2 moments, d marginals and f. */
    static int count(Target target) {
        int d = target.dimension();
        return SampleMoments.count(d) + d + 1;
    }

    /** The smallest p-value of all checks of draws against a target. */
    static double smallestP(Target target, Tensor x) {
        if (!x.allFinite()) {
            return 0; // unadjusted chains run away from light tails
        }
        int d = target.dimension();
        double[] values = x.toDoubles();
        Tensor exact = target.draw(Key.of(33), (int) x.size(0), DType.DOUBLE);
        double[] reference = exact.toDoubles();
        double p = twoSided(SampleMoments.worst(values, target.mean(), target.covariance()));
        p = Math.min(
                p,
                twoSided(difference(target.at(x).toDoubles(), target.at(exact).toDoubles())));
        for (int i = 0; i < d; i++) {
            double ks = KolmogorovSmirnovTest.withDefaults()
                    .test(column(values, d, i), column(reference, d, i))
                    .getPValue();
            p = Math.min(p, ks);
        }
        return Double.isNaN(p) ? 0 : p; // NaN where squares overflow
    }

    /** The probability of a normal deviation at least as great, either way. */
    static double twoSided(double deviation) {
        return 2 * NormalDistribution.of(0, 1).survivalProbability(deviation);
    }

    /** Welch's statistic of two independent samples. */
    private static double difference(double[] a, double[] b) {
        double meanA = mean(a);
        double meanB = mean(b);
        return Math.abs(meanA - meanB) / Math.sqrt(variance(a, meanA) / a.length + variance(b, meanB) / b.length);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    private static double variance(double[] values, double mean) {
        double sum = 0;
        for (double value : values) {
            sum += (value - mean) * (value - mean);
        }
        return sum / (values.length - 1);
    }

    private static double[] column(double[] values, int d, int at) {
        double[] column = new double[values.length / d];
        for (int i = 0; i < column.length; i++) {
            column[i] = values[i * d + at];
        }
        return column;
    }
}

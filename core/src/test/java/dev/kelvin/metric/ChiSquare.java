package dev.kelvin.metric;

import dev.kelvin.energy.ExactSampler;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/** Pearson's test of draws against the density that they claim to come from, on bins of a box. */
public final class ChiSquare {
    private static final int BINS = 16;
    private static final int DRAWS = 40_000;

    private ChiSquare() {}

    /** The shares that draws are held against. */
    public static Histogram expected(LogDensity normalised, Box box) {
        return Histogram.of(normalised, box, BINS);
    }

    /** The probability, if the draws are right, of a statistic at least as great. */
    public static double pValue(Key key, ExactSampler sampler, Histogram expected) {
        try (Tensor draws = sampler.draw(key, DRAWS, DType.DOUBLE)) {
            double[] found = Histogram.of(draws, expected.box(), BINS).shares();
            return pValue(DRAWS, found, expected.shares());
        }
    }

    /** Bins where fewer than 10 are expected are taken together. */
    private static double pValue(int n, double[] found, double[] expected) {
        double statistic = 0;
        double restFound = 0;
        double restExpected = 0;
        int cells = 0;
        for (int i = 0; i < found.length; i++) {
            if (n * expected[i] < 10) {
                restFound += found[i];
                restExpected += expected[i];
            } else {
                statistic += n * (found[i] - expected[i]) * (found[i] - expected[i]) / expected[i];
                cells++;
            }
        }
        if (n * restExpected >= 1) {
            statistic += n * (restFound - restExpected) * (restFound - restExpected) / restExpected;
            cells++;
        } else if (n * restFound > 20) {
            return 0; // where less than one is expected, twenty have a probability below 1e-18
        }
        return ChiSquaredDistribution.of(cells - 1).survivalProbability(statistic);
    }
}

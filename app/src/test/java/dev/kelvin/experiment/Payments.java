package dev.kelvin.experiment;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The table of card payments that ships in {@code examples}: three kinds of payments, a Gaussian mixture u of six dimensions,
 * seen through x = (eᵘ¹, 24/(1 + e⁻ᵘ²), eᵘ³, eᵘ⁴, 1000 u₅, 100/(1 + e⁻ᵘ⁶)), so that its density is exact. A fraud is a payment
 * two of whose columns are those of another payment, and whose amount is multiplied.
 */
final class Payments {
    static final List<String> COLUMNS =
            List.of("amount", "hour", "distance_km", "minutes_since_last", "balance", "merchant_score");
    private static final int SIZE = 6;

    /** In the coordinates u. */
    static final GaussianMixture MIXTURE = new GaussianMixture(
            List.of(
                    kind(new double[] {3.0, 0.6, 0.8, 6.2, 1.2, 1.5}, 0.5, 0.6), // groceries, near home
                    kind(new double[] {5.2, 0.2, 4.5, 5.0, 2.5, 0.8}, 0.6, -0.5), // travel, far away
                    kind(new double[] {3.8, 1.6, 6.0, 3.2, 1.0, -0.6}, 0.5, 0.5)), // online, in the evening
            0.5,
            0.2,
            0.3);

    private Payments() {}

    private static Gaussian kind(double[] mean, double std, double correlation) {
        double[][] covariance = new double[SIZE][SIZE];
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                covariance[i][j] = std * std * Math.pow(correlation, Math.abs(i - j));
            }
        }
        return new Gaussian(mean, covariance);
    }

    /** As CSV with the column {@code fraud}, so many rows of which one in {@code fraudEvery} is a fraud. */
    static String csv(long seed, int rows, int fraudEvery) {
        RandomGenerator random = Key.of(seed).stream();
        StringBuilder text = new StringBuilder(String.join(",", COLUMNS)).append(",fraud\n");
        for (int row = 0; row < rows; row++) {
            double[] u = draw(random);
            boolean fraud = row % fraudEvery == fraudEvery - 1;
            if (fraud) {
                double[] other = draw(random);
                int first = random.nextInt(SIZE);
                u[first] = other[first];
                u[1] = other[1];
                u[0] += 0.5 + random.nextDouble();
            }
            for (double value : seen(u)) {
                text.append(String.format(Locale.ROOT, "%.6g,", value));
            }
            text.append(fraud ? "1\n" : "0\n");
        }
        return text.toString();
    }

    private static double[] draw(RandomGenerator random) {
        double[] u = new double[SIZE];
        MIXTURE.next(random, u);
        return u;
    }

    private static double[] seen(double[] u) {
        return new double[] {
            Math.exp(u[0]),
            24 / (1 + Math.exp(-u[1])),
            Math.exp(u[2]),
            Math.exp(u[3]),
            1000 * u[4],
            100 / (1 + Math.exp(-u[5]))
        };
    }

    /** log p of a payment that is no fraud, in the table's own units. */
    static double logDensity(double... x) {
        double hour = x[1] / 24;
        double score = x[5] / 100;
        double[] u = {
            Math.log(x[0]),
            Math.log(hour / (1 - hour)),
            Math.log(x[2]),
            Math.log(x[3]),
            x[4] / 1000,
            Math.log(score / (1 - score))
        };
        double logSlope = -Math.log(x[0])
                - Math.log(24 * hour * (1 - hour))
                - Math.log(x[2])
                - Math.log(x[3])
                - Math.log(1000)
                - Math.log(100 * score * (1 - score));
        try (Scope scope = Scope.open()) {
            return MIXTURE.at(Tensors.of(u, 1, SIZE)).item() - MIXTURE.logNormaliser() + logSlope;
        }
    }
}

package dev.kelvin.objective;

import dev.kelvin.optim.Schedule;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The objective that is robust to inaccurate samples: a negative counts by its weight under the model, so that one in the
 * wrong place is not pushed down further. Choose it when short chains give good samples of a bad density.
 *
 * <p>With T the temperature of the chains, what is learnt is exp(f/T), and negatives come from exp((1 − β)f/T):
 *
 * <p>loss = T·mean_i LSE(βf₊ᵢ/T, LSE_j βf₋ⱼ/T)/β − mean f₊. Its gradient is built from the weights, never from a difference
 * of big numbers:
 *
 * <pre>
 * w₋ = softmax(βf₋/T),  w₊ᵢ = e^{βf₊ᵢ/T}/(e^{βf₊ᵢ/T} + Σ_j e^{βf₋ⱼ/T})
 * ∂/∂f₊ᵢ = −mᵢ/N,  ∂/∂f₋ⱼ = w₋ⱼ · mean m,  mᵢ = 1 − w₊ᵢ
 * </pre>
 *
 * <p>The {@link Variant}s differ in m alone. β → 0 gives {@link Contrastive} up to a factor and a constant, and β = 0 is it.
 *
 * <p>Source: "Robust to Inaccurate SGLD Samples", equation 8, and 7, 33, 34 for the variants; β/T is its β·o, o being the
 * output scale. Differs from the paper: it prints 33 and 34 with a sum over the positives where its text, and the balance of
 * both forces, want the mean.
 */
@Doc("the objective that is robust to inaccurate samples; at beta 0 it is contrastive divergence")
@Cites("anonymous-robust")
public record Robust(
        @Doc(value = "β, at most 1; negatives are taken as samples of exp((1−β)f)", otherwise = "given by betaOverT")
        OptionalDouble beta,

        @Doc(
                value = "β·o in place of β, o = 1/T being the output scale: the negatives' weights are softmax(β·o·f)",
                otherwise = "given by beta")
        OptionalDouble betaOverT,

        @Doc("the variant of the objective") @Default("default")
        Variant variant,

        @Doc("the schedule of β, as of a learning rate") @Default("constant")
        Schedule schedule,

        @Doc("the weight of the L2 penalty on f") @Default("0") @Cites("du2019")
        double l2)
        implements Objective {
    /** What m is: how much of a positive's, and with it of the negatives', gradient is used. */
    public enum Variant {
        /** 1 − w₊ᵢ: each positive is one negative more (equation 8). */
        DEFAULT,
        /** 1: positives are no negatives (equation 7). */
        NO_POSITIVE,
        /** mean(1 − w₊), held fixed: every positive counts the same within a batch (equation 33). */
        BATCH_CORRECTED,
        /** mean(1 − w₊) over the other half of the positives: no bias at all (equation 34). */
        TRUE_OBJECTIVE;

        private int fewestPositives() {
            return this == TRUE_OBJECTIVE ? 2 : 1;
        }
    }

    /** mean(1 − w₊): the share of the gradient that the paper's own form uses. */
    public static final String GRAD_SCALE = "grad_scale";

    /** mean w₊. */
    public static final String POSITIVE_WEIGHT = "w_positive";

    /** 1/Σw₋²: the effective number of negatives. */
    public static final String EFFECTIVE_NEGATIVES = "effective_negatives";

    /** The weight that the lighter half of the negatives carries. */
    public static final String LIGHTER_HALF = "lighter_half";

    /** The β of a step, where it follows a schedule. */
    public static final String BETA = "beta";

    public Robust {
        Check.all(
                () -> beta.ifPresent(given -> Check.finite("beta", given)),
                () -> beta.ifPresent(given ->
                        Check.require(!(given > 1), "beta", "must be at most 1, found " + Words.number(given))),
                () -> betaOverT.ifPresent(given -> Check.finite("betaOverT", given)),
                () -> Check.require(
                        beta.isPresent() || betaOverT.isPresent(), "beta", "is missing: give beta, or betaOverT (β·o)"),
                () -> Check.require(
                        beta.isEmpty() || betaOverT.isEmpty(), "betaOverT", "cannot be combined with beta: give one"),
                () -> Check.notNegative("l2", l2));
    }

    /** With β itself. */
    public Robust(double beta, Variant variant, Schedule schedule, double l2) {
        this(OptionalDouble.of(beta), OptionalDouble.empty(), variant, schedule, l2);
    }

    /** The full β where chains sample exp(f/T). */
    private double betaAt(double temperature) {
        return beta.orElseGet(() -> betaOverT.orElseThrow() * temperature);
    }

    /** With the full β, at T = 1. */
    @Override
    public Loss of(double[] positives, double[] negatives) {
        return new Weighing(betaAt(1), variant, l2, 1, false).of(positives, negatives);
    }

    @Override
    public Objective at(Moment now) {
        double factor = schedule.factor(now.step(), now.steps());
        boolean scheduled = !schedule.equals(Schedule.constant());
        return new Weighing(betaAt(now.temperature()) * factor, variant, l2, now.temperature(), scheduled);
    }

    /** With the full β, at T = 1. */
    @Override
    public double samplingScale() {
        return 1 - betaAt(1);
    }

    @Override
    public boolean weighs() {
        return betaAt(1) != 0;
    }

    @Override
    public int fewestPositives() {
        return variant.fewestPositives();
    }

    @Override
    public void requireTemperature(double temperature) {
        Check.require(
                !(betaAt(temperature) > 1),
                "betaOverT",
                "must be at most 1/T, " + Words.number(1 / temperature)
                        + " with these chains, so that β is at most 1; found "
                        + Words.number(betaOverT.orElse(Double.NaN)));
    }

    @Override
    public String words() {
        String given = beta.isPresent()
                ? "β = " + Words.number(beta.getAsDouble())
                : "β·o = " + Words.number(betaOverT.orElseThrow()) + " (o = 1/T)";
        String course = schedule.equals(Schedule.constant()) ? "" : ", which changes during the run,";
        String form = variant == Variant.DEFAULT ? "" : " in its variant " + Words.kebab(variant.name());
        return "the robust objective" + form + " with " + given + course + ", under which the chains see (1 − β)f"
                + Loss.l2Words(l2);
    }

    /** One β for a batch, at a temperature. */
    private record Weighing(double beta, Variant variant, double l2, double temperature, boolean tellsBeta)
            implements Objective {
        @Override
        public Loss of(double[] positives, double[] negatives) {
            Loss loss = beta == 0
                    ? new Contrastive().of(positives, negatives)
                    : weighed(scaled(positives), scaled(negatives));
            if (tellsBeta) {
                Map<String, Double> parts = new HashMap<>(loss.parts());
                parts.put(BETA, beta);
                loss = new Loss(loss.value(), loss.positiveGradient(), loss.negativeGradient(), parts);
            }
            return loss.withL2(l2, positives, negatives);
        }

        private double[] scaled(double[] f) {
            return temperature == 1
                    ? f
                    : Arrays.stream(f).map(value -> value / temperature).toArray();
        }

        /** T·loss(f/T), whose gradient with respect to f has the form that it has at T = 1. */
        private Loss weighed(double[] positives, double[] negatives) {
            int n = positives.length;
            double logNegatives = logSumExp(negatives);
            double[] complements = new double[n]; // 1 - w+
            for (int i = 0; i < n; i++) {
                complements[i] = 1 / (1 + Math.exp(beta * positives[i] - logNegatives));
            }
            double[] multipliers = multipliers(complements);
            double[] up = new double[n];
            double loss = 0;
            for (int i = 0; i < n; i++) {
                double d = logNegatives - beta * positives[i]; // log of (sum of negatives / this positive)
                // LSE(a, b)/beta - f+ = softplus(b - a)/beta for a = beta f+
                loss += (variant == Variant.DEFAULT ? softplus(d) : multipliers[i] * d) / beta;
                up[i] = -multipliers[i] / n;
            }
            double used = Contrastive.mean(multipliers);
            double[] weights = new double[negatives.length];
            Arrays.setAll(weights, j -> Math.exp(beta * negatives[j] - logNegatives));
            double[] down = Arrays.stream(weights).map(weight -> weight * used).toArray();
            return new Loss(temperature * loss / n, up, down, parts(complements, weights));
        }

        private double[] multipliers(double[] complements) {
            int n = complements.length;
            double[] all = new double[n];
            switch (variant) {
                case DEFAULT -> System.arraycopy(complements, 0, all, 0, n);
                case NO_POSITIVE -> Arrays.fill(all, 1);
                case BATCH_CORRECTED -> Arrays.fill(all, Contrastive.mean(complements));
                case TRUE_OBJECTIVE -> {
                    if (n < variant.fewestPositives()) {
                        throw new IllegalArgumentException(
                                "the true objective takes two positives or more, found " + n);
                    }
                    Arrays.fill(all, 0, n / 2, Contrastive.mean(Arrays.copyOfRange(complements, n / 2, n)));
                    Arrays.fill(all, n / 2, n, Contrastive.mean(Arrays.copyOfRange(complements, 0, n / 2)));
                }
            }
            return all;
        }

        private static Map<String, Double> parts(double[] complements, double[] weights) {
            double gradScale = Contrastive.mean(complements);
            double squares =
                    Arrays.stream(weights).map(weight -> weight * weight).sum();
            double lighter =
                    Arrays.stream(weights).sorted().limit(weights.length / 2).sum();
            return Map.of(
                    GRAD_SCALE,
                    gradScale,
                    POSITIVE_WEIGHT,
                    1 - gradScale,
                    EFFECTIVE_NEGATIVES,
                    1 / squares,
                    LIGHTER_HALF,
                    lighter);
        }

        @Override
        public double samplingScale() {
            return 1 - beta;
        }

        @Override
        public boolean weighs() {
            return beta != 0;
        }

        @Override
        public int fewestPositives() {
            return variant.fewestPositives();
        }

        private double logSumExp(double[] f) {
            double top = Arrays.stream(f).map(value -> beta * value).max().orElse(Double.NEGATIVE_INFINITY);
            double sum = 0;
            for (double value : f) {
                sum += Math.exp(beta * value - top);
            }
            return top + Math.log(sum);
        }

        private static double softplus(double x) {
            return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
        }
    }
}

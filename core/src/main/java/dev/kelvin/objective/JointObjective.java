package dev.kelvin.objective;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import dev.kelvin.part.Words;
import java.util.Arrays;
import java.util.Map;

/**
 * An objective for models with components: another's generative part, on what it compares, and the label term.
 *
 * <pre>
 * CD+CE           mean LSE f(x̃) − mean LSE f(x) + mean −log p(k|x)    chains on the marginal
 * JointCD         mean f(x̃)_k̃ − mean f(x)_k,  k̃ ~ p(k|x̃)             chains on the marginal
 * conditional CD  mean f(x̃)_k − mean f(x)_k                           chains on f(·)_k
 * cross-entropy   mean −log p(k|x)                                    no chains
 * </pre>
 *
 * <p>The first may divide its generative part by a smoothing factor α ({@link Smoothing}). In each the generative part may be
 * any other than contrastive divergence, such as the robust one. CD+CE with a class for
 * k is the joint energy model's objective (JEM). With times, the positives' part of the first is the second's, −mean f(z)_t; at
 * the negatives it has the expectation over t̃ where the second has one draw. The third learns every p(x|k) alone; the fourth
 * leaves the components between to tell their ratio.
 *
 * <p>Source: "Thinking Fourth Dimensionally", equations 6 and 8, algorithms 1 and 2; section 3.1 for the third.
 */
public interface JointObjective extends Objective {
    /** The generative part. */
    Objective by();

    @Override
    default Loss of(double[] positives, double[] negatives) {
        return by().of(positives, negatives);
    }

    @Override
    default double samplingScale() {
        return by().samplingScale();
    }

    @Override
    default boolean weighs() {
        return by().weighs();
    }

    @Override
    default boolean ranks() {
        return by().ranks();
    }

    @Override
    default boolean aboutLevel() {
        return by().aboutLevel();
    }

    @Override
    default double l2() {
        return by().l2();
    }

    @Override
    default int fewestPositives() {
        return by().fewestPositives();
    }

    @Override
    default Objective at(Moment now) {
        return new Custom(by().at(now), compares(), labels(), alpha());
    }

    @Override
    default void requireTemperature(double temperature) {
        Check.part("by." + Catalogue.name(by().getClass()), () -> by().requireTemperature(temperature));
    }

    /** Any of them. */
    @Doc("an objective for classes or times: a generative part, what it compares, and the weight of the label term")
    @Named("columns")
    record Custom(
            @Doc("the generative part") @Default("contrastive")
            Objective by,

            @Doc("what it compares: the marginal of x, pairs (x, k), or each component alone") @Default("marginal")
            ContrastedDensity compares,

            @Doc("the weight of the cross-entropy of the class or time") @Default("1") @Cites("grathwohl2020")
            double labels,

            @Doc("the smoothing factor α, by which the generative part is divided: a number, or {adaptive: {ratio: 1}}")
            @Default("1")
            Smoothing alpha)
            implements JointObjective {
        public Custom {
            check(labels, alpha);
            requirePlain(by);
        }

        @Override
        public String words() {
            return by.words() + " on " + compares.words()
                    + (labels > 0 ? " and cross-entropy of the component with weight " + Words.number(labels) : "")
                    + alpha.words();
        }
    }

    /** The generative part on the marginal LSE_k f(x)_k, and the cross-entropy of k; with classes it is JEM's. */
    @Doc("CD+CE: contrastive divergence, or another objective, on the marginal, and cross-entropy of the class or time")
    @Cites("grathwohl2020")
    record CdCe(
            @Doc("the generative part") @Default("contrastive")
            Objective by,

            @Doc("the weight of the cross-entropy") @Default("1")
            double labels,

            @Doc("the smoothing factor α, by which the generative part is divided: a number, or {adaptive: {ratio: 1}}")
            @Default("1")
            Smoothing alpha)
            implements JointObjective {
        public CdCe {
            check(labels, alpha);
            requirePlain(by);
        }

        @Override
        public ContrastedDensity compares() {
            return ContrastedDensity.MARGINAL;
        }

        @Override
        public String words() {
            return by.words() + " on all components together and cross-entropy of the component" + alpha.words();
        }
    }

    /** The generative part on pairs (x, k). */
    @Doc("JointCD: contrastive divergence, or another objective, on pairs with their class or time")
    @Cites("anonymous-time")
    record JointCd(
            @Doc("the generative part") @Default("contrastive")
            Objective by) implements JointObjective {
        public JointCd {
            requirePlain(by);
        }

        @Override
        public ContrastedDensity compares() {
            return ContrastedDensity.PAIR;
        }

        @Override
        public String words() {
            return by.words() + " on pairs, with a component drawn for each sample";
        }
    }

    /** The generative part on each component alone: f(x)_k given k. */
    @Doc("contrastive divergence, or another objective, on each class or time alone")
    record ConditionalCd(
            @Doc("the generative part") @Default("contrastive")
            Objective by) implements JointObjective {
        public ConditionalCd {
            requirePlain(by);
        }

        @Override
        public ContrastedDensity compares() {
            return ContrastedDensity.GIVEN;
        }

        @Override
        public String words() {
            return by.words() + " on each component alone";
        }
    }

    /** The cross-entropy of k alone: a classifier. */
    @Doc("cross-entropy of the class or time alone, without chains")
    record CrossEntropy() implements Objective {
        @Override
        public Loss of(double[] positives, double[] negatives) {
            return new Loss(0, new double[positives.length], new double[negatives.length], Map.of());
        }

        @Override
        public ContrastedDensity compares() {
            return ContrastedDensity.MARGINAL;
        }

        @Override
        public double labels() {
            return 1;
        }

        @Override
        public boolean sampled() {
            return false;
        }

        @Override
        public String words() {
            return "cross-entropy of the component alone, without chains";
        }
    }

    private static void check(double labels, Smoothing alpha) {
        Check.all(
                () -> Check.notNegative("labels", labels),
                () -> Check.require(
                        alpha == null || alpha.adaptive().isEmpty() || labels != 0,
                        "alpha",
                        "cannot be adaptive without the label term, whose gradient it looks at: let labels be above 0"));
    }

    /** The generative part is one that says nothing of components itself. */
    private static void requirePlain(Objective by) {
        Check.require(
                by == null || (!(by instanceof JointObjective) && by.sampled()),
                "by",
                "must be a generative objective, such as contrastive or robust");
    }

    /**
     * An objective that weighs samples against each other, on each component alone: only samples of one component have the same
     * unknown constant, so each component has a loss of its own, which counts by its share of the positives. A component without
     * negatives, or with too few positives for the objective, has none this time.
     */
    static Loss byComponent(Objective objective, double[] positives, long[] k, double[] negatives, long[] kNegative) {
        double[] up = new double[positives.length];
        double[] down = new double[negatives.length];
        Map<String, Double> parts = new java.util.TreeMap<>();
        double value = 0;
        double told = 0;
        for (long component : Arrays.stream(k).distinct().sorted().toArray()) {
            int[] rows = rows(k, component);
            int[] others = rows(kNegative, component);
            if (rows.length < objective.fewestPositives() || others.length == 0) {
                continue;
            }
            double share = (double) rows.length / positives.length;
            told += share;
            Loss loss = objective.of(at(positives, rows), at(negatives, others));
            value += share * loss.value();
            put(up, rows, loss.positiveGradient(), share);
            put(down, others, loss.negativeGradient(), share);
            loss.parts().forEach((name, part) -> parts.merge(name, share * part, Double::sum));
        }
        double all = told;
        parts.replaceAll((name, part) -> part / all);
        return new Loss(value, up, down, parts);
    }

    private static int[] rows(long[] k, long component) {
        return java.util.stream.IntStream.range(0, k.length)
                .filter(i -> k[i] == component)
                .toArray();
    }

    private static double[] at(double[] values, int[] rows) {
        return Arrays.stream(rows).mapToDouble(row -> values[row]).toArray();
    }

    private static void put(double[] into, int[] rows, double[] values, double factor) {
        for (int i = 0; i < rows.length; i++) {
            into[rows[i]] = factor * values[i];
        }
    }
}

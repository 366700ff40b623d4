package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * An attack on what a model says of samples: projected gradient descent on a score, such as the log-odds of the right class,
 * within a ball around each sample and within the pixels' range,
 *
 * <pre>
 * x' = Π(x' − α·direction(∇score(x'))), α = 2.5 ε/steps,
 * </pre>
 *
 * with the gradient's signs as the direction in L∞, and the gradient of length 1 in L2. It starts at a random point of the
 * ball, and of all points on the way the one with the lowest score is kept. Source: Madry et al. 2018.
 *
 * @param epsilon the ball's radius, in units of what the model sees
 * @param low the lowest value of a pixel
 * @param high the highest
 */
public record ProjectedGradient(Norm norm, double epsilon, int steps, double low, double high) {
    /** Steps that are usual, and enough for what is shown here. */
    public static final int STEPS = 40;

    /** How many radii the steps are long together. */
    private static final double REACH = 2.5;

    /** Added to lengths, so that a gradient of 0 has no direction. */
    private static final double TINY = 1e-38;

    public static final Figure ACCURACY_LINF = accuracy(Norm.LINF, false).citing("madry2018");
    public static final Figure ACCURACY_LINF_REFINED = accuracy(Norm.LINF, true).citing("madry2018");
    public static final Figure ACCURACY_L2 = accuracy(Norm.L2, false).citing("madry2018");
    public static final Figure ACCURACY_L2_REFINED = accuracy(Norm.L2, true).citing("madry2018");

    private static Figure accuracy(Norm norm, boolean refined) {
        return Figure.of(
                        name(norm, refined, "*"),
                        "Accuracy under an " + norm.words + " attack, ε = *" + (refined ? ", after refinement" : ""))
                .meaning(
                        "The share of held-out images that are still assigned to the right class after an attack by projected"
                                + " gradients on p(y|x) within an " + norm.words
                                + " ball of radius *, in units of what the model sees"
                                + (refined
                                        ? "; before they are classified they are moved by some steps of the recipe's kernel on"
                                                + " f, of which the attack knows nothing."
                                        : "."))
                .higher();
    }

    /** The name of an accuracy under attack, with the radius as text. */
    public static String name(Norm norm, boolean refined, String epsilon) {
        return "accuracy_" + norm.option + (refined ? "_refined_" : "_") + epsilon;
    }

    /** How far a point lies from another. */
    public enum Norm {
        /** By the coordinate that differs most. */
        LINF("linf", "L∞") {
            @Override
            Tensor direction(Tensor gradient) {
                return gradient.over(gradient.abs().addNumberInPlace(TINY));
            }

            @Override
            Tensor within(Tensor difference, double epsilon) {
                return difference.clamp(-epsilon, epsilon);
            }

            @Override
            Tensor random(Key key, double epsilon, Tensor x) {
                return Tensors.uniform(key, -epsilon, epsilon, x.dtype(), x.device(), x.shape());
            }
        },
        /** Straight. */
        L2("l2", "L2") {
            @Override
            Tensor direction(Tensor gradient) {
                return gradient.over(lengths(gradient).addNumberInPlace(TINY));
            }

            @Override
            Tensor within(Tensor difference, double epsilon) {
                Tensor lengths = lengths(difference).addNumberInPlace(TINY);
                return difference.times(lengths.pow(-1).timesInPlace(epsilon).clamp(0, 1));
            }

            @Override
            Tensor random(Key key, double epsilon, Tensor x) {
                Key[] keys = key.split(2);
                Tensor towards = direction(Tensors.normalLike(keys[0], 1, x));
                long n = x.size(0);
                double[] radii = keys[1].stream().doubles(n).toArray();
                double dimensions = (double) x.count() / n;
                for (int i = 0; i < radii.length; i++) {
                    radii[i] = epsilon * Math.pow(radii[i], 1 / dimensions);
                }
                return towards.timesInPlace(Tensors.like(x, radii, column(x)));
            }
        };

        private final String option;
        private final String words;

        Norm(String option, String words) {
            this.option = option;
            this.words = words;
        }

        /** The norm's name, for people. */
        public String words() {
            return words;
        }

        /** The steepest direction of length 1. */
        abstract Tensor direction(Tensor gradient);

        /** The nearest difference in the ball. */
        abstract Tensor within(Tensor difference, double epsilon);

        /** Uniform in the ball, like x. */
        abstract Tensor random(Key key, double epsilon, Tensor x);

        private static Tensor lengths(Tensor x) {
            return x.square().sumPerSample().sqrt().reshape(column(x));
        }
    }

    public ProjectedGradient {
        Check.notNegative("epsilon", epsilon);
        Check.atLeast("steps", steps, 1);
    }

    /** [n, 1, ...]. */
    private static long[] column(Tensor x) {
        long[] shape = x.shape();
        for (int i = 1; i < shape.length; i++) {
            shape[i] = 1;
        }
        return shape;
    }

    /** The samples moved so that the score falls, from a random start; all must lie in the pixels' range. */
    public Tensor attack(Key key, LogDensity score, Tensor x) {
        try (Scope scope = Scope.open()) {
            return scope.keep(from(norm.random(key, epsilon, x).addInPlace(x), score, x));
        }
    }

    /** Attacks from these points on, which are first brought into the ball. */
    Tensor from(Tensor start, LogDensity score, Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor at = allowed(start, x);
            Tensor best = at.copy();
            ValueAndGradient here = score.valueAndGradient(at);
            Tensor lowest = here.value().copy();
            for (int step = 0; step < steps; step++) {
                try (Scope each = Scope.open();
                        Tensor before = at;
                        Tensor bestBefore = best;
                        Tensor lowestBefore = lowest;
                        Tensor value = here.value();
                        Tensor gradient = here.gradient()) { // freed with the step, or memory would grow
                    Tensor direction = norm.direction(gradient).to(before.dtype());
                    at = each.keep(allowed(before.plus(direction, -REACH * epsilon / steps), x));
                    here = score.valueAndGradient(at);
                    each.keep(here.value());
                    each.keep(here.gradient());
                    Tensor better = here.value().lessThan(lowestBefore);
                    lowest = each.keep(here.value().where(better, lowestBefore));
                    best = each.keep(at.where(better.reshape(column(at)), bestBefore));
                }
            }
            return scope.keep(best);
        }
    }

    /** The ball holds the sample, and so does the range, so that the second keeps within the first. */
    private Tensor allowed(Tensor moved, Tensor x) {
        return norm.within(moved.minus(x), epsilon).addInPlace(x).clampInPlace(low, high);
    }
}

package dev.kelvin.objective;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Contrastive divergence: pushes f up at the data and down at the model's samples. With chains from a replay buffer it is
 * persistent contrastive divergence; with exact samples it is maximum likelihood.
 *
 * <p>loss = (1 − entropy)·mean f₋ − mean f₊ + l2·(mean f₊² + mean f₋²)
 *
 * <p>The weight on the entropy of the samples, H = −mean log p(x₋), is that of Shah 2024, whose form is 1: with f for log p, H
 * takes the negatives' part away. Differs from the paper: it is 0 by default, because the loss has no lower bound otherwise.
 * f + c instead of f, which is the same density, makes it smaller by entropy·c, however large c is; at 1 nothing at all holds
 * f down. Only an L2 penalty, or few steps, bound it.
 *
 * <p>The other reading of p is a distribution over the n negatives of the batch, p(xⱼ) = softmax(f₋/s)ⱼ, s being
 * {@code entropySoftmax}. Where α divides the loss, s = α gives f/α throughout, as the paper has it. Then
 *
 * <p>loss = (1 − entropy)·mean f₋ + entropy·s·LSE_j(f₋ⱼ/s) − mean f₊ + l2·(mean f₊² + mean f₋²),
 *
 * <p>which is the same for f + c. At s = 1 and weight 1 its gradient is that of "Robust to Inaccurate SGLD Samples",
 * equation 7, at β = 1, with chains on f instead of (1 − β)f.
 *
 * <p>Sources: Hinton 2002; Zhang 2021 (E = −f), with the L2 penalty; "Robust to Inaccurate SGLD Samples" at β = 0.
 */
@Doc("contrastive divergence: mean f(negatives) − mean f(positives)")
@Cites("hinton2002")
public record Contrastive(
        @Doc("the weight of the L2 penalty on f") @Default("0") @Cites("du2019")
        double l2,

        @Doc("the weight of the samples' entropy, −mean f(negatives); above 0 the loss has no lower bound")
        @Default("0")
        @Cites("shah2024")
        double entropy,

        @Doc(
                value =
                        "log p in the entropy is log softmax(f/s) over the batch's negatives; this is s, where there is an alpha the same",
                otherwise = "log p in the entropy is f")
        @Cites("shah2024")
        OptionalDouble entropySoftmax)
        implements Objective {
    /** The entropy's part of the loss. */
    public static final String ENTROPY = "entropy";

    public Contrastive {
        Check.all(
                () -> Check.notNegative("l2", l2),
                () -> Check.within("entropy", entropy, 0, 1),
                () -> Check.positive("entropySoftmax", entropySoftmax),
                () -> Check.require(
                        entropySoftmax.isEmpty() || entropy > 0,
                        "entropySoftmax",
                        "is about the entropy, whose weight is 0: say 'entropy: 1', or leave it out"));
    }

    /** With f for log p in the entropy. */
    public Contrastive(double l2, double entropy) {
        this(l2, entropy, OptionalDouble.empty());
    }

    /** Without a penalty and without the entropy. */
    public Contrastive() {
        this(0, 0);
    }

    @Override
    public Loss of(double[] positives, double[] negatives) {
        double[] up = new double[positives.length];
        double[] down = new double[negatives.length];
        Arrays.fill(up, -1.0 / positives.length);
        Arrays.fill(down, (1 - entropy) / negatives.length);
        double above = mean(negatives);
        double constant = 0; // log Z of p, times s
        if (entropySoftmax.isPresent()) {
            double s = entropySoftmax.getAsDouble();
            double top = Arrays.stream(negatives).max().orElse(0);
            double[] weights =
                    Arrays.stream(negatives).map(f -> Math.exp((f - top) / s)).toArray();
            double sum = Arrays.stream(weights).sum();
            constant = top + s * Math.log(sum);
            Arrays.setAll(down, j -> down[j] + entropy * weights[j] / sum);
        }
        double ofSamples = entropy * (constant - above);
        Map<String, Double> parts = entropy == 0 ? Map.of() : Map.of(ENTROPY, ofSamples);
        double value = (1 - entropy) * above + entropy * constant - mean(positives);
        return new Loss(value, up, down, parts).withL2(l2, positives, negatives);
    }

    @Override
    public boolean weighs() {
        return entropySoftmax.isPresent();
    }

    @Override
    public String words() {
        return "contrastive divergence"
                + (entropy > 0 ? " with the samples' entropy at weight " + Words.number(entropy) : "")
                + (entropySoftmax.isPresent()
                        ? ", p there being softmax(f/" + Words.number(entropySoftmax.getAsDouble()) + ") over them"
                        : "")
                + Loss.l2Words(l2);
    }

    static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length; // DoubleStream.sum compensates its rounding
    }
}

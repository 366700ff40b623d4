package dev.kelvin.objective;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Ladder;

/**
 * Thermodynamic integration: log p(x) by the mean log-likelihood at temperatures between the prior, t = 0, and the
 * posterior, t = 1.
 *
 * <pre>
 * tᵢ = (i/N_t)^p,  Eᵢ = mean log p(x|z) under p(z|x, tᵢ) ∝ p(x|z)^tᵢ p(z)
 * log p(x) ≈ ½ Σ (tᵢ − tᵢ₋₁)(Eᵢ₋₁ + Eᵢ) + η·½ Σ [KL(pᵢ₋₁‖pᵢ) − KL(pᵢ‖pᵢ₋₁)]
 * </pre>
 *
 * <p>With η = 1 and each x's own divergences it is exact. In mode {@code paper} they are those of Gaussians with the moments of
 * the whole batch, a diagonal covariance each, which mix the posteriors of different x: the public code does so too.
 *
 * <p>The exact gradient of the integral is that of equations 7 and 8, whatever the temperatures. With the samples held, as in
 * {@code corrected} and {@code detached}, the generator follows Σ wᵢ∇Eᵢ instead, in which draws of the prior weigh
 * w₀ = t₁/2: {@link #priorWeight}; see {@code docs/thermodynamic-integration.md}.
 *
 * <p>Source: Raj and Girolami 2024, equations 18 to 22; Friel and Pettitt 2008; Calderhead and Girolami 2009, equation
 * 17. Differs from
 * the paper: it prints the sum of the two divergences, its source has the difference, without which the identity fails.
 */
@Doc("thermodynamic integration: the likelihood at temperatures between the prior and the posterior")
@Cites({"raj2024", "friel2008", "calderhead2009"})
public record Integration(
        @Doc(
                "how it trains: corrected, the prior by contrastive divergence at the posterior, the generator by the samples of all"
                        + " temperatures, held fixed, which is not the integral's gradient; detached, as in the public code, the"
                        + " same generator and a prior that learns nothing; paper, by backpropagation through the chains")
        @Default("corrected")
        Mode mode,

        @Doc("N_t, the steps from the prior to the posterior") @Default("10")
        int count,

        @Doc("p: the i-th temperature is (i/N_t)^p, so that above 1 most lie near the prior") @Default("3")
        double power,

        @Doc(
                "η, the weight of the divergences between neighbours, those of the batch's moments; it matters in mode paper alone:"
                        + " in the others they have no gradient")
        @Default("1")
        double eta,

        @Doc("steps between two swaps of chains at neighbouring temperatures; 0 for none") @Default("0")
        int exchangeEvery,

        @Doc(
                "whether temperatures are adapted, to equal increments of the integrated standard deviation of the log-likelihood")
        @Default("false")
        boolean adaptive,

        @Doc(
                "whether the generator is trained on the draws of the prior too (t = 0), which know nothing of the image and have"
                        + " the weight t₁/2; the likelihood that is logged keeps them")
        @Default("true")
        boolean fromPrior) {
    /** What its gradient is. */
    public enum Mode {
        CORRECTED,
        DETACHED,
        PAPER
    }

    public Integration {
        Check.all(
                () -> Check.atLeast("count", count, 1),
                () -> Check.positive("power", power),
                () -> Check.notNegative("eta", eta),
                () -> Check.atLeast("exchangeEvery", exchangeEvery, 0));
    }

    /** tᵢ, from 0 to 1. */
    public Ladder ladder() {
        return Ladder.of(count, power);
    }

    /** What each temperature counts for in training: the trapezoid's weights, or these without the prior's. */
    public double[] weights(double... t) {
        double[] weights = new Ladder(t).weights();
        if (!fromPrior) {
            weights[0] = 0;
        }
        return weights;
    }

    /** w₀, the share of the generator's gradient that comes from draws of the prior where the samples are held. */
    public double priorWeight() {
        return weights(ladder().t())[0];
    }

    /** In words that follow "by ". */
    public String words() {
        return "thermodynamic integration over " + count + " steps of temperature "
                + (adaptive ? "that are adapted" : "with p = " + Words.number(power))
                + switch (mode) {
                    case CORRECTED -> "";
                    case DETACHED -> ", as the public code does it: the prior learns nothing";
                    case PAPER -> ", differentiated through the chains";
                }
                + (fromPrior ? "" : ", without the draws of the prior");
    }
}

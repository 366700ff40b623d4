package dev.kelvin.sample.posterior;

import dev.kelvin.diagnostic.Summary;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.chain.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a {@link PosteriorSampler} drew, and whether it may be believed.
 *
 * @param trace the draws, in the density's own coordinates
 * @param names of the coordinates
 * @param kernel what drew them, as the warm-up tuned it
 * @param thin steps between two draws
 * @param acceptance the mean acceptance of the proposals
 * @param divergences how many paths of HMC, of all chains, ended with an energy error above 1000
 */
public record Posterior(
        Trace trace, List<String> names, JitteredHmc kernel, int thin, double acceptance, long divergences) {
    private static final double AGREEMENT = 1.01;
    private static final double ENOUGH = 400;

    /** The share of divergent paths that smaller steps make up for. */
    private static final double FEW = 1e-3;

    public Posterior {
        names = List.copyOf(names);
    }

    /** Mean, sd, Monte Carlo errors, quantiles, effective sample sizes and R-hat of each coordinate. */
    public Summary summary() {
        return trace.summary(names);
    }

    /** What is wrong and what to do about it, in sentences; none where all is well. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        Summary summary = summary();
        for (Summary.Row row : summary.rows()) {
            if (Double.isNaN(row.rhat())) {
                warnings.add("R-hat of " + row.name() + " is not a number: its chains stand still.");
            }
        }
        double rhat = summary.worstRhat();
        if (rhat >= AGREEMENT) {
            warnings.add(say(
                    "R-hat is %.4g and should be below 1.01: the chains do not agree, and the summary is not to be"
                            + " believed. Take a longer warm-up and more draws; if it stays, the density has several modes,"
                            + " to which withExchange leads chains, or a narrow neck, which other parameters avoid"
                            + " (non-centred ones, of scales).",
                    rhat));
        }
        double least = summary.leastEss();
        if (!(least >= ENOUGH)) { // NaN too: of too few draws for a tail
            warnings.add("The draws are worth "
                    + (Double.isNaN(least) ? "an unknown number of" : say("only %.0f", least))
                    + " independent ones for one of the quantities, and about 400 are needed: take more draws.");
        }
        if (divergences > FEW * trace.draws() * trace.chains() * thin) {
            warnings.add(say(
                    "%d of %d paths diverged, with an energy error above 1000: the density has places that are too steep for"
                            + " the step size, and draws from there are missing. Parameters of scale that multiply others are"
                            + " the usual reason: write them non-centred.",
                    divergences, (long) trace.draws() * trace.chains() * thin));
        }
        return warnings;
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

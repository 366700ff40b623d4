package dev.kelvin.run;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.diagnostic.EffectiveSampleSize;
import dev.kelvin.diagnostic.Rhat;
import dev.kelvin.diagnostic.Summary;
import dev.kelvin.judge.Finding;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.part.Words;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.chain.Chains;
import dev.kelvin.sample.chain.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether chains are to be believed: their figures, coordinate by coordinate, and what they say in sentences. */
public record ChainDiagnostics(List<Summary.Row> coordinates, Chains chains, SamplerSuggestions remedies) {
    /** Draws of each chain without which there is no diagnosis: halves of 6. */
    public static final int LEAST_DRAWS = 12;

    private static final double RARE_TAILS = 4;

    /** Of chains with {@value #LEAST_DRAWS} draws or more; coordinates are named x1, x2, … */
    public static ChainDiagnostics of(Chains chains, SamplerSuggestions remedies) {
        Trace trace = chains.trace();
        List<String> names = IntStream.rangeClosed(1, trace.coordinates())
                .mapToObj(i -> "x" + i)
                .toList();
        return new ChainDiagnostics(trace.summary(names).rows(), chains, remedies);
    }

    /** The place of the coordinate with the largest R-hat; one that is not a number is worse than any. */
    public int worst() {
        return IntStream.range(0, coordinates.size())
                .boxed()
                .max(Comparator.comparingDouble(i -> coordinates.get(i).rhat()))
                .orElseThrow();
    }

    /** The largest R-hat of all coordinates, rank-normalised, of bulk or folded. */
    public double rhat() {
        return coordinates.get(worst()).rhat();
    }

    /** R-hat of Gelman and Rubin of one coordinate; not a number for a single chain. */
    public double classicRhat(int coordinate) {
        double[][] draws = chains.trace().coordinate(coordinate);
        return draws.length > 1 ? Rhat.classic(draws) : Double.NaN;
    }

    /** The smallest effective sample size of all coordinates. */
    public double leastBulk() {
        return coordinates.stream().mapToDouble(Summary.Row::essBulk).min().orElse(Double.NaN);
    }

    /** The smallest effective sample size for the 5 and 95 % quantiles of all coordinates. */
    public double leastTail() {
        return coordinates.stream().mapToDouble(Summary.Row::essTail).min().orElse(Double.NaN);
    }

    /** The figures for programs. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put(Rhat.RHAT.name(), rhat());
        figures.put(Rhat.CLASSIC_RHAT.name(), classicRhat(worst()));
        figures.put(EffectiveSampleSize.ESS_BULK.name(), leastBulk());
        figures.put(EffectiveSampleSize.ESS_TAIL.name(), leastTail());
        chains.acceptance().ifPresent(rate -> figures.put(ChainFigures.ACCEPTANCE.name(), rate));
        more(StepInfo.ENERGY_ERROR).ifPresent(error -> figures.put(ChainFigures.ENERGY_ERROR.name(), error[0]));
        more(StepInfo.DIVERGENCES).ifPresent(share -> figures.put(ChainFigures.DIVERGENCES.name(), share[0]));
        more(StepInfo.SWAPS).ifPresent(rates -> figures.put(ChainFigures.SWAP_RATES.name(), rates));
        return figures;
    }

    private Optional<double[]> more(String name) {
        return Optional.ofNullable(chains.more().get(name));
    }

    /** Whether the chains can be believed. */
    public boolean good() {
        return isGood(Rhat.RHAT, rhat())
                && isGood(EffectiveSampleSize.ESS_BULK, leastBulk())
                && isGood(EffectiveSampleSize.ESS_TAIL, leastTail());
    }

    private static boolean isGood(Figure figure, double value) {
        return figure.verdict(value) == Verdict.GOOD;
    }

    /** What is wrong in sentences; nothing where all is well. */
    public List<String> complaints() {
        return findings().stream().map(Finding::sentence).toList();
    }

    /** What is wrong and what to try; nothing where all is well. */
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        double rhat = rhat();
        if (Double.isNaN(rhat)) {
            String words = "R-hat of x" + (worst() + 1)
                    + " is not a number: its chains do not move, or have reached values that are not finite.";
            found.add(sampler(words, remedies.stepSize(1 / 3.0), remedies.paths()));
        } else if (!isGood(Rhat.RHAT, rhat)) {
            found.add(disagreement(rhat));
        }
        addSizes(found);
        chains.acceptance().ifPresent(rate -> addAcceptance(found, rate));
        more(StepInfo.ENERGY_ERROR)
                .filter(error -> !isGood(ChainFigures.ENERGY_ERROR, error[0]))
                .map(error -> Words.say(
                        "The Hamiltonian changes by %.3g along a trajectory: the leapfrog step is too large for the"
                                + " density's steepest places.",
                        error[0]))
                .ifPresent(words -> found.add(sampler(words, remedies.stepSize(1 / 2.0))));
        more(StepInfo.DIVERGENCES)
                .filter(share -> share[0] > 0)
                .map(share -> Words.say(
                        "%.3g %% of the trajectories diverged, with an energy error above 1000: the density has places"
                                + " that are too steep for the step size, and draws from there are missing.",
                        100 * share[0]))
                .ifPresent(words -> found.add(sampler(words, remedies.stepSize(1 / 2.0))));
        more(StepInfo.SWAPS).ifPresent(rates -> addSwaps(found, rates));
        return found;
    }

    private void addSizes(List<Finding> found) {
        double bulk = leastBulk();
        double tail = leastTail();
        if (bulk < EffectiveSampleSize.ESS_BULK.good()) {
            found.add(sampler(
                    Words.say("The draws are worth only %.0f independent ones; means need about 400.", bulk),
                    remedies.thinner(EffectiveSampleSize.ESS_BULK.good() / bulk),
                    remedies.paths()));
        } else if (tail < EffectiveSampleSize.ESS_TAIL.good() || tail < bulk / RARE_TAILS) {
            String words =
                    "The effective sample size of the tails is only %.0f, against %.0f of the bulk: quantiles are uncertain.";
            found.add(sampler(Words.say(words, tail, bulk), remedies.longer(), remedies.stepSize(1 / 2.0)));
        }
    }

    private Finding disagreement(double rhat) {
        String where = Words.say("R-hat is %.4g at x%d and should be below 1.01: ", rhat, worst() + 1);
        if (settled(chains.trace().coordinate(worst()))) {
            String modes = "each chain is settled, but not in the same place as the others; they sit in different modes"
                    + " and don't cross.";
            return sampler(where + modes, remedies.replicas());
        }
        String slow = "the chains mix too slowly, or have not converged yet.";
        return sampler(where + slow, remedies.longer(), remedies.paths());
    }

    /** Whether the halves of most chains agree with each other: then it is the chains that differ. */
    private static boolean settled(double[][] chains) {
        long unsettled = Stream.of(chains)
                .filter(chain -> Rhat.split(new double[][] {chain}) >= 1.1)
                .count();
        return 2 * unsettled < chains.length;
    }

    private void addAcceptance(List<Finding> found, double rate) {
        if (ChainFigures.ACCEPTANCE.verdict(rate) == Verdict.POOR) {
            boolean low = !(rate >= ChainFigures.ACCEPTANCE.good());
            String words = low
                    ? "Only %.1f %% of the proposals are accepted: the step size is too large."
                    : "%.1f %% of the proposals are accepted: the step size is too small to move.";
            found.add(sampler(Words.say(words, 100 * rate), remedies.stepSize(low ? 1 / 3.0 : 3)));
        }
    }

    private void addSwaps(List<Finding> found, double[] rates) {
        for (int i = 0; i < rates.length; i++) {
            if (ChainFigures.SWAP_RATES.verdict(rates[i]) == Verdict.POOR) {
                String words = "Temperatures %d and %d change places in only %.1f %% of the exchanges: what the hot"
                        + " replicas find does not reach the cold one.";
                found.add(sampler(Words.say(words, i + 1, i + 2, 100 * rates[i]), remedies.replicas()));
            }
        }
    }

    @SafeVarargs
    private static Finding sampler(String problem, Optional<Finding.Advice>... advice) {
        return Finding.of(About.SAMPLER, problem, advice);
    }
}

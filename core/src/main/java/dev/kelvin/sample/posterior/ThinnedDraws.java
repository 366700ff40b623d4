package dev.kelvin.sample.posterior;

import dev.kelvin.diagnostic.EffectiveSampleSize;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.chain.Trace;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Draws of a tuned kernel, with enough steps between two of them; where their number is not given,
 * one, doubled until each chain's draws are worth 200 independent ones.
 */
final class ThinnedDraws {
    /** What a chain's draws are to be worth, or half of their number: R-hat of chains that agree is then about 1.005. */
    private static final double ENOUGH = 200;

    /** The most steps that may lie between two draws for it. */
    private static final int MOST_THIN = 64;

    /** The doublings that must raise the effective draws by {@link #GAIN} to go on: chains in modes of their own gain nothing. */
    private static final int PATIENCE = 3;

    private static final double GAIN = 1.2;

    private final Key key;
    private final JitteredHmc kernel;
    private final LogDensity target;
    private final int every;
    private Tensor x;
    private int steps;
    private double accepted;
    private double diverged;

    /** The draws, in the target's coordinates. */
    final Trace trace;

    /** Makes {@code draws} draws of each chain; chains start at x, [chains, ...]. */
    ThinnedDraws(Key key, JitteredHmc kernel, LogDensity target, Tensor x, int draws, OptionalInt thin) {
        this.key = key;
        this.kernel = kernel;
        this.target = target;
        this.every = thin.orElse(1);
        this.trace = new Trace(draws);
        this.x = x;
        more(draws * every);
        if (thin.isEmpty()) {
            untilEnough(draws);
        }
    }

    /** Steps between two draws. */
    int thin() {
        return trace.stride() * every;
    }

    /** The mean acceptance. */
    double acceptance() {
        return accepted / steps;
    }

    /** How many paths diverged, of all chains. */
    long divergences() {
        return Math.round(diverged * trace.chains());
    }

    private void more(int count) {
        ChainRun walk = ChainRun.run(key, kernel, target, x, steps, count, (step, state) -> {
            if (step % every == 0) {
                trace.add(state.x());
            }
        });
        x = walk.x();
        steps += count;
        accepted += count * walk.acceptance().orElseThrow();
        diverged += count * walk.more().getOrDefault(StepInfo.DIVERGENCES, new double[] {0})[0];
    }

    /** Doubles the steps until the draws are worth enough, or eight times as many are worth no more. */
    private void untilEnough(int draws) {
        double enough = Math.min(ENOUGH, draws / 2.0) * trace.chains();
        List<Double> worth = new ArrayList<>(List.of(leastEss()));
        int last = 0;
        while (worth.get(last) < enough && trace.stride() < MOST_THIN) {
            more(steps); // the trace drops every second draw
            worth.add(leastEss());
            last++;
            if (last >= PATIENCE && worth.get(last) <= GAIN * worth.get(last - PATIENCE)) {
                return;
            }
        }
    }

    /** What the draws of the slowest coordinate are worth, in bulk and tails; 0 where one stood still. */
    private double leastEss() {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < trace.coordinates(); i++) {
            double[][] chains = trace.coordinate(i);
            least = Math.min(least, EffectiveSampleSize.bulk(chains));
            least = Math.min(least, EffectiveSampleSize.tail(chains));
        }
        return Double.isNaN(least) ? 0 : least;
    }
}

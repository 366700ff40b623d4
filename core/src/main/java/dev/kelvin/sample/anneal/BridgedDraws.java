package dev.kelvin.sample.anneal;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Ladder;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Independent samples of densities that are roughly N(0, I), such as conditionals in the coordinates of a Gaussian's:
 * chains are brought there by annealed importance sampling, drawn anew by their weights within each group, and moved on
 * by {@link Mala}
 * until those that were one have parted. Modes so have their shares even where no chain could walk from one to the other.
 *
 * @param densities on the way from N(0, I)
 * @param moves on the density itself, after the last
 * @param least the fewest chains of a group, whose weights tell the shares of modes
 */
public record BridgedDraws(int densities, int moves, int least) {
    /** What conditionals of tables are drawn with. */
    public static final BridgedDraws USUAL = new BridgedDraws(64, 64, 64);

    /** Temperatures lie denser near N(0, I), where a density that is far from it gives most chains no weight. */
    private static final double POWER = 2;

    public BridgedDraws {
        Check.all(
                () -> Check.atLeast("densities", densities, 1),
                () -> Check.notNegative("moves", moves),
                () -> Check.atLeast("least", least, 1));
    }

    /** The number of chains of a group of which {@code wanted} samples are drawn. */
    public int chains(int wanted) {
        return Math.max(least, wanted);
    }

    /**
     * Samples of groups of chains, those of one group being of one density: [groups · wanted, d], a group after the other.
     *
     * @param f a density of [groups · chains(wanted), d] rows
     */
    public Tensor draw(Key key, LogDensity f, int groups, int wanted, int d, Device device) {
        Check.atLeast("wanted", wanted, 1);
        Key[] keys = key.split(4);
        int each = chains(wanted);
        try (Scope scope = Scope.open()) {
            Tensor start = Tensors.normal(keys[0], DType.FLOAT, device, (long) groups * each, d);
            BridgeRun run = BridgeRun.adapting(keys[1], f, Ladder.of(densities, POWER), start);
            Tensor drawn = run.u().rows(resampled(keys[2], run.logWeights(), each));
            double step = Math.exp(run.logSteps()[run.logSteps().length - 1]);
            Tensor ends = BridgeRun.settled(keys[3], f, step, drawn, moves);
            return scope.keep(wanted == each ? ends : ends.rows(some(keys[2].child(1), groups, each, wanted)));
        }
    }

    /** Rows resampled by their weights within each group. */
    private static long[] resampled(Key key, double[] logWeights, int each) {
        return IntStream.iterate(0, from -> from < logWeights.length, from -> from + each)
                .mapToObj(from -> Arrays.stream(
                                BridgeRun.resampled(key.child(from), Arrays.copyOfRange(logWeights, from, from + each)))
                        .map(row -> from + row))
                .flatMapToLong(rows -> rows)
                .toArray();
    }

    /** Rows of {@code wanted} chains of each group, in random order, as copies of one chain lie side by side. */
    private static long[] some(Key key, int groups, int each, int wanted) {
        long[] rows = new long[groups * wanted];
        for (int group = 0; group < groups; group++) {
            long[] order = key.child(group).permutation(each);
            for (int i = 0; i < wanted; i++) {
                rows[group * wanted + i] = (long) group * each + order[i];
            }
        }
        return rows;
    }
}

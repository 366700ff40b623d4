package dev.kelvin.sample;

import dev.kelvin.tensor.Key;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Exchanges between neighbours on a ladder of densities exp(wᵢf): rungs (0, 1), (2, 3), … and then (1, 2), (3, 4), …, each
 * accepted with probability min(1, exp((wᵢ − wⱼ)(f(xⱼ) − f(xᵢ)))).
 *
 * @param order row i of the next replicas is row order[i] of the present ones
 * @param rates how often each rung exchanged with the next on average
 */
public record Swaps(long[] order, double[] rates) {
    /** Of replicas whose f is {@code values}, each rung's in the order of the chains, one rung after the other. */
    public static Swaps of(Key key, double[] values, double... weights) {
        RandomGenerator random = key.stream();
        int rungs = weights.length;
        int chains = values.length / rungs;
        long[] order = new long[values.length];
        Arrays.setAll(order, i -> i);
        double[] accepted = new double[rungs - 1];
        for (int first = 0; first < 2; first++) {
            for (int rung = first; rung + 1 < rungs; rung += 2) {
                double difference = weights[rung] - weights[rung + 1];
                for (int chain = 0; chain < chains; chain++) {
                    int one = rung * chains + chain;
                    int next = one + chains;
                    double log = difference * (values[(int) order[next]] - values[(int) order[one]]);
                    accepted[rung] += Math.min(1, Math.exp(log));
                    if (Math.log(random.nextDouble()) < log) {
                        long row = order[one];
                        order[one] = order[next];
                        order[next] = row;
                    }
                }
            }
        }
        return new Swaps(order, Arrays.stream(accepted).map(sum -> sum / chains).toArray());
    }

    /** The way back: where row i of the present replicas went. */
    public long[] inverse() {
        long[] back = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            back[(int) order[i]] = i;
        }
        return back;
    }
}

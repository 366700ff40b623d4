package dev.kelvin.distributed;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A step's batch in parts of equal size, each with keys, chains and replay buffers of its own, and the ranks that compute them:
 * rank r of R has the r-th of R equal ranges of shards. Shards are part of what is computed and ranks are not: all numbers are
 * put together in the order of the shards, and sums are taken in a binary tree over them, so that the result is the same to the
 * bit on CPUs however many ranks there are.
 *
 * @param count how many shards, a power of two
 * @param ranks who computes them; as many as divide the shards
 */
public record Shards(int count, Ranks ranks) {
    /** The whole batch as one, on one rank. */
    public static final Shards ONE = new Shards(1, Ranks.ALONE);

    public Shards {
        requireCount(count);
        Check.require(
                count % ranks.size() == 0,
                "shards",
                "must be a multiple of the number of ranks, " + ranks.size() + ", found " + count);
    }

    /** Refuses a number that is no power of two. */
    public static void requireCount(int count) {
        Check.atLeast("shards", count, 1);
        Check.require(
                Integer.bitCount(count) == 1,
                "shards",
                "must be a power of two, because gradients are added in a binary tree over the shards; found " + count);
    }

    /** Whether there are several. */
    public boolean several() {
        return count > 1;
    }

    /** How many this rank has. */
    public int each() {
        return count / ranks.size();
    }

    /** The first of this rank's shards. */
    public int first() {
        return ranks.rank() * each();
    }

    /** This rank's shards. */
    public IntStream own() {
        return IntStream.range(first(), first() + each());
    }

    /** The numbers of all shards in their order, of those of this rank's; as many of each. */
    public List<double[]> gather(List<double[]> own) {
        int length = own.get(0).length;
        if (ranks.size() == 1 || length == 0) {
            return ranks.size() == 1
                    ? own
                    : IntStream.range(0, count).mapToObj(shard -> new double[0]).toList();
        }
        double[] flat = own.stream().flatMapToDouble(Arrays::stream).toArray();
        try (Scope scope = Scope.open()) {
            double[] all = ranks.gather(Tensors.of(flat)).toDoubles();
            return IntStream.range(0, count)
                    .mapToObj(shard -> Arrays.copyOfRange(all, shard * length, (shard + 1) * length))
                    .toList();
        }
    }

    /** The means over all shards of named numbers, of which each shard has the same. */
    public Map<String, Double> means(List<Map<String, Double>> own) {
        if (!several()) {
            return own.get(0);
        }
        List<String> names = List.copyOf(new TreeSet<>(own.get(0).keySet()));
        List<double[]> all = gather(own.stream()
                .map(each -> names.stream()
                        .mapToDouble(name -> each.getOrDefault(name, Double.NaN))
                        .toArray())
                .toList());
        Map<String, Double> means = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            int at = i;
            double sum = 0;
            for (double[] shard : all) {
                sum += shard[at];
            }
            means.put(names.get(i), sum / count);
        }
        return means;
    }

    /** The sum over all shards of flat vectors, of those of this rank's, the first of which it is put into. */
    public Tensor sum(List<Tensor> own) {
        Tensor sum = added(own);
        if (ranks.size() > 1) {
            try (Scope scope = Scope.open()) {
                Tensor rows = ranks.gather(sum);
                List<Tensor> each = new ArrayList<>();
                for (int rank = 0; rank < ranks.size(); rank++) {
                    each.add(rows.select(0, rank));
                }
                sum.copyInPlace(added(each));
            }
        }
        return sum;
    }

    /** ((0 + 1) + (2 + 3)) + ..., in place: a rank's range of shards is one branch of the tree over all of them. */
    private static Tensor added(List<Tensor> vectors) {
        for (int apart = 1; apart < vectors.size(); apart *= 2) {
            for (int i = 0; i + apart < vectors.size(); i += 2 * apart) {
                vectors.get(i).addInPlace(vectors.get(i + apart));
            }
        }
        return vectors.get(0);
    }
}

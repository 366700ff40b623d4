package dev.kelvin.metric;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/** Some of a set's samples, drawn without putting back. */
public final class Subset {
    private Subset() {}

    /** At most {@code most} rows of a set [n, ...], in its order; all of them where it has no more. */
    public static Tensor of(Key key, Tensor set, int most) {
        return set.size(0) <= most ? set : set.rows(draw(key, set.size(0), most));
    }

    /** Numbers of {@code size} different rows among {@code count}, ascending; every subset is equally likely. */
    public static long[] draw(Key key, long count, int size) {
        int all = Math.toIntExact(count);
        RandomGenerator random = key.stream();
        BitSet taken = new BitSet(all);
        // Floyd's sampling: one number a draw
        for (int last = all - size; last < all; last++) {
            int row = random.nextInt(last + 1);
            taken.set(taken.get(row) ? last : row);
        }
        return taken.stream().asLongStream().toArray();
    }
}

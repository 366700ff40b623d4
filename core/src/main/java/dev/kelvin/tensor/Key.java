package dev.kelvin.tensor;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Randomness as a value: a seed of 128 bits that splits. The same key gives the same numbers on any thread, in any
 * order; different keys give independent numbers.
 *
 * <p>A key is used once. For two needs, {@link #split} it; for the needs of a loop, take {@link #child children} by
 * number. Children are mixed from their parent by four rounds of the finaliser of SplitMix64 (Steele, Lea, Flood
 * 2014), streams are xoshiro256++ (Blackman, Vigna 2021). libtorch's own CPU generator keeps 32 bits of its seed.
 */
public record Key(long high, long low) {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L; // 2^64 / golden ratio, SplitMix64's increment
    private static final long SILVER = 0xD1342543DE82EF95L; // a second odd constant, so that the halves differ

    /** The root key of a run. */
    public static Key of(long seed) {
        return new Key(mix(seed), mix(seed ^ SILVER)).child(0);
    }

    /** The child with this number; every number gives another, independent key. */
    public Key child(long index) {
        long a = mix(high + GOLDEN * (index + 1));
        long b = mix(low ^ mix(index ^ SILVER));
        Key child = new Key(mix(a ^ Long.rotateLeft(b, 32)), mix(b + SILVER * a));
        if (Recording.isOpen()) {
            Recording.derived(this, index, child);
        }
        return child;
    }

    /** The first {@code count} children. */
    public Key[] split(int count) {
        Key[] keys = new Key[count];
        Arrays.setAll(keys, this::child);
        return keys;
    }

    /** The key's numbers, for code that draws one by one. */
    public RandomGenerator stream() {
        return new Stream(this);
    }

    /** The numbers 0 to count − 1 in random order, each order as likely (Fisher and Yates). */
    public long[] permutation(int count) {
        RandomGenerator random = stream();
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    /** One number of 64 bits, for generators that want a seed. */
    long seed() {
        return mix(high ^ Long.rotateLeft(low, 17));
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** xoshiro256++; the JDK's defaults give ints, doubles and Gaussians (McFarland's ziggurat) from its longs. */
    static final class Stream implements RandomGenerator {
        private long s0;
        private long s1;
        private long s2;
        private long s3;

        Stream(Key key) {
            s0 = mix(key.high + GOLDEN);
            s1 = mix(key.low + SILVER);
            s2 = mix(key.high ^ Long.rotateLeft(key.low, 32));
            s3 = mix(s0 ^ s1 ^ GOLDEN) | 1; // never all zero
        }

        @Override
        public long nextLong() {
            long result = Long.rotateLeft(s0 + s3, 23) + s0;
            long t = s1 << 17;
            s2 ^= s0;
            s3 ^= s1;
            s1 ^= s2;
            s0 ^= s3;
            s2 ^= t;
            s3 = Long.rotateLeft(s3, 45);
            return result;
        }
    }
}

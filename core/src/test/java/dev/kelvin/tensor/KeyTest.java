package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeyTest {
    /** Values from a Python transcription of the Javadoc's construction, with integers of any size, reduced mod 2^64. */
    @Test
    void keysAndStreamsAreAsDescribed() {
        Key root = Key.of(1);
        assertThat(root).isEqualTo(new Key(0x54fad1b266cf50eaL, 0x60ab9c12b1592203L));
        assertThat(root.child(2)).isEqualTo(new Key(0xef50afe120c2aeb4L, 0xd18377157f0d39cdL));
        assertThat(root.child(-1)).isEqualTo(new Key(0x1590b7bfbed261c0L, 0x68d140ad0a987018L));
        RandomGenerator stream = root.stream();
        assertThat(new long[] {stream.nextLong(), stream.nextLong(), stream.nextLong(), stream.nextLong()})
                .containsExactly(0xfa24b8a2120b41d9L, 0x56f8e2b41c2cfc19L, 0x9cc2d46fe5bb2940L, 0x8fae46cdd98a243fL);
    }

    @Test
    void splitGivesTheFirstChildren() {
        Key key = Key.of(7);
        assertThat(key.split(3)).containsExactly(key.child(0), key.child(1), key.child(2));
    }

    @Test
    void aKeyIsAValue() {
        Key key = Key.of(7);
        key.stream().nextLong();
        key.child(1).stream().nextLong();
        assertThat(key).isEqualTo(Key.of(7));
        assertThat(key.stream().nextLong()).isEqualTo(Key.of(7).stream().nextLong());
    }

    @Test
    void neighbouringAndExtremeNumbersGiveDifferentKeys() {
        Set<Key> keys = new HashSet<>();
        long[] odd = {0, 1, -1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32};
        for (long seed : odd) {
            assertThat(keys.add(Key.of(seed))).isTrue();
            for (long index : odd) {
                assertThat(keys.add(Key.of(seed).child(index))).isTrue();
                assertThat(keys.add(Key.of(seed).child(index).child(0))).isTrue();
            }
        }
    }

    @Test
    void theSameKeyGivesTheSameNumbersOnOneAndOnEightThreads() throws InterruptedException, ExecutionException {
        Key key = Key.of(3);
        List<float[]> one = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            one.add(draw(key.child(i)));
        }
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<float[]>> eight = new ArrayList<>();
            for (int i = 63; i >= 0; i--) { // in another order too
                Key child = key.child(i);
                eight.add(threads.submit(() -> draw(child)));
            }
            for (int i = 0; i < 64; i++) {
                assertThat(eight.get(63 - i).get()).isEqualTo(one.get(i));
            }
        } finally {
            threads.shutdown();
        }
    }

    private static float[] draw(Key key) {
        try (Scope scope = Scope.open()) {
            return Tensors.concat(
                            0,
                            Tensors.normal(key.child(0), 100),
                            Tensors.uniform(key.child(1), -1, 1, DType.FLOAT, Device.CPU, 100))
                    .toFloats();
        }
    }

    /** A run in double is the run in float with more digits, not another run. */
    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT", "BFLOAT16"})
    void everyTypeGetsTheSameNumbersRounded(DType type) {
        try (Scope scope = Scope.open()) {
            Tensor exact = Tensors.normal(Key.of(4), DType.DOUBLE, Device.CPU, 50);
            Tensor rounded = Tensors.normal(Key.of(4), type, Device.CPU, 50);
            assertThat(rounded.toDoubles()).isEqualTo(exact.to(type).toDoubles());
        }
    }

    @Test
    void shapesSpreadTheSameNumbers() {
        try (Scope scope = Scope.open()) {
            float[] flat = Tensors.normal(Key.of(5), 12).toFloats();
            assertThat(Tensors.normal(Key.of(5), 3, 4).toFloats()).isEqualTo(flat);
            assertThat(Tensors.normal(Key.of(5), 5).toFloats()).isEqualTo(Arrays.copyOf(flat, 5));
            Tensor scaled = Tensors.normalLike(Key.of(5), 2, Tensors.zeros(DType.FLOAT, Device.CPU, 12));
            for (int i = 0; i < 12; i++) {
                assertThat(scaled.toFloats()[i]).isEqualTo(2 * flat[i]);
            }
            assertThat(Tensors.normal(Key.of(5), 0, 4).count()).isZero();
        }
    }

    @Test
    void uniformNumbersKeepTheirBounds() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.uniform(Key.of(6), -0.25, 0.75, DType.DOUBLE, Device.CPU, 10_000);
            assertThat(x.min().item()).isBetween(-0.25, -0.249); // P(none below) = 0.999^10000 = 5e-5
            assertThat(x.max().item()).isBetween(0.749, 0.75);
        }
    }
}

package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations against the same in plain Java, on keyed random cases. */
final class TensorTest {
    private static final double ULPS = 1e-14; // relative; a few units in the last place of a double

    private Scope scope;

    @BeforeEach
    void open() {
        scope = Scope.open();
    }

    @AfterEach
    void close() {
        scope.close();
    }

    private static Tensor normal(long seed, long... shape) {
        return Tensors.normal(Key.of(seed), DType.DOUBLE, Device.CPU, shape);
    }

    private static Tensor positive(long seed, long... shape) {
        return Tensors.uniform(Key.of(seed), 0.1, 3, DType.DOUBLE, Device.CPU, shape);
    }

    private static void assertNumbers(Tensor found, IntToDoubleFunction expected) {
        double[] numbers = found.toDoubles();
        for (int i = 0; i < numbers.length; i++) {
            double right = expected.applyAsDouble(i);
            assertThat(numbers[i]).as("number " + i).isCloseTo(right, within(ULPS * Math.max(1, Math.abs(right))));
        }
    }

    private static void assertMaps(Tensor x, Tensor found, DoubleUnaryOperator expected) {
        assertThat(found.shape()).isEqualTo(x.shape());
        double[] numbers = x.toDoubles();
        assertNumbers(found, i -> expected.applyAsDouble(numbers[i]));
    }

    private static void assertMaps(Tensor x, Tensor y, Tensor found, DoubleBinaryOperator expected) {
        double[] a = x.toDoubles();
        double[] b = y.toDoubles();
        assertNumbers(found, i -> expected.applyAsDouble(a[i], b[i]));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void elementwiseOperations(long seed) {
        Tensor x = normal(seed, 7, 5);
        Tensor y = positive(seed + 10, 7, 5);
        assertMaps(x, y, x.plus(y), (a, b) -> a + b);
        assertMaps(x, y, x.minus(y), (a, b) -> a - b);
        assertMaps(x, y, x.times(y), (a, b) -> a * b);
        assertMaps(x, y, x.over(y), (a, b) -> a / b);
        assertMaps(x, y, x.lessThan(y), (a, b) -> a < b ? 1 : 0);
        assertMaps(x, x.plus(1.5), a -> a + 1.5);
        assertMaps(x, x.minus(1.5), a -> a - 1.5);
        assertMaps(x, x.times(-0.01), a -> a * -0.01);
        assertMaps(x, x.over(3), a -> a / 3);
        assertMaps(x, x.negate(), a -> -a);
        assertMaps(x, x.exp(), Math::exp);
        assertMaps(y, y.log(), Math::log);
        assertMaps(y, y.sqrt(), Math::sqrt);
        assertMaps(x, x.square(), a -> a * a);
        assertMaps(x, x.abs(), Math::abs);
        assertMaps(x, x.sin(), Math::sin);
        assertMaps(x, x.cos(), Math::cos);
        assertMaps(x, x.tanh(), Math::tanh);
        assertMaps(x, x.sigmoid(), a -> 1 / (1 + Math.exp(-a)));
        assertMaps(y, y.pow(1.7), a -> Math.pow(a, 1.7));
        assertMaps(x, x.floor(), Math::floor);
        assertMaps(x, x.clamp(-0.5, 0.25), a -> Math.max(-0.5, Math.min(0.25, a)));
        assertMaps(x, x.relu(), a -> Math.max(a, 0));
        assertMaps(x, x.leakyRelu(0.05), a -> a > 0 ? a : 0.05 * a);
        assertMaps(x, x.silu(), a -> a / (1 + Math.exp(-a)));
        assertMaps(x, x.softplus(), a -> Math.log1p(Math.exp(a)));
        assertMaps(y, x, y.leakyReluBackward(x, 0.05), (g, out) -> out > 0 ? g : 0.05 * g);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void inPlaceOperations(long seed) {
        Tensor x = normal(seed, 12);
        Tensor y = positive(seed + 10, 12);
        assertMaps(x, y, x.copy().addInPlace(y), (a, b) -> a + b);
        assertMaps(x, y, x.copy().addInPlace(y, -0.3), (a, b) -> a - 0.3 * b);
        assertMaps(x, y, x.copy().addProductInPlace(x, y, 0.3), (a, b) -> a + 0.3 * a * b);
        assertMaps(x, y, x.copy().addQuotientInPlace(x, y, 0.3), (a, b) -> a + 0.3 * a / b);
        assertMaps(x, y, x.copy().copyInPlace(y), (a, b) -> b);
        assertMaps(x, x.copy().timesInPlace(0.3), a -> a * 0.3);
        assertMaps(x, x.copy().addNumberInPlace(0.3), a -> a + 0.3);
        assertMaps(x, x.copy().clampInPlace(-0.5, 0.5), a -> Math.max(-0.5, Math.min(0.5, a)));
    }

    @Test
    void reductions() {
        Tensor x = normal(1, 4, 3, 2);
        double[] a = x.toDoubles();
        assertNumbers(x.sum(), i -> Arrays.stream(a).sum());
        assertNumbers(x.mean(), i -> Arrays.stream(a).sum() / 24);
        assertNumbers(x.max(), i -> Arrays.stream(a).max().orElseThrow());
        assertNumbers(x.min(), i -> Arrays.stream(a).min().orElseThrow());
        assertNumbers(x.norm(), i -> Math.sqrt(Arrays.stream(a).map(v -> v * v).sum()));
        assertThat(x.sum(1L).shape()).containsExactly(4, 2);
        assertNumbers(x.sum(1L), i -> a[i / 2 * 6 + i % 2] + a[i / 2 * 6 + 2 + i % 2] + a[i / 2 * 6 + 4 + i % 2]);
        assertThat(x.mean(0L, 2L).shape()).containsExactly(3);
        assertNumbers(
                x.mean(0L, 2L),
                j -> IntStream.range(0, 8)
                                .mapToDouble(k -> a[k / 2 * 6 + j * 2 + k % 2])
                                .sum()
                        / 8);
        assertThat(x.sumPerSample().shape()).containsExactly(4);
        assertNumbers(x.sumPerSample(), n -> Arrays.stream(a, n * 6, n * 6 + 6).sum());
    }

    @Test
    void theMedianIsTheMiddleOrTheMeanOfTheMiddleTwo() {
        assertThat(Tensors.of(new double[] {3, 1, 2}, 3).median().item()).isEqualTo(2);
        assertThat(Tensors.of(new double[] {4, 1, 2, 3.5}, 2, 2).median().item())
                .isEqualTo(2.75);
        assertThat(Tensors.of(new double[] {4, Double.NaN, 2}, 3).median().item())
                .isNaN();
        for (int count : new int[] {1, 2, 999, 1000}) {
            float[] numbers = Tensors.normal(Key.of(count), DType.FLOAT, Device.CPU, count)
                    .toFloats();
            float[] sorted = numbers.clone();
            Arrays.sort(sorted);
            float low = sorted[(count - 1) / 2];
            float high = sorted[count / 2];
            assertThat(Tensors.of(numbers, count).median().item()).isEqualTo(high - (high - low) / 2);
        }
    }

    @Test
    void softmaxesDoNotOverflow() {
        Tensor x = Tensors.of(new double[] {1000, 1001, -1000, -1001}, 2, 2);
        double e = Math.log1p(Math.exp(-1));
        assertThat(x.logSumExp(1).toDoubles()).containsExactly(1001 + e, -1000 + e);
        assertNumbers(x.logSoftmax(1), i -> i == 0 || i == 3 ? -1 - e : -e);
        assertNumbers(x.softmax(1), i -> i == 0 || i == 3 ? Math.exp(-1 - e) : Math.exp(-e));
    }

    @Test
    void matrices() {
        Tensor x = normal(1, 3, 4);
        Tensor w = normal(2, 5, 4);
        Tensor b = normal(3, 5);
        double[] xs = x.toDoubles();
        double[] ws = w.toDoubles();
        double[] bs = b.toDoubles();
        IntToDoubleFunction product = i -> IntStream.range(0, 4)
                .mapToDouble(k -> xs[i / 5 * 4 + k] * ws[i % 5 * 4 + k])
                .sum();
        assertNumbers(x.matmul(w.transpose()), product);
        assertNumbers(x.affine(w.transpose(), b), i -> product.applyAsDouble(i) + bs[i % 5]);
        assertNumbers(
                x.distances(w),
                i -> Math.sqrt(IntStream.range(0, 4)
                        .mapToDouble(k -> Math.pow(xs[i / 5 * 4 + k] - ws[i % 5 * 4 + k], 2))
                        .sum()));
        assertNumbers(Tensors.eye(3, DType.DOUBLE), i -> i % 4 == 0 ? 1 : 0);
    }

    @Test
    void shapes() {
        Tensor x = Tensors.of(new double[] {0, 1, 2, 3, 4, 5}, 2, 3);
        assertThat(x.dim()).isEqualTo(2);
        assertThat(x.size(1)).isEqualTo(3);
        assertThat(x.count()).isEqualTo(6);
        assertThat(x).hasToString("DOUBLE[2, 3] on cpu");
        assertThat(x.transpose().toDoubles()).containsExactly(0, 3, 1, 4, 2, 5);
        assertThat(x.reshape(-1).shape()).containsExactly(6);
        assertThat(x.unsqueeze(1).shape()).containsExactly(2, 1, 3);
        assertThat(x.unsqueeze(1).squeeze(1).shape()).containsExactly(2, 3);
        assertThat(x.narrow(1, 1, 2).toDoubles()).containsExactly(1, 2, 4, 5);
        assertThat(x.select(1, 2).toDoubles()).containsExactly(2, 5);
        assertThat(x.rows(1, 1, 0).toDoubles()).containsExactly(3, 4, 5, 3, 4, 5, 0, 1, 2);
        assertThat(Tensors.of(new double[] {7}).expand(2, 2).toDoubles()).containsExactly(7, 7, 7, 7);
        assertThat(Tensors.concat(0, x, x).shape()).containsExactly(4, 3);
        assertThat(Tensors.stack(0, List.of(x, x)).shape()).containsExactly(2, 2, 3);
        assertThat(x.copy()
                        .putRowsInPlace(new long[] {1}, Tensors.of(new double[] {9, 8, 7}, 1, 3))
                        .toDoubles())
                .containsExactly(0, 1, 2, 9, 8, 7);
    }

    @Test
    void viewsShareMemoryAndCopiesDoNot() {
        Tensor x = Tensors.of(new double[] {0, 1, 2, 3}, 2, 2);
        Tensor copy = x.copy();
        x.select(0, 1).timesInPlace(10);
        x.detach().narrow(0, 0, 1).addNumberInPlace(5);
        assertThat(x.toDoubles()).containsExactly(5, 6, 20, 30);
        assertThat(copy.toDoubles()).containsExactly(0, 1, 2, 3);
    }

    @Test
    void rowsAreTakenByFlag() {
        Tensor x = Tensors.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);
        Tensor y = Tensors.of(new float[] {-1, -2, -3, -4, -5, -6}, 3, 2);
        boolean[] flags = {true, false, true};
        assertThat(x.rowsWhere(flags, y).toDoubles()).containsExactly(1, 2, -3, -4, 5, 6);
        assertThat(x.toDoubles()).containsExactly(1, 2, 3, 4, 5, 6);
        // memory in another order, on either side, and more dimensions
        Tensor turned = Tensors.of(new float[] {-1, -3, -5, -2, -4, -6}, 2, 3).transpose();
        assertThat(x.rowsWhere(flags, turned).toDoubles()).containsExactly(1, 2, -3, -4, 5, 6);
        assertThat(turned.rowsWhere(flags, x).toDoubles()).containsExactly(-1, -2, 3, 4, -5, -6);
        assertThat(x.reshape(3, 1, 2).rowsWhere(flags, y.reshape(3, 1, 2)).toDoubles())
                .containsExactly(1, 2, -3, -4, 5, 6);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> x.rowsWhere(new boolean[] {true}, y))
                .withMessageContaining("1 rows");
        assertThatIllegalArgumentException().isThrownBy(() -> x.rowsWhere(flags, y.reshape(3, 1, 2)));
    }

    @Test
    void whereKeepsNanOut() {
        Tensor x = Tensors.of(new double[] {1, 2});
        Tensor bad = Tensors.of(new double[] {Double.NaN, Double.POSITIVE_INFINITY});
        Tensor yes = Tensors.of(new double[] {0, 0}).lessThan(x);
        assertThat(x.where(yes, bad).toDoubles()).containsExactly(1, 2);
        assertThat(x.allFinite()).isTrue();
        assertThat(bad.allFinite()).isFalse();
        assertThat(Tensors.of(new double[] {1, Double.NEGATIVE_INFINITY}).allFinite())
                .isFalse();
    }

    // ---- types

    @Test
    void bfloat16RoundsToTheNearestEvenOfEightBits() {
        float[] numbers = {1, 1 + 1f / 256, 1 + 3f / 256, -3.1415927f, 1e-40f, Float.POSITIVE_INFINITY, 65504};
        float[] rounded = Tensors.of(numbers).to(DType.BFLOAT16).toFloats();
        for (int i = 0; i < numbers.length; i++) {
            int bits = Float.floatToRawIntBits(numbers[i]);
            int expected = (bits + 0x7FFF + ((bits >>> 16) & 1)) & 0xFFFF0000;
            assertThat(Float.floatToRawIntBits(rounded[i])).isEqualTo(expected);
        }
        assertThat(Tensors.of(new float[] {Float.NaN}).to(DType.BFLOAT16).toFloats()[0])
                .isNaN();
    }

    @Test
    void typesConvert() {
        Tensor x = Tensors.of(new double[] {0, 1.75, -2.5, 200});
        assertThat(x.to(DType.LONG).toLongs()).containsExactly(0, 1, -2, 200);
        assertThat(x.to(DType.INT).dtype()).isEqualTo(DType.INT);
        assertThat(x.to(DType.BOOL).toLongs()).containsExactly(0, 1, 1, 1);
        assertThat(x.to(DType.FLOAT).toFloats()).containsExactly(0, 1.75f, -2.5f, 200);
        assertThat(Tensors.of(1L << 62).toLongs()).containsExactly(1L << 62);
        assertThat(Tensors.full(3, DType.BFLOAT16, Device.CPU).item()).isEqualTo(3);
        for (DType type : DType.values()) {
            Tensor zeros = Tensors.zeros(type, Device.CPU, 3);
            assertThat(zeros.dtype()).isEqualTo(type);
            assertThat(Layouts.bytes(zeros)).hasSize(3 * type.bytes()).containsOnly(0);
        }
    }

    @Test
    void channelsLastChangesTheMemoryAndNotTheNumbers() {
        Tensor x = normal(1, 2, 3, 4, 5);
        Tensor last = x.channelsLast();
        assertThat(Layouts.isChannelsLast(x)).isFalse();
        assertThat(Layouts.isChannelsLast(last)).isTrue();
        assertThat(last.toDoubles()).isEqualTo(x.toDoubles());
        assertThat(Layouts.isChannelsLast(last.plus(1))).isTrue();
        assertThat(Layouts.isChannelsLast(last.contiguous())).isFalse();
        assertThat(last.sumPerSample().toDoubles()).isEqualTo(x.sumPerSample().toDoubles());
    }

    @Test
    void wrongCountsOfNumbersAreRefused() {
        assertThatThrownBy(() -> Tensors.of(new double[5], 2, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("5 numbers do not fill the shape [2, 3]");
        // 2^32 * 2^32 is 0 in 64 bits
        assertThatThrownBy(() -> Tensors.of(new double[0], 1L << 32, 1L << 32))
                .isInstanceOf(TooLargeException.class)
                .hasMessageStartingWith("[4294967296, 4294967296] would be 1.845e+19 numbers");
        assertThatThrownBy(() -> Tensors.of(new double[6], -2, -3)).isInstanceOf(TensorException.class);
    }

    // ---- devices

    @Test
    void devicesAreRead() {
        assertThat(Device.parse("cpu")).isEqualTo(Device.CPU).hasToString("cpu");
        assertThat(Device.parse("CPU")).isEqualTo(Device.CPU);
        assertThat(Device.cuda(1)).hasToString("cuda:1");
        assertThat(Device.parse("auto")).isEqualTo(Device.cudaCount() > 0 ? Device.cuda(0) : Device.CPU);
        for (String wrong : new String[] {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cpu:0", "cuda:123", " cpu"}) {
            assertThatThrownBy(() -> Device.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is no device '" + wrong + "' (cpu, cuda, cuda:N or auto)");
        }
        assertThatThrownBy(() -> Device.parse("cuda:99"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("this machine or its libtorch has " + Device.cudaCount()
                        + " CUDA devices, so there is no cuda:99 (set KELVIN_LIBTORCH to a CUDA build's lib folder)");
    }

    /** By whatever way a device that was not read by {@link Device#parse} comes to libtorch. */
    @Test
    void devicesThatAreNotThereAreNamed() {
        try (Scope scope = Scope.open()) {
            Tensor one = Tensors.of(new float[] {1}, 1);
            for (Device absent : new Device[] {Device.cuda(99), Device.cuda(-1)}) {
                Stream.<ThrowingCallable>of(
                                () -> Tensors.zeros(DType.FLOAT, absent, 1),
                                () -> Tensors.normal(Key.of(1), DType.FLOAT, absent, 2),
                                () -> one.to(absent),
                                absent::synchronize)
                        .forEach(asked -> assertThatThrownBy(asked)
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessage("this machine or its libtorch has " + Device.cudaCount()
                                        + " CUDA devices, so there is no " + absent
                                        + " (set KELVIN_LIBTORCH to a CUDA build's lib folder)"));
            }
        }
    }
}

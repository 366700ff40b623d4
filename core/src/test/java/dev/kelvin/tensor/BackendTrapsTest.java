package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What libtorch and JavaCPP did to people who used them from Java, and does not do to users of {@link Tensor}. The traps
 * that need a fresh JVM are in {@link BackendProcessTest}, those of lifetimes in {@link ScopeTest}.
 */
final class BackendTrapsTest {
    // ---- a freed Scalar acts as 1

    @Test
    void numbersAreRightHoweverDeepTheScopes() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, 2});
            Tensor g = Tensors.of(new double[] {10, 20});
            for (int round = 0; round < 3; round++) {
                try (Scope outer = Scope.open();
                        Scope inner = Scope.open()) {
                    x.addInPlace(g, -0.01);
                }
            }
            assertThat(x.toDoubles()).containsExactly(new double[] {0.7, 1.4}, Offset.offset(1e-15));
            try (Scope inner = Scope.open()) {
                assertThat(x.copyInPlace(g).timesInPlace(0.5).toDoubles()).containsExactly(5, 10);
                assertThat(x.addProductInPlace(g, g, 0.25).toDoubles()).containsExactly(30, 110);
                assertThat(x.addQuotientInPlace(g, g, -3).toDoubles()).containsExactly(27, 107);
                assertThat(x.addNumberInPlace(-7).toDoubles()).containsExactly(20, 100);
                assertThat(x.clampInPlace(25, 90).toDoubles()).containsExactly(25, 90);
                assertThat(x.times(0.5).plus(3).minus(0.5).over(2).toDoubles()).containsExactly(7.5, 23.75);
                assertThat(x.pow(2).toDoubles()).containsExactly(625, 8100);
                assertThat(x.clamp(30, 40).toDoubles()).containsExactly(30, 40);
            }
        }
    }

    @Test
    void numbersKeepAllTheirDigits() {
        double third = 1.0 / 3;
        try (Scope scope = Scope.open()) {
            assertThat(Tensors.full(third, DType.DOUBLE, Device.CPU, 1).item()).isEqualTo(third);
            assertThat(Tensors.full(2, DType.DOUBLE, Device.CPU).times(third).item())
                    .isEqualTo(2 * third);
            assertThat(Tensors.zeros(DType.DOUBLE, Device.CPU, 1)
                            .addInPlace(Tensors.full(1, DType.DOUBLE, Device.CPU, 1), third)
                            .item())
                    .isEqualTo(third);
        }
    }

    // ---- OpenBLAS's own threads

    @Test
    void openBlasHasOneThread() {
        Backend.load();
        assertThat(openblas_nolapack.blas_get_num_threads()).isEqualTo(1);
    }

    @Test
    void openBlasKeepsItWhenOurThreadsChange() {
        int threads = Backend.threads();
        try {
            Backend.threads(2);
            assertThat(Backend.threads()).isEqualTo(2);
            assertThat(openblas_nolapack.blas_get_num_threads()).isEqualTo(1);
        } finally {
            Backend.threads(threads);
        }
    }

    // ---- in-place operations return the same object

    static Stream<UnaryOperator<Tensor>> inPlaceOperations() {
        return Stream.of(
                x -> x.addInPlace(x),
                x -> x.addInPlace(x, 2),
                x -> x.addNumberInPlace(2),
                x -> x.timesInPlace(2),
                x -> x.addProductInPlace(x, x, 2),
                x -> x.addQuotientInPlace(x, x, 2),
                x -> x.clampInPlace(0, 1),
                x -> x.copyInPlace(x),
                x -> x.putRowsInPlace(new long[] {1}, x.rows(0)));
    }

    @ParameterizedTest
    @MethodSource("inPlaceOperations")
    void anInPlaceOperationReturnsItsTargetAndNoScopeFreesIt(UnaryOperator<Tensor> operation) {
        try (Scope outer = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, 2});
            try (Scope inner = Scope.open()) {
                assertThat(operation.apply(x)).isSameAs(x);
                assertThat(inner.keep(operation.apply(x))).isSameAs(x);
            }
            assertThat(x.owner()).isSameAs(outer);
            assertThat(x.allFinite()).isTrue();
        }
    }

    @Test
    void operationsThatMayReturnTheirTargetDoNotFreeIt() {
        try (Scope outer = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, 2}, 1, 2);
            try (Scope inner = Scope.open()) {
                inner.keep(x.to(DType.DOUBLE).to(Device.CPU).flattenSamples());
            }
            assertThat(x.toDoubles()).containsExactly(1, 2);
        }
    }

    // ---- memory is freed by braces, not by the garbage collector

    /** Every operation once; each has its own helpers in native memory. */
    static void everyOperation() {
        Tensor a = Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, 3, 4);
        Tensor b = Tensors.uniform(Key.of(2), 1, 2, DType.DOUBLE, Device.CPU, 3, 4);
        List<Tensor> results = new ArrayList<>(
                List.of(a.plus(b), a.plus(1), a.minus(b), a.minus(1), a.times(b), a.times(2), a.over(b), a.over(2)));
        results.addAll(List.of(a.negate(), a.exp(), b.log(), b.sqrt(), a.square(), a.abs(), a.sin(), a.cos()));
        results.addAll(List.of(a.tanh(), a.sigmoid(), b.pow(1.5), a.clamp(-1, 1), a.lessThan(b)));
        results.addAll(List.of(a.where(a.lessThan(b), b), a.sum(), a.sum(0L), a.mean(), a.mean(0L, 1L), a.max()));
        results.addAll(List.of(a.min(), a.logSumExp(1), a.softmax(1), a.logSoftmax(1), a.norm(), a.sumPerSample()));
        results.addAll(List.of(a.matmul(b.transpose()), a.affine(b.transpose(), b.sum(1L)), a.distances(b), a.relu()));
        results.addAll(List.of(a.leakyRelu(0.1), a.silu(), a.softplus(), a.leakyReluBackward(b, 0.1)));
        results.addAll(List.of(a.reshape(4, 3), a.unsqueeze(0).squeeze(0), a.narrow(0, 0, 2), a.select(0, 1)));
        results.addAll(List.of(a.rows(0, 2), a.copy(), a.detach(), a.to(DType.FLOAT), a.contiguous()));
        results.addAll(List.of(a.sum(0L).expand(3, 4), a.reshape(1, 3, 2, 2).channelsLast(), Tensors.zerosLike(a)));
        results.addAll(List.of(Tensors.concat(0, a, b), Tensors.stack(0, List.of(a, b)), Tensors.eye(3, DType.FLOAT)));
        results.addAll(List.of(Tensors.of(new float[] {1}), Tensors.of(1L), Tensors.normalLike(Key.of(3), 2, a)));
        results.addAll(inPlaceOperations().map(operation -> operation.apply(a)).toList());
        Tensor leaf = b.asLeaf();
        results.add(Gradients.of(Gradients.withGraph(leaf.pow(3), leaf), leaf));
        for (Tensor result : results) {
            result.toDoubles();
            result.toFloats();
            result.toLongs();
            result.shape();
            result.device();
            result.dtype();
            result.allFinite();
            result.requiresGrad();
            result.sum().item();
        }
        try (NoGrad noGrad = NoGrad.open()) {
            a.plus(b);
        }
    }

    @Test
    void everyOperationFreesItsNativeHelpers() {
        try (Scope scope = Scope.open()) {
            everyOperation();
        }
        long count = Pointer.totalCount();
        long bytes = Pointer.totalBytes();
        for (int round = 0; round < 20; round++) {
            try (Scope scope = Scope.open()) {
                everyOperation();
            }
        }
        assertThat(Pointer.totalCount()).isLessThanOrEqualTo(count);
        assertThat(Pointer.totalBytes()).isLessThanOrEqualTo(bytes);
    }

    // ---- errors come with a C++ stack trace

    static Stream<Runnable> mistakes() {
        Tensor x = Tensors.of(new double[6], 2, 3); // small, and alive for all cases
        return Stream.of(
                () -> x.matmul(x),
                () -> x.plus(Tensors.of(new double[4])),
                () -> x.addInPlace(Tensors.of(new double[4])),
                () -> x.addInPlace(Tensors.of(new double[4]), 2),
                () -> x.putRowsInPlace(new long[] {7}, x.narrow(0, 0, 1)),
                () -> x.rows(7),
                () -> x.reshape(5, 5),
                () -> x.sum(4L),
                () -> x.unsqueeze(0).transpose(),
                () -> x.channelsLast(),
                () -> x.size(5),
                () -> x.item(),
                () -> Tensors.concat(0, x, x.transpose()),
                () -> Tensors.zeros(DType.FLOAT, Device.CPU, -1),
                () -> Gradients.of(x.square(), x));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsATensorExceptionOfOneLine(Runnable mistake) {
        try (Scope scope = Scope.open()) {
            assertThatThrownBy(mistake::run)
                    .isInstanceOf(TensorException.class)
                    .satisfies(e -> assertThat(e.getMessage()).isNotBlank().hasLineCount(1));
        }
    }

    @Test
    void aShapeErrorNamesTheShapes() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[6], 2, 3);
            assertThatThrownBy(() -> x.matmul(x)).hasMessage("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
        }
    }

    // ---- no graph where none is wanted

    @Test
    void noGradIsThisThreadsAlone() {
        try (Scope scope = Scope.open()) {
            Tensor leaf = Tensors.of(new double[] {1}).asLeaf();
            try (NoGrad noGrad = NoGrad.open()) {
                assertThat(leaf.times(2).requiresGrad()).isFalse();
                try (NoGrad nested = NoGrad.open()) {
                    assertThat(leaf.times(2).requiresGrad()).isFalse();
                }
                assertThat(leaf.times(2).requiresGrad()).isFalse();
                boolean elsewhere = CompletableFuture.supplyAsync(() -> {
                            try (Scope theirs = Scope.open()) {
                                return leaf.times(2).requiresGrad();
                            }
                        })
                        .join();
                assertThat(elsewhere).isTrue();
            }
            assertThat(leaf.times(2).requiresGrad()).isTrue();
        }
    }

    @Test
    void twoSamplersInTwoThreadsEqualOneAfterTheOther() {
        double[] first = chain(Key.of(1));
        double[] second = chain(Key.of(2));
        CompletableFuture<double[]> one = CompletableFuture.supplyAsync(() -> chain(Key.of(1)));
        CompletableFuture<double[]> two = CompletableFuture.supplyAsync(() -> chain(Key.of(2)));
        assertThat(one.join()).isEqualTo(first);
        assertThat(two.join()).isEqualTo(second);
    }

    private static double[] chain(Key key) {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(key.child(-1), 32, 2);
            for (int step = 0; step < 200; step++) {
                try (Scope inner = Scope.open()) {
                    Tensor leaf = x.asLeaf();
                    Tensor gradient = Gradients.of(leaf.square().sumPerSample().square(), leaf);
                    x.addInPlace(gradient, -0.001).addInPlace(Tensors.normalLike(key.child(step), 0.05, x));
                }
            }
            return x.toDoubles();
        }
    }
}

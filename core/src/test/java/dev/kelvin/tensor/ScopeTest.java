package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lifetimes of tensors. Counts are JavaCPP's, of native objects that have an owner in Java. */
final class ScopeTest {
    @BeforeEach
    void load() {
        Backend.load();
    }

    private static Tensor ones(long... shape) {
        return Tensors.full(1, DType.DOUBLE, Device.CPU, shape);
    }

    @Test
    void aScopeFreesWhatWasMadeInIt() {
        long before = Pointer.totalCount();
        Tensor x;
        try (Scope scope = Scope.open()) {
            x = ones(3);
            x.plus(1).times(2).exp();
            assertThat(Pointer.totalCount()).isEqualTo(before + 4);
        }
        assertThat(Pointer.totalCount()).isLessThanOrEqualTo(before);
        assertFreed(x);
    }

    @Test
    void keptTensorsSurviveUntilTheirCallerClosesThem() {
        Tensor kept;
        try (Scope scope = Scope.open()) {
            kept = scope.keep(ones(2));
        }
        assertThat(kept.toDoubles()).containsExactly(1, 1);
        assertThat(kept.owner()).isNull();
        kept.close();
        assertFreed(kept);
    }

    @Test
    void keepHandsOnThroughNestedScopes() {
        long before = Pointer.totalCount();
        try (Scope outer = Scope.open()) {
            Tensor x;
            try (Scope middle = Scope.open()) {
                try (Scope inner = Scope.open()) {
                    x = inner.keep(ones(2));
                    assertThat(x.owner()).isSameAs(middle);
                }
                middle.keep(x);
                assertThat(x.owner()).isSameAs(outer);
            }
            assertThat(x.sum().item()).isEqualTo(2);
        }
        assertThat(Pointer.totalCount()).isLessThanOrEqualTo(before);
    }

    @Test
    void keepingWhatAnOuterScopeOwnsChangesNothing() {
        try (Scope outer = Scope.open()) {
            Tensor x = ones(2);
            try (Scope inner = Scope.open()) {
                assertThat(inner.keep(x)).isSameAs(x);
                assertThat(inner.keep(x)).isSameAs(x);
            }
            assertThat(x.owner()).isSameAs(outer);
            assertThat(x.sum().item()).isEqualTo(2);
        }
    }

    @Test
    void detachedTensorsLeaveEveryScope() {
        Tensor x;
        try (Scope outer = Scope.open();
                Scope inner = Scope.open()) {
            x = Scope.detach(ones(2));
            Scope.detach(x);
        }
        assertThat(x.sum().item()).isEqualTo(2);
        x.close();
        assertFreed(x);
    }

    @Test
    void closingATensorInsideItsScopeIsHarmless() {
        try (Scope scope = Scope.open()) {
            Tensor x = ones(2);
            x.close();
            x.close();
            assertFreed(x);
        }
    }

    @Test
    void closingATensorTwiceIsHarmless() {
        Tensor x = ones(2);
        Tensor copy = x.copy();
        x.close();
        x.close();
        assertThat(copy.toDoubles()).containsExactly(1, 1);
        copy.close();
    }

    @Test
    void closingAScopeTwiceIsHarmless() {
        Scope scope = Scope.open();
        scope.close();
        scope.close();
        try (Scope next = Scope.open()) {
            scope.close();
            assertThat(ones(1).owner()).isSameAs(next);
        }
    }

    @Test
    void scopesCloseInnermostFirst() {
        Scope outer = Scope.open();
        Scope inner = Scope.open();
        assertThatThrownBy(outer::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("scopes close on their own thread, innermost first");
        inner.close();
        outer.close();
    }

    @Test
    void scopesCloseOnTheirOwnThread() {
        try (Scope scope = Scope.open()) {
            Tensor x = ones(2);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            CompletableFuture.runAsync(scope::close)
                    .exceptionally(e -> {
                        thrown.set(e.getCause());
                        return null;
                    })
                    .join();
            assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
            assertThat(x.sum().item()).isEqualTo(2);
        }
    }

    @Test
    void anotherThreadsTensorsAreNotOurs() {
        Tensor theirs;
        try (Scope scope = Scope.open()) {
            theirs = CompletableFuture.supplyAsync(() -> ones(2)).join();
            assertThat(theirs.owner()).isNull();
        }
        assertThat(theirs.sum().item()).isEqualTo(2);
        theirs.close();
    }

    @Test
    void anExceptionInsideAScopeFreesEverything() {
        long before = Pointer.totalCount();
        assertThatThrownBy(() -> {
                    try (Scope outer = Scope.open();
                            Scope inner = Scope.open()) {
                        ones(2, 3).plus(1).matmul(ones(2, 3));
                    }
                })
                .isInstanceOf(TensorException.class);
        assertThat(Pointer.totalCount()).isLessThanOrEqualTo(before);
        assertThat(inScope()).isFalse();
    }

    private static boolean inScope() {
        try (Tensor x = ones(1)) {
            return x.owner() != null;
        }
    }

    @Test
    void viewsOutliveTheTensorThatTheyLookAt() {
        Tensor row;
        try (Scope scope = Scope.open()) {
            row = scope.keep(ones(2, 3).select(0, 1));
        }
        assertThat(row.toDoubles()).containsExactly(1, 1, 1);
        row.close();
    }

    @Test
    void aFreedTensorSaysSoWhateverIsAskedOfIt() {
        Tensor x = ones(2);
        x.close();
        assertFreed(x);
        try (Scope scope = Scope.open()) {
            Tensor live = ones(2);
            assertSaysFreed(() -> live.plus(x));
            assertSaysFreed(() -> live.addInPlace(x, 2));
            assertSaysFreed(() -> live.where(x, live));
            assertSaysFreed(() -> live.rowsWhere(new boolean[] {true}, x));
            assertSaysFreed(() -> live.affine(x, live));
            assertSaysFreed(() -> Tensors.concat(0, live, x));
            assertSaysFreed(() -> Tensors.stack(0, List.of(live, x)));
            assertSaysFreed(() -> Tensors.zerosLike(x));
            assertSaysFreed(() -> Gradients.of(x, live));
            assertSaysFreed(() -> Gradients.of(live.asLeaf().square(), x));
            assertSaysFreed(() -> Gradients.of(live.asLeaf().square(), x, List.of(live)));
        }
    }

    private static void assertFreed(Tensor x) {
        assertThat(x).hasToString("a freed tensor");
        assertSaysFreed(x::exp);
        assertSaysFreed(x::item);
        assertSaysFreed(x::shape);
        assertSaysFreed(x::dtype);
        assertSaysFreed(x::toDoubles);
        assertSaysFreed(() -> x.timesInPlace(2));
        assertSaysFreed(() -> x.to(DType.FLOAT));
    }

    private static void assertSaysFreed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this tensor was freed; keep it with Scope.keep");
    }
}

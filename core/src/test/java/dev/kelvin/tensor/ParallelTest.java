package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ParallelTest {
    @Test
    void bothRunAtOnceAndKeepTheirOrder() {
        CountDownLatch both = new CountDownLatch(2);
        assertThat(Parallel.halves(half -> {
                    both.countDown();
                    await(both); // neither gets past this alone
                    return "half " + half;
                }))
                .containsExactly("half 0", "half 1");
    }

    @Test
    void aFailureOfEitherIsTold() {
        for (int bad : new int[] {0, 1}) {
            assertThatThrownBy(() -> Parallel.halves(half -> {
                        if (half == bad) {
                            throw new IllegalArgumentException("half " + half);
                        }
                        return half;
                    }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("half " + bad);
        }
    }

    /** What the other half still reads must not be freed by a caller who saw the first one fail. */
    @Test
    void theOtherHalfIsWaitedFor() {
        Thread caller = Thread.currentThread();
        CountDownLatch failed = new CountDownLatch(1);
        AtomicBoolean returned = new AtomicBoolean();
        AtomicBoolean done = new AtomicBoolean();
        assertThatThrownBy(() -> Parallel.halves(half -> {
                    if (half == 0) {
                        failed.countDown();
                        throw new IllegalStateException("first");
                    }
                    await(failed);
                    while (caller.getState() != Thread.State.WAITING && !returned.get()) {
                        Thread.onSpinWait();
                    }
                    done.set(!returned.get());
                    return half;
                }))
                .hasMessage("first");
        returned.set(true);
        assertThat(done).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What can't fit is refused before anything is allocated, with what was asked for. */
@ExtendWith(InScope.class)
class MemoryTest {
    private static final long HUGE = 2_000_000_000;

    @Test
    void countsWhatFits() {
        assertThat(Memory.array(Float.BYTES, 3, 4)).isEqualTo(12);
        assertThat(Memory.array(Float.BYTES)).isEqualTo(1);
        assertThat(Memory.count(HUGE, HUGE / 10)).isEqualTo(HUGE * (HUGE / 10));
    }

    @Test
    void refusesArraysThatJavaCannotHold() {
        assertThatThrownBy(() -> Memory.array(Double.BYTES, HUGE, 2))
                .isInstanceOf(TooLargeException.class)
                .hasMessageContainingAll("[2000000000, 2] would be 4.000e+09 numbers, 32.0 GB of memory", Memory.MORE)
                .extracting(thrown -> ((TooLargeException) thrown).sizes())
                .isEqualTo(List.of(HUGE, 2L));
        assertThatThrownBy(() -> Memory.count(HUGE, HUGE, HUGE, HUGE)).isInstanceOf(TooLargeException.class);
    }

    @Test
    void refusesTensorsThatTheMachineCannotHold() {
        assertThatThrownBy(() -> Tensors.zeros(DType.FLOAT, Device.CPU, HUGE, HUGE))
                .isInstanceOf(TooLargeException.class)
                .hasMessageContaining("this machine has");
        assertThatThrownBy(() -> Tensors.zeros(DType.FLOAT, Device.CPU, 1L << 50))
                .isInstanceOf(TooLargeException.class);
        assertThatThrownBy(() -> Tensors.normal(Key.of(0), HUGE, HUGE)).isInstanceOf(TooLargeException.class);
        assertThatThrownBy(() -> Tensors.uniform(Key.of(0), 0, 1, DType.FLOAT, Device.CPU, HUGE, HUGE))
                .isInstanceOf(TooLargeException.class);
    }

    /** libtorch's own words are three lines of C++; of a machine's memory and of a GPU's. */
    @Test
    void saysInWordsWhatLibtorchFoundNoMemoryFor() {
        assertThat(TensorException.of(new RuntimeException(
                        "[enforce fail at alloc_cpu.cpp:127] data. DefaultCPUAllocator: not enough memory: you tried to"
                                + " allocate 8000000000 bytes.\nat 0x7f")))
                .hasMessage(
                        "there is not enough memory: libtorch asked for 8.0 GB more; take a smaller batch or model");
        assertThat(TensorException.of(new RuntimeException(
                        "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 8 GiB")))
                .hasMessageContaining("libtorch asked for 20.00 GiB more");
        assertThat(TensorException.of(new RuntimeException("std::bad_alloc")))
                .hasMessageContaining("not enough memory");
    }
}

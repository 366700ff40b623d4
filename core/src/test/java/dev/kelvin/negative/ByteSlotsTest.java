package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ByteSlotsTest {
    private static final ByteSlots SLOTS = new ByteSlots(new PixelRange(-1, 1));
    private static final SampleSource NOISE = SampleSource.uniform(-1, 1, List.of(1L, 2L, 2L), Device.CPU);

    private static ReplayBuffer buffer(int size, boolean bytes) {
        Buffer settings = new Buffer(size, ReplayBuffer.Entry.FIFO, false, 0, List.of(), bytes, false, false);
        return new ReplayBuffer(Key.of(1), NOISE, settings, Optional.of(new PixelRange(-1, 1)), 1, 1);
    }

    @Test
    void valuesAreRoundedToTheNearestAndCutOff() {
        try (Scope scope = Scope.open()) {
            double step = 2 / 255.0;
            Tensor x = Tensors.of(new double[] {-1, 1, -3, 3, -1 + 0.49 * step, -1 + 0.51 * step, -1 + 100 * step}, 7);
            Tensor bytes = SLOTS.bytes(x.to(DType.FLOAT));
            assertThat(bytes.dtype()).isEqualTo(DType.BYTE);
            assertThat(bytes.toDoubles()).containsExactly(0, 255, 0, 255, 0, 1, 100);
            Tensor back = SLOTS.floats(bytes);
            assertThat(back.dtype()).isEqualTo(DType.FLOAT);
            assertThat(back.toFloats()).startsWith(-1, 1, -1, 1, -1);
            // what was read is written back as it was: chains that rest do not drift
            Tensor all = Tensors.of(IntStream.range(0, 256).asDoubleStream().toArray(), 256)
                    .to(DType.BYTE);
            assertThat(SLOTS.bytes(SLOTS.floats(all)).toDoubles()).isEqualTo(all.toDoubles());
        }
    }

    /** A quarter of the memory, also in a checkpoint, and what looks at the chains sees floats. */
    @Test
    void aBufferHoldsBytesAndShowsFloats() {
        try (Scope scope = Scope.open();
                ReplayBuffer one = buffer(2300, true);
                ReplayBuffer two = buffer(2300, true);
                ReplayBuffer plain = buffer(2300, false)) {
            State saved = State.empty();
            one.save(saved);
            Tensor slots = saved.tensors().get("slots");
            assertThat(slots == null ? null : slots.dtype()).isEqualTo(DType.BYTE);
            assertThat(slots == null ? null : slots.shape())
                    .isEqualTo(plain.chains().shape());
            assertThat(one.chains().dtype()).isEqualTo(DType.FLOAT);
            assertThat(one.chains(Key.of(2), 0, new long[5]).dtype()).isEqualTo(DType.FLOAT);
            float[] values = one.chains().toFloats();
            assertThat(values.length).isEqualTo(4 * 2300);
            assertThat(IntStream.range(0, values.length).mapToDouble(i -> values[i]))
                    .allMatch(value -> value >= -1 && value <= 1);
            // every part of it is filled, with draws of its own
            assertThat(one.chainsAt(0, 1000, 2299).toFloats()).doesNotHaveDuplicates();

            Tensor ends = Tensors.full(0.5, DType.FLOAT, Device.CPU, 2, 1, 2, 2);
            one.write(Key.of(3).stream(), new int[] {7, 8}, new long[2], ends);
            double[] shade = new double[8];
            Arrays.fill(shade, -1 + 191 * 2 / 255.0); // 0.5 is 191.25 of 255
            assertThat(one.chainsAt(7, 8).toDoubles()).containsExactly(shade, within(1e-7));
            State moved = State.empty();
            one.save(moved);
            two.load(moved);
            assertThat(two.chains().toFloats()).isEqualTo(one.chains().toFloats());
            assertThatThrownBy(() -> plain.load(moved)).hasMessageContaining("the saved slots is");
        }
    }
}

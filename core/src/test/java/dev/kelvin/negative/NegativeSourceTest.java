package dev.kelvin.negative;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NegativeSourceTest {
    private static final Gaussian TARGET = Gaussian.isotropic(new double[2], 1);
    private static final SampleSource NOISE = SampleSource.gaussian(List.of(), 1, List.of(2L), Device.CPU);
    private static final Langevin LANGEVIN = Langevin.of(0.1);
    private static final Langevin STILL = with(Langevin.of(0.1), "noise", 0);

    private static ModelChains persistent(ReplayBuffer.Entry entry, double reinitialise) {
        ReplayBuffer buffer =
                new ReplayBuffer(Key.of(1), NOISE, Buffer.of(10, entry, reinitialise), Optional.empty(), 1, 1);
        return PlainChains.persistent(NOISE, LANGEVIN, 3, buffer);
    }

    /** Beside a batch without components, at the first iteration. */
    static DrawnNegatives draw(NegativeSource source, Key key, int count) {
        try (Scope scope = Scope.open()) {
            Tensor none = Tensors.zeros(DType.FLOAT, Device.CPU, count, 2);
            DrawnNegatives drawn = source.draw(key, 0, k -> TARGET, Batch.of(none), count);
            scope.keep(drawn.x());
            return drawn;
        }
    }

    private static List<float[]> draws(NegativeSource source, int from, int to) {
        List<float[]> draws = new ArrayList<>();
        for (int i = from; i < to; i++) {
            try (Scope scope = Scope.open()) {
                draws.add(draw(source, Key.of(2).child(i), 4).x().toFloats());
            }
        }
        return draws;
    }

    @Test
    void freshChainsAreDecidedByTheKeyAndForgetTheLastDraw() {
        try (ModelChains source = PlainChains.fresh(NOISE, LANGEVIN, 3)) {
            List<float[]> once = draws(source, 0, 3);
            assertThat(draws(source, 2, 3).get(0)).isEqualTo(once.get(2));
            assertThat(once.get(0)).isNotEqualTo(once.get(1));
            State state = State.empty();
            source.save(state);
            assertThat(state.tensors()).isEmpty();
            assertThat(state.numbers()).isEmpty();
        }
    }

    @Test
    void freshChainsWithoutStepsAreTheStart() {
        try (Scope scope = Scope.open();
                ModelChains source = PlainChains.fresh(ReplayBufferTest.NUMBERED, LANGEVIN, 0)) {
            assertThat(draw(source, Key.of(1), 3).x().toFloats()).containsExactly(0, 0, 1, 1, 2, 2);
        }
    }

    @Test
    void acceptanceIsReportedWhereThereIsOne() {
        try (Scope scope = Scope.open();
                ModelChains adjusted = PlainChains.fresh(NOISE, Mala.of(0.5), 3);
                ModelChains unadjusted = PlainChains.fresh(NOISE, LANGEVIN, 3)) {
            assertThat(draw(adjusted, Key.of(1), 20).acceptance().orElseThrow()).isBetween(0.5, 1.0);
            assertThat(draw(unadjusted, Key.of(1), 20).acceptance()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ReplayBuffer.Entry.class)
    void persistentChainsAreDecidedByKeysAndGoOnWhereTheyWereSaved(ReplayBuffer.Entry entry) {
        try (ModelChains one = persistent(entry, 0.3);
                ModelChains two = persistent(entry, 0.3);
                ModelChains three = persistent(entry, 0.3)) {
            List<float[]> once = draws(one, 0, 10);
            assertThat(draws(two, 0, 6)).usingRecursiveComparison().isEqualTo(once.subList(0, 6));
            State state = State.empty();
            two.save(state);
            three.load(state);
            assertThat(draws(three, 6, 10)).usingRecursiveComparison().isEqualTo(once.subList(6, 10));
            assertThat(three.buffer().orElseThrow().chains().toFloats())
                    .isEqualTo(one.buffer().orElseThrow().chains().toFloats());
            // the twin: without loading, the same keys give others
            try (ModelChains young = persistent(entry, 0.3)) {
                assertThat(draws(young, 6, 10).get(3)).isNotEqualTo(once.get(9));
            }
        }
    }

    /** Deterministic steps shrink a chain by 0.9 each: what is drawn is what lies in its slot, twice is .9⁴. */
    @Test
    void chainsMoveOnInTheirSlots() {
        ReplayBuffer buffer = new ReplayBuffer(
                Key.of(1), ReplayBufferTest.NUMBERED, Buffer.of(4, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 1, 1);
        try (Scope scope = Scope.open();
                ModelChains source = PlainChains.persistent(NOISE, STILL, 2, buffer)) {
            for (int draw = 1; draw <= 3; draw++) {
                float[] drawn = draw(source, Key.of(draw), 4).x().toFloats();
                float[] kept = buffer.chains().toFloats();
                assertThat(drawn).containsExactlyInAnyOrder(kept);
                for (int slot = 0; slot < 4; slot++) {
                    assertThat((double) kept[2 * slot]).isCloseTo(slot * Math.pow(0.9, 2 * draw), within(1e-6));
                }
            }
        }
    }

    @Test
    void chainsThatBeginAnewComeFromTheStart() {
        ReplayBuffer buffer =
                new ReplayBuffer(Key.of(1), NOISE, Buffer.of(4, ReplayBuffer.Entry.FIFO, 1), Optional.empty(), 1, 1);
        try (Scope scope = Scope.open();
                ModelChains source = PlainChains.persistent(ReplayBufferTest.NUMBERED, LANGEVIN, 0, buffer)) {
            assertThat(draw(source, Key.of(1), 3).x().toFloats()).containsExactly(0, 0, 1, 1, 2, 2);
            assertThat(buffer.chains().toFloats()).startsWith(0, 0, 1, 1, 2, 2);
        }
    }

    @Test
    void whatIsDrawnIsNotTheBuffersMemory() {
        try (Scope scope = Scope.open();
                ModelChains source = persistent(ReplayBuffer.Entry.FIFO, 0)) {
            DrawnNegatives negatives = draw(source, Key.of(1), 4);
            float[] before = source.buffer().orElseThrow().chains().toFloats();
            negatives.x().timesInPlace(0);
            assertThat(source.buffer().orElseThrow().chains().toFloats()).isEqualTo(before);
        }
    }

    @Test
    void aBufferSmallerThanTheDrawIsNamed() {
        try (ModelChains source = persistent(ReplayBuffer.Entry.FIFO, 0)) {
            assertThatThrownBy(() -> draw(source, Key.of(1), 11))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a buffer of 10 chains can't give 11 at once");
        }
    }

    @Test
    void negativeStepsAreRefused() {
        assertThatThrownBy(() -> PlainChains.fresh(NOISE, LANGEVIN, -1))
                .isInstanceOf(SettingException.class)
                .hasMessage("from must be at least 0, found -1");
        try (ReplayBuffer buffer =
                new ReplayBuffer(Key.of(1), NOISE, Buffer.of(2, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 1, 1)) {
            assertThatThrownBy(() -> PlainChains.persistent(NOISE, LANGEVIN, -1, buffer))
                    .isInstanceOf(SettingException.class)
                    .hasMessage("from must be at least 0, found -1");
        }
    }
}

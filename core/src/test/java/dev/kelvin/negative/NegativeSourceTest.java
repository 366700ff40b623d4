package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.SettingException;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NegativeSourceTest {
    private static final Gaussian TARGET = Gaussian.isotropic(new double[2], 1);
    private static final Start NOISE = Start.gaussian(List.of(), 1, List.of(2L), Device.CPU);
    private static final Langevin LANGEVIN = Langevin.of(0.1);
    private static final Langevin STILL = Langevin.of(0.1).withNoise(0);

    private static PersistentChains persistent(ReplayBuffer.Entry entry, double reinitialise) {
        ReplayBuffer buffer = new ReplayBuffer(Key.of(1), NOISE, 10, entry, reinitialise);
        return new PersistentChains(NOISE, LANGEVIN, 3, buffer);
    }

    private static List<float[]> draws(NegativeSource source, int from, int to) {
        List<float[]> draws = new ArrayList<>();
        for (int i = from; i < to; i++) {
            try (Scope scope = Scope.open()) {
                draws.add(source.draw(Key.of(2).child(i), TARGET, 4).x().toFloats());
            }
        }
        return draws;
    }

    @Test
    void freshChainsAreDecidedByTheKeyAndForgetTheLastDraw() {
        try (FreshChains source = new FreshChains(NOISE, LANGEVIN, 3)) {
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
                FreshChains source = new FreshChains(ReplayBufferTest.NUMBERED, LANGEVIN, 0)) {
            assertThat(source.draw(Key.of(1), TARGET, 3).x().toFloats()).containsExactly(0, 0, 1, 1, 2, 2);
        }
    }

    @Test
    void acceptanceIsReportedWhereThereIsOne() {
        try (Scope scope = Scope.open();
                FreshChains adjusted = new FreshChains(NOISE, Mala.of(0.5), 3);
                FreshChains unadjusted = new FreshChains(NOISE, LANGEVIN, 3)) {
            assertThat(adjusted.draw(Key.of(1), TARGET, 20).acceptance().orElseThrow())
                    .isBetween(0.5, 1.0);
            assertThat(unadjusted.draw(Key.of(1), TARGET, 20).acceptance()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ReplayBuffer.Entry.class)
    void persistentChainsAreDecidedByKeysAndGoOnWhereTheyWereSaved(ReplayBuffer.Entry entry) {
        try (PersistentChains one = persistent(entry, 0.3);
                PersistentChains two = persistent(entry, 0.3);
                PersistentChains three = persistent(entry, 0.3)) {
            List<float[]> once = draws(one, 0, 10);
            assertThat(draws(two, 0, 6)).usingRecursiveComparison().isEqualTo(once.subList(0, 6));
            State state = State.empty();
            two.save(state);
            three.load(state);
            assertThat(draws(three, 6, 10)).usingRecursiveComparison().isEqualTo(once.subList(6, 10));
            assertThat(three.buffer().chains().toFloats())
                    .isEqualTo(one.buffer().chains().toFloats());
            // the twin: without loading, the same keys give others
            try (PersistentChains young = persistent(entry, 0.3)) {
                assertThat(draws(young, 6, 10).get(3)).isNotEqualTo(once.get(9));
            }
        }
    }

    /** Deterministic steps shrink a chain by 0.9 each: what is drawn is what lies in its slot, twice is .9⁴. */
    @Test
    void chainsMoveOnInTheirSlots() {
        ReplayBuffer buffer = new ReplayBuffer(Key.of(1), ReplayBufferTest.NUMBERED, 4, ReplayBuffer.Entry.FIFO, 0);
        try (Scope scope = Scope.open();
                PersistentChains source = new PersistentChains(NOISE, STILL, 2, buffer)) {
            for (int draw = 1; draw <= 3; draw++) {
                float[] drawn = source.draw(Key.of(draw), TARGET, 4).x().toFloats();
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
        ReplayBuffer buffer = new ReplayBuffer(Key.of(1), NOISE, 4, ReplayBuffer.Entry.FIFO, 1);
        try (Scope scope = Scope.open();
                PersistentChains source = new PersistentChains(ReplayBufferTest.NUMBERED, LANGEVIN, 0, buffer)) {
            assertThat(source.draw(Key.of(1), TARGET, 3).x().toFloats()).containsExactly(0, 0, 1, 1, 2, 2);
            assertThat(buffer.chains().toFloats()).startsWith(0, 0, 1, 1, 2, 2);
        }
    }

    @Test
    void whatIsDrawnIsNotTheBuffersMemory() {
        try (Scope scope = Scope.open();
                PersistentChains source = persistent(ReplayBuffer.Entry.FIFO, 0)) {
            DrawnNegatives negatives = source.draw(Key.of(1), TARGET, 4);
            float[] before = source.buffer().chains().toFloats();
            negatives.x().timesInPlace(0);
            assertThat(source.buffer().chains().toFloats()).isEqualTo(before);
        }
    }

    @Test
    void aBufferSmallerThanTheDrawIsNamed() {
        try (PersistentChains source = persistent(ReplayBuffer.Entry.FIFO, 0)) {
            assertThatThrownBy(() -> source.draw(Key.of(1), TARGET, 11))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a buffer of 10 chains can't give 11 at once");
        }
    }

    @Test
    void negativeStepsAreRefused() {
        assertThatThrownBy(() -> new FreshChains(NOISE, LANGEVIN, -1))
                .isInstanceOf(SettingException.class)
                .hasMessage("steps must be at least 0, found -1");
        try (ReplayBuffer buffer = new ReplayBuffer(Key.of(1), NOISE, 2, ReplayBuffer.Entry.FIFO, 0)) {
            assertThatThrownBy(() -> new PersistentChains(NOISE, LANGEVIN, -1, buffer))
                    .isInstanceOf(SettingException.class)
                    .hasMessage("steps must be at least 0, found -1");
        }
    }
}

package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayBufferTest {
    private static final int SIZE = 12;
    private static final int[] NEW = {ReplayBuffer.NONE};

    /** Rows (0, 0), (1, 1), ...: a chain that says where it began. */
    static final SampleSource NUMBERED = (key, count) -> {
        double[] values = new double[2 * count];
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.floor(i / 2.0);
        }
        return rows(values);
    };

    private static Tensor rows(double... values) {
        try (Scope scope = Scope.open()) {
            return scope.keep(Tensors.of(values, values.length / 2, 2).to(DType.FLOAT));
        }
    }

    private static ReplayBuffer buffer(ReplayBuffer.Entry entry, double reinitialise) {
        return new ReplayBuffer(Key.of(1), NUMBERED, Buffer.of(SIZE, entry, reinitialise), Optional.empty(), 1, 1);
    }

    private static double[] firsts(ReplayBuffer buffer) {
        try (Scope scope = Scope.open()) {
            return buffer.chains().select(1, 0).toDoubles();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 11, 12})
    void slotsDrawnAreDistinctAndWrittenBackToThemselves(int count) {
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = buffer(ReplayBuffer.Entry.FIFO, 0)) {
            for (int round = 0; round < 50; round++) {
                Key key = Key.of(2).child(round);
                double[] before = firsts(buffer);
                int[] slots = buffer.draw(key.child(0).stream(), new long[count]);
                Set<Integer> distinct = new HashSet<>();
                double[] written = new double[2 * count];
                for (int row = 0; row < count; row++) {
                    assertThat(slots[row]).isBetween(0, SIZE - 1);
                    distinct.add(slots[row]);
                    written[2 * row] = 100 * (round + 1) + row;
                }
                assertThat(distinct).hasSize(count);
                buffer.write(key.child(1).stream(), slots, new long[slots.length], rows(written));
                double[] expected = before.clone();
                for (int row = 0; row < count; row++) {
                    expected[slots[row]] = 100 * (round + 1) + row;
                }
                assertThat(firsts(buffer)).isEqualTo(expected);
            }
        }
    }

    @Test
    void newChainsEnterAFifoInTurn() {
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = buffer(ReplayBuffer.Entry.FIFO, 1)) {
            double[] expected = firsts(buffer);
            for (int entered = 0; entered < 3 * SIZE; entered++) {
                buffer.write(Key.of(3).stream(), NEW, new long[NEW.length], rows(100 + entered, 0));
                expected[entered % SIZE] = 100 + entered;
                assertThat(firsts(buffer)).isEqualTo(expected);
            }
        }
    }

    /** As in IGEBM: a chain that went on leaves its slot as it was and takes the next, as a new one does. */
    @Test
    void everyEndMayEnter() {
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = new ReplayBuffer(
                        Key.of(1),
                        NUMBERED,
                        new Buffer(SIZE, ReplayBuffer.Entry.FIFO, true, 0, List.of(), false, false, false),
                        Optional.empty(),
                        1,
                        1)) {
            for (int round = 0; round < 2; round++) {
                buffer.write(
                        Key.of(3).stream(),
                        new int[] {7, ReplayBuffer.NONE, 5},
                        new long[3],
                        rows(50 + 10 * round, 0, 51 + 10 * round, 0, 52 + 10 * round, 0));
            }
            assertThat(firsts(buffer)).containsExactly(50, 51, 52, 60, 61, 62, 6, 7, 8, 9, 10, 11);
            State state = State.empty();
            buffer.save(state);
            assertThat(state.numbers()).containsEntry("entered", 6L);
        }
    }

    /** Whoever looks at batches of the buffer sees each slot once before any comes again. */
    @Test
    void batchesThatAreLookedAtShareNoSlot() {
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = buffer(ReplayBuffer.Entry.FIFO, 0);
                ReplayBuffer classes = withComponents()) {
            Set<Double> seen = new HashSet<>();
            for (int batch = 0; batch < 3; batch++) {
                for (double slot : buffer.chains(Key.of(7), batch, new long[4])
                        .select(1, 0)
                        .toDoubles()) {
                    assertThat(seen.add(slot)).isTrue();
                }
            }
            assertThat(buffer.chains(Key.of(7), 3, new long[4]).toDoubles())
                    .isEqualTo(buffer.chains(Key.of(7), 0, new long[4]).toDoubles())
                    .isNotEqualTo(buffer.chains(Key.of(8), 0, new long[4]).toDoubles());
            for (int batch = 0; batch < 2; batch++) {
                double[] slots =
                        classes.chains(Key.of(7), batch, 2, 0, 2).select(1, 0).toDoubles();
                assertThat(slots).doesNotHaveDuplicates();
                assertThat(Arrays.stream(slots).map(slot -> slot % 3)).containsExactly(2.0, 0.0, 2.0);
            }
            assertThat(classes.chains(Key.of(7), 0, 1, 1, 1, 1, 1).select(1, 0).toDoubles())
                    .containsExactlyInAnyOrder(1, 4, 7, 10);
        }
    }

    /** The chain that began anew wins over the one that is written back to its slot. */
    @Test
    void aNewChainMayTakeTheSlotOfOneDrawn() {
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = buffer(ReplayBuffer.Entry.FIFO, 0.5)) {
            buffer.write(
                    Key.of(3).stream(),
                    new int[] {1, ReplayBuffer.NONE, 0, ReplayBuffer.NONE},
                    new long[4],
                    rows(51, 0, 52, 0, 53, 0, 54, 0));
            assertThat(firsts(buffer)).startsWith(52, 54, 2, 3);
        }
    }

    /** Late in a reservoir's life most new chains find no slot, and then nothing is written. */
    @Test
    void aReservoirThatTakesNoneStaysAsItIs() {
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = buffer(ReplayBuffer.Entry.RESERVOIR, 1)) {
            State old = State.empty();
            buffer.save(old);
            Map<String, Long> numbers = new LinkedHashMap<>(Map.of("entered", 1L << 60));
            buffer.load(State.of(old.tensors(), numbers));
            double[] before = firsts(buffer);
            int[] slots = buffer.draw(Key.of(4).stream(), new long[4]);
            assertThat(slots).containsOnly(ReplayBuffer.NONE);
            buffer.write(Key.of(5).stream(), slots, new long[slots.length], rows(50, 0, 51, 0, 52, 0, 53, 0));
            assertThat(firsts(buffer)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource(ReplayBuffer.Entry.class)
    void whatWasSavedGoesOnEqually(ReplayBuffer.Entry entry) {
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = buffer(entry, 0.4);
                ReplayBuffer other = buffer(entry, 0.4)) {
            rounds(buffer, 0, 20);
            State state = State.empty();
            buffer.save(state);
            other.load(state);
            rounds(buffer, 20, 40);
            rounds(other, 20, 40);
            assertThat(other.chains().toFloats()).isEqualTo(buffer.chains().toFloats());

            // the twin: without the count of new chains it goes on otherwise
            state.put("entered", 0L);
            try (ReplayBuffer forgetful = buffer(entry, 0.4)) {
                forgetful.load(state);
                rounds(forgetful, 20, 40);
                assertThat(forgetful.chains().toFloats())
                        .isNotEqualTo(buffer.chains().toFloats());
            }
        }
    }

    private static void rounds(ReplayBuffer buffer, int from, int to) {
        for (int round = from; round < to; round++) {
            Key key = Key.of(6).child(round);
            int[] slots = buffer.draw(key.child(0).stream(), new long[5]);
            double[] values = new double[10];
            Arrays.setAll(values, i -> (i + 1) * 0.5);
            for (int i = 0; i < values.length; i++) {
                values[i] += round * 100;
            }
            buffer.write(key.child(1).stream(), slots, new long[slots.length], rows(values));
        }
    }

    @Test
    void moreThanThereAreIsRefused() {
        try (ReplayBuffer buffer = buffer(ReplayBuffer.Entry.FIFO, 0)) {
            assertThatThrownBy(() -> buffer.draw(Key.of(1).stream(), new long[SIZE + 1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a buffer of 12 chains can't give 13 at once");
        }
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> new ReplayBuffer(
                        Key.of(1), NUMBERED, Buffer.of(0, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 1, 1))
                .isInstanceOf(SettingException.class)
                .hasMessage("size must be at least 1, found 0");
        assertThatThrownBy(() -> new ReplayBuffer(
                        Key.of(1), NUMBERED, Buffer.of(2, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 3, 3))
                .isInstanceOf(SettingException.class)
                .hasMessage("size must be at least 3, found 2");
        for (double wrong : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> buffer(ReplayBuffer.Entry.FIFO, wrong))
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("reinitialise must lie between 0 and 1");
        }
    }

    @Test
    void aBufferOfAnotherSizeIsNotLoaded() {
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = buffer(ReplayBuffer.Entry.FIFO, 0);
                ReplayBuffer small = new ReplayBuffer(
                        Key.of(1), NUMBERED, Buffer.of(3, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 1, 1)) {
            State state = State.empty();
            buffer.save(state);
            assertThatThrownBy(() -> small.load(state)).hasMessageContaining("the saved slots is");
        }
    }

    /** Slot i is of class i mod 3: draws, entries and what they are written to keep to it, in either order. */
    @ParameterizedTest
    @EnumSource(ReplayBuffer.Entry.class)
    void everySlotKeepsItsClass(ReplayBuffer.Entry entry) {
        long[] labels = {2, 0, 0, 1, 0, 2};
        SampleSource classes = new ClassStart();
        try (Scope scope = Scope.open();
                ReplayBuffer buffer =
                        new ReplayBuffer(Key.of(1), classes, Buffer.of(SIZE + 1, entry, 0.4), Optional.empty(), 3, 3)) {
            Set<Integer> seen = new HashSet<>();
            for (int round = 0; round < 60; round++) {
                Key[] keys = Key.of(2).child(round).split(2);
                int[] slots = buffer.draw(keys[0].stream(), labels);
                for (int row = 0; row < slots.length; row++) {
                    if (slots[row] != ReplayBuffer.NONE) {
                        assertThat(slots[row] % 3).isEqualTo((int) labels[row]);
                        seen.add(slots[row]);
                    }
                }
                buffer.write(keys[1].stream(), slots, labels, classes.drawGiven(keys[0], labels));
            }
            assertThat(seen).hasSize(SIZE + 1);
            double[] firsts = firsts(buffer);
            for (int slot = 0; slot < firsts.length; slot++) {
                assertThat(firsts[slot]).isEqualTo(slot % 3);
            }
        }
    }

    /** Chains on a marginal have no class: they begin as all classes do, and any slot is for any of them. */
    @ParameterizedTest
    @EnumSource(ReplayBuffer.Entry.class)
    void slotsMayServeAllClasses(ReplayBuffer.Entry entry) {
        long[] labels = {2, 2, 2, 2, 2, 2};
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = new ReplayBuffer(
                        Key.of(1), new ClassStart(), Buffer.of(SIZE, entry, 0.4), Optional.empty(), 3, 1)) {
            assertThat(firsts(buffer)).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2);
            Set<Integer> seen = new HashSet<>();
            for (int round = 0; round < 60; round++) {
                Key[] keys = Key.of(2).child(round).split(2);
                int[] slots = buffer.draw(keys[0].stream(), labels);
                Arrays.stream(slots).filter(slot -> slot != ReplayBuffer.NONE).forEach(seen::add);
                buffer.write(keys[1].stream(), slots, labels, new ClassStart().drawGiven(keys[0], labels));
            }
            assertThat(seen).hasSize(SIZE);
            assertThat(firsts(buffer)).containsOnly(2);
            State state = State.empty();
            buffer.save(state);
            assertThat(state.numbers()).containsOnlyKeys("entered");
        }
    }

    /** Chains that say their class. */
    private record ClassStart() implements SampleSource {
        @Override
        public Tensor draw(Key key, int count) {
            throw new UnsupportedOperationException("this start is asked for classes");
        }

        @Override
        public Tensor drawGiven(Key key, long... labels) {
            double[] values = new double[2 * labels.length];
            Arrays.setAll(values, i -> labels[i / 2]);
            return rows(values);
        }
    }

    /** Each class goes on where it was, also in how many of it have entered. */
    @Test
    void classesGoOnFromWhatWasSaved() {
        long[] labels = {0, 1, 1};
        int[] fresh = {ReplayBuffer.NONE, ReplayBuffer.NONE, ReplayBuffer.NONE};
        try (Scope scope = Scope.open();
                ReplayBuffer one = withComponents();
                ReplayBuffer two = withComponents()) {
            one.write(Key.of(2).stream(), fresh, labels, rows(50, 0, 51, 0, 52, 0));
            State state = State.empty();
            one.save(state);
            assertThat(state.numbers()).containsEntry("entered.0", 1L).containsEntry("entered.1", 2L);
            two.load(state);
            one.write(Key.of(3).stream(), fresh, labels, rows(60, 0, 61, 0, 62, 0));
            two.write(Key.of(3).stream(), fresh, labels, rows(60, 0, 61, 0, 62, 0));
            assertThat(firsts(two)).isEqualTo(firsts(one));
            // slots 0, 3 are of class 0; 1, 4, 7 and 10 of class 1
            assertThat(firsts(one)).startsWith(50, 51, 2, 60, 52, 5, 6, 61, 8, 9, 62, 11);
        }
    }

    private static ReplayBuffer withComponents() {
        return new ReplayBuffer(
                Key.of(1), NUMBERED, Buffer.of(SIZE, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 3, 3);
    }

    @Test
    void componentsInTurn() {
        assertThat(ReplayBuffer.inTurn(5, 3)).containsExactly(0, 1, 2, 0, 1);
    }

    /** A class has 4 of 12 slots; the rest of its chains begin anew. */
    @Test
    void aClassWithoutMoreSlotsBeginsAnew() {
        try (ReplayBuffer buffer = new ReplayBuffer(
                Key.of(1), NUMBERED, Buffer.of(SIZE, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 3, 3)) {
            int[] slots = buffer.draw(Key.of(2).stream(), new long[] {1, 1, 1, 1, 1, 1, 0});
            assertThat(Arrays.copyOf(slots, 4)).containsExactlyInAnyOrder(1, 4, 7, 10);
            assertThat(slots[4]).isEqualTo(ReplayBuffer.NONE);
            assertThat(slots[5]).isEqualTo(ReplayBuffer.NONE);
            assertThat(slots[6] % 3).isZero();
        }
    }
}

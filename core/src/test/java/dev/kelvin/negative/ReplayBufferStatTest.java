package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.inference.BinomialTest;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frequencies of the replay buffer. Alpha is 1e-3 for the class, divided by its 7 checks. */
class ReplayBufferStatTest {
    private static final double EACH = 1e-3 / 7;

    private static ReplayBuffer buffer(int size, ReplayBuffer.Entry entry, double reinitialise) {
        return new ReplayBuffer(
                Key.of(1), ReplayBufferTest.NUMBERED, Buffer.of(size, entry, reinitialise), Optional.empty(), 1, 1);
    }

    private static double reinitialisationP(double set, double claimed) {
        int trials = 0;
        int fresh = 0;
        try (ReplayBuffer buffer = buffer(50, ReplayBuffer.Entry.FIFO, set)) {
            for (int round = 0; round < 2000; round++) {
                for (int slot : buffer.draw(Key.of(51).child(round).stream(), new long[20])) {
                    trials++;
                    fresh += slot == ReplayBuffer.NONE ? 1 : 0;
                }
            }
        }
        return BinomialTest.withDefaults().test(trials, fresh, claimed).getPValue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.05, 0.5})
    void chainsBeginAnewAsOftenAsSet(double probability) {
        assertThat(reinitialisationP(probability, probability)).isGreaterThan(EACH);
        assertThat(reinitialisationP(2 * probability * (1 - probability / 2), probability))
                .isLessThan(EACH); // the twin: drawn twice
    }

    /** Every slot is drawn equally often. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 19})
    void slotsAreDrawnEquallyOften(int count) {
        long[] drawn = new long[20];
        try (ReplayBuffer buffer = buffer(20, ReplayBuffer.Entry.FIFO, 0)) {
            for (int round = 0; round < 20_000; round++) {
                for (int slot : buffer.draw(Key.of(52).child(round).stream(), new long[count])) {
                    drawn[slot]++;
                }
            }
        }
        assertThat(evennessP(drawn, count)).isGreaterThan(EACH);
        // the twin: one slot too often by 7 standard deviations
        double share = count / 20.0;
        drawn[3] += Math.round(7 * Math.sqrt(20_000 * share * (1 - share)));
        assertThat(evennessP(drawn, count)).isLessThan(EACH);
    }

    /**
     * Pearson's test of how often each of the cells was drawn when some at a time were drawn without replacement. Their
     * counts vary by (cells − atOnce)/(cells − 1) of a multinomial's variance, so they are widened to it first.
     */
    private static double evennessP(long[] drawn, int atOnce) {
        double mean = Arrays.stream(drawn).average().orElseThrow();
        double shrunk = Math.sqrt((drawn.length - atOnce) / (drawn.length - 1.0));
        long[] widened = Arrays.stream(drawn)
                .map(n -> Math.round(mean + (n - mean) / shrunk))
                .toArray();
        return ChiSquareTest.withDefaults().test(widened).getPValue();
    }

    /** How often each of 40 chains, 8 at first and 32 later, is among the 8 left; {@code ahead} falsifies the count. */
    private static double uniformityP(long ahead) {
        int size = 8;
        int later = 32;
        long[] survived = new long[size + later];
        for (int repeat = 0; repeat < 1500; repeat++) {
            Key key = Key.of(53).child(repeat);
            try (Scope scope = Scope.open();
                    ReplayBuffer buffer = buffer(size, ReplayBuffer.Entry.RESERVOIR, 1)) {
                State state = State.empty();
                buffer.save(state);
                state.put("entered", ahead);
                buffer.load(state);
                for (int chain = size; chain < size + later; chain += 16) {
                    double[] values = new double[32];
                    int from = chain;
                    Arrays.setAll(values, i -> from + Math.floor(i / 2.0));
                    int[] none = new int[16];
                    Arrays.fill(none, ReplayBuffer.NONE);
                    Tensor chains = Tensors.of(values, 16, 2).to(DType.FLOAT);
                    buffer.write(key.child(chain).stream(), none, new long[none.length], chains);
                }
                for (double first : buffer.chains().select(1, 0).toDoubles()) {
                    survived[(int) first]++;
                }
            }
        }
        return evennessP(survived, size);
    }

    @Test
    void aReservoirIsAUniformSampleOfAllChains() {
        assertThat(uniformityP(0)).isGreaterThan(EACH);
    }

    @Test
    void powerTwinsOfTheReservoirFail() {
        assertThat(uniformityP(4)).isLessThan(EACH);
        assertThat(uniformityP(-4)).isLessThan(EACH);
    }
}

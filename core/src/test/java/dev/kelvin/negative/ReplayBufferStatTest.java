package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frequencies of the replay buffer. Alpha is 1e-3 for the class, divided by its 7 checks. */
class ReplayBufferStatTest {
    private static final double EACH = 1e-3 / 7;

    private static ReplayBuffer buffer(int size, ReplayBuffer.Entry entry, double reinitialise) {
        return new ReplayBuffer(Key.of(1), ReplayBufferTest.NUMBERED, size, entry, reinitialise);
    }

    private static double reinitialisationP(double set, double claimed) {
        int trials = 0;
        int fresh = 0;
        try (ReplayBuffer buffer = buffer(50, ReplayBuffer.Entry.FIFO, set)) {
            for (int round = 0; round < 2000; round++) {
                for (int slot : buffer.draw(Key.of(51).child(round).stream(), 20)) {
                    trials++;
                    fresh += slot == ReplayBuffer.NONE ? 1 : 0;
                }
            }
        }
        return BinomialTest.test(trials, fresh, claimed, AlternativeHypothesis.TWO_SIDED)
                .getPValue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.05, 0.5})
    void chainsBeginAnewAsOftenAsSet(double probability) {
        assertThat(reinitialisationP(probability, probability)).isGreaterThan(EACH);
        assertThat(reinitialisationP(2 * probability * (1 - probability / 2), probability))
                .isLessThan(EACH); // the twin: drawn twice
    }

    /** Every slot is drawn equally often, whatever its number and whatever the row. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 19})
    void slotsAreDrawnEquallyOften(int count) {
        long[] drawn = new long[20];
        try (ReplayBuffer buffer = buffer(20, ReplayBuffer.Entry.FIFO, 0)) {
            for (int round = 0; round < 20_000; round++) {
                for (int slot : buffer.draw(Key.of(52).child(round).stream(), count)) {
                    drawn[slot]++;
                }
            }
        }
        // without replacement the counts vary less than a multinomial's, by (20 - count)/19: bring them back to it
        double mean = Arrays.stream(drawn).average().orElseThrow();
        double shrunk = Math.sqrt((20.0 - count) / 19);
        long[] widened = Arrays.stream(drawn)
                .map(n -> Math.round(mean + (n - mean) / shrunk))
                .toArray();
        assertThat(ChiSquareTest.test(widened).getPValue()).isGreaterThan(EACH);
        drawn[3] += Math.round(0.05 * mean * shrunk); // the twin: one slot 5 % too often
        long[] uneven = Arrays.stream(drawn)
                .map(n -> Math.round(mean + (n - mean) / shrunk))
                .toArray();
        assertThat(ChiSquareTest.test(uneven).getPValue()).isLessThan(EACH);
    }

    /** After the reservoir's chains, 8 at first and 32 later, each of the 40 is there equally often. */
    private static double uniformityP(ReplayBuffer.Entry entry) {
        int size = 8;
        int later = 32;
        int repeats = 3000;
        long[] survived = new long[size + later];
        for (int repeat = 0; repeat < repeats; repeat++) {
            Key key = Key.of(53).child(repeat);
            try (Scope scope = Scope.open();
                    ReplayBuffer buffer = buffer(size, entry, 1)) {
                for (int chain = size; chain < size + later; chain += 4) {
                    double[] values = new double[8];
                    int from = chain;
                    Arrays.setAll(values, i -> from + (double) (i / 2));
                    int[] none = new int[4];
                    Arrays.fill(none, ReplayBuffer.NONE);
                    Tensor chains = Tensors.of(values, 4, 2).to(DType.FLOAT);
                    buffer.write(key.child(chain).stream(), none, chains);
                }
                for (double first : buffer.chains().select(1, 0).toDoubles()) {
                    survived[(int) first]++;
                }
            }
        }
        return ChiSquareTest.test(survived).getPValue();
    }

    /**
     * Of 8 survivors among 40 the counts vary by (40 − 8)/39 of a multinomial's, so that the test is a little too kind;
     * its twin, a FIFO, keeps the last 8 only.
     */
    @Test
    void aReservoirIsAUniformSampleOfAllChains() {
        assertThat(uniformityP(ReplayBuffer.Entry.RESERVOIR)).isGreaterThan(EACH);
        assertThat(uniformityP(ReplayBuffer.Entry.FIFO)).isLessThan(EACH);
    }
}

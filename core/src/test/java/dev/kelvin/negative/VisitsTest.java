package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.GradientDescent;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisitsTest {
    private static final int SIZE = 12;
    private static final int COUNT = 5;
    private static final double START = 1024;

    /** One step from x is x/2, exactly: where a chain is says how many steps it has taken since it was at START. */
    private static final GradientDescent HALVE = new GradientDescent(0.5, OptionalDouble.empty(), Optional.empty());

    private static final LogDensity TARGET = Gaussian.isotropic(new double[1], 1);

    private static final SampleSource BEGINNING = (key, count) -> {
        double[] x = new double[count];
        Arrays.fill(x, START);
        return Tensors.of(x, count, 1);
    };

    private static Buffer settings(double reinitialise, boolean insertAllEnds, boolean weighted) {
        return new Buffer(
                SIZE, ReplayBuffer.Entry.FIFO, insertAllEnds, reinitialise, List.of(), false, weighted, false);
    }

    private static ModelChains chains(Buffer settings, int classes) {
        ReplayBuffer buffer = new ReplayBuffer(Key.of(1), BEGINNING, settings, Optional.empty(), classes, classes);
        return PlainChains.persistent(BEGINNING, HALVE, 1, buffer);
    }

    private static Key key(int iteration) {
        return Key.of(7).child(iteration);
    }

    private static Batch positives(int classes) {
        return new Batch(
                Tensors.of(new double[COUNT], COUNT, 1), classes == 1 ? new long[COUNT] : new long[] {0, 1, 1, 0, 1});
    }

    private static double[] steps(NegativeSource chains, int iteration, int classes) {
        try (Scope scope = Scope.open()) {
            return ages(chains.draw(key(iteration), iteration, k -> TARGET, positives(classes), COUNT)
                    .x());
        }
    }

    /** The number of steps that each chain has taken since it began. */
    private static double[] ages(Tensor x) {
        return Arrays.stream(x.toDoubles())
                .map(at -> Math.log(START / at) / Math.log(2))
                .map(Math::rint)
                .toArray();
    }

    /** The buffer beside one in plain numbers: each slot's chain has an age, and a count of how often it continued. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, false, 1",
        "2, 0, false, 1",
        "3, 0, false, 1",
        "2, 0.5, false, 1",
        "3, 0.5, false, 2",
        "2, 0, true, 1",
        "2, 0.3, true, 2"
    })
    void aChainThatContinuedOftenEnoughIsStartedAfresh(int limit, double reinitialise, boolean allEnter, int classes) {
        try (Scope scope = Scope.open();
                ModelChains chains =
                        chains(settings(reinitialise, allEnter, false).withVisits(limit), classes);
                ModelChains unlimited = chains(settings(reinitialise, allEnter, false), classes)) {
            int[] age = new int[SIZE];
            int[] continued = new int[SIZE];
            int[] entered = new int[classes];
            long[] k = positives(classes).components(COUNT);
            double oldest = 0;
            double oldestUnlimited = 0;
            for (int iteration = 0; iteration < 80; iteration++) {
                int[] slots = chains.buffer().orElseThrow().draw(key(iteration).split(5)[0].stream(), k);
                int[] ageAtEnd = new int[COUNT];
                int[] continuedAtEnd = new int[COUNT];
                for (int row = 0; row < COUNT; row++) {
                    int slot = slots[row];
                    boolean anew = slot == ReplayBuffer.NONE || continued[slot] == limit;
                    ageAtEnd[row] = anew ? 1 : age[slot] + 1;
                    continuedAtEnd[row] = anew ? 0 : continued[slot] + 1;
                }
                for (boolean back : new boolean[] {true, false}) { // what enters may replace what was written back
                    for (int row = 0; row < COUNT; row++) {
                        boolean enters = allEnter || slots[row] == ReplayBuffer.NONE;
                        if (back != enters) {
                            int label = (int) k[row];
                            int slot = enters ? entered[label]++ % (SIZE / classes) * classes + label : slots[row];
                            age[slot] = ageAtEnd[row];
                            continued[slot] = continuedAtEnd[row];
                        }
                    }
                }
                double[] drawn = steps(chains, iteration, classes);
                assertThat(drawn)
                        .isEqualTo(Arrays.stream(ageAtEnd).asDoubleStream().toArray());
                assertThat(ages(chains.buffer().orElseThrow().chains()))
                        .isEqualTo(Arrays.stream(age).asDoubleStream().toArray());
                oldest = Math.max(oldest, Arrays.stream(drawn).max().orElseThrow());
                oldestUnlimited = Math.max(
                        oldestUnlimited,
                        Arrays.stream(steps(unlimited, iteration, classes))
                                .max()
                                .orElseThrow());
            }
            assertThat(oldest).isEqualTo(limit + 1);
            assertThat(oldestUnlimited).isGreaterThan(limit + 1);
        }
    }

    /** Where ends are resampled, the count goes with the end: no copy lives longer than its chain would have. */
    @Test
    void aCopyIsAsOldAsItsChain() {
        try (Scope scope = Scope.open();
                ModelChains chains = chains(settings(0, false, true).withVisits(2), 1)) {
            double oldest = 0;
            for (int iteration = 0; iteration < 200; iteration++) {
                oldest = Math.max(
                        oldest, Arrays.stream(steps(chains, iteration, 1)).max().orElseThrow());
            }
            assertThat(oldest).isEqualTo(3);
        }
    }

    /** What was saved goes on to the bit, also of several sources; with other counts it would not. */
    @Test
    void whatWasSavedGoesOnEqually() {
        try (Scope scope = Scope.open();
                SeveralSources one = several();
                SeveralSources other = several();
                SeveralSources forgetful = several()) {
            for (int iteration = 0; iteration < 30; iteration++) {
                steps(one, iteration, 1);
            }
            State state = State.empty();
            one.save(state);
            assertThat(state.tensors()).containsOnlyKeys("slots", "visits", "1.slots", "1.visits");
            other.load(state);
            LinkedHashMap<String, Tensor> without = new LinkedHashMap<>(state.tensors());
            without.put("visits", Tensors.of(new long[SIZE]));
            forgetful.load(State.of(without, state.numbers()));
            boolean differs = false;
            for (int iteration = 30; iteration < 60; iteration++) {
                double[] expected = steps(one, iteration, 1);
                assertThat(steps(other, iteration, 1)).isEqualTo(expected);
                differs |= !Arrays.equals(steps(forgetful, iteration, 1), expected);
            }
            assertThat(differs).isTrue();

            // a run that had no limit before: chains count as if they had not continued yet
            without.remove("visits");
            State unlimited = State.of(without, state.numbers());
            try (SeveralSources limited = several();
                    SeveralSources zero = several()) {
                limited.load(unlimited);
                without.put("visits", Tensors.of(new long[SIZE]));
                zero.load(State.of(without, state.numbers()));
                for (int iteration = 30; iteration < 40; iteration++) {
                    assertThat(steps(limited, iteration, 1)).isEqualTo(steps(zero, iteration, 1));
                }
            }
        }
    }

    private static SeveralSources several() {
        return new SeveralSources(List.of(
                new SeveralSources.Part(chains(settings(0.2, false, false).withVisits(2), 1), 3),
                new SeveralSources.Part(chains(settings(0.2, false, false).withVisits(3), 1), 2)));
    }

    @Test
    void aLimitOfNoneIsRefused() {
        assertThatThrownBy(() -> settings(0, false, false).withVisits(0))
                .isInstanceOf(SettingException.class)
                .hasMessage("visits must be at least 1, found 0");
        assertThat(settings(0, false, false).withVisits(3).words())
                .contains("; a chain that has continued 3 times is reinitialised.");
        assertThat(settings(0.5, false, false).withVisits(3).words())
                .contains("; 50 % are reinitialised each time, a chain that has continued 3 times is reinitialised.");
    }
}

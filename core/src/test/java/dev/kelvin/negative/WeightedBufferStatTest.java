package dev.kelvin.negative;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Langevin;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ends that are likelier come back more often, each class among its own. */
class WeightedBufferStatTest {
    private static final int ROUNDS = 20_000;

    /** Softmax within groups: of 20 000 draws a share is off by 5σ = 5·√(¼/20 000) = 0.018 once in 1.7 million times. */
    @Test
    void rowsAreDrawnBySoftmaxWithinTheirGroup() {
        int[] groups = {0, 1, 0, 1, 1};
        double[] logWeights = {1000, -3, 1000 + Math.log(3), -3 + Math.log(2), Double.NaN};
        double[][] shares = new double[5][5];
        for (int round = 0; round < ROUNDS; round++) {
            int[] drawn = ReplayBuffer.resampled(Key.of(1).child(round).stream(), groups, logWeights);
            for (int row = 0; row < 5; row++) {
                shares[row][drawn[row]] += 1.0 / ROUNDS;
            }
        }
        double[] even = {0.25, 0, 0.75, 0, 0};
        double[] odd = {0, 1 / 3.0, 0, 2 / 3.0, 0};
        for (int row = 0; row < 5; row++) {
            assertThat(shares[row]).containsExactly(groups[row] == 0 ? even : odd, within(0.018));
        }
    }

    @Test
    void rowsWithoutANumberStayThemselves() {
        double[] none = {Double.NaN, Double.NEGATIVE_INFINITY, Double.NaN};
        assertThat(ReplayBuffer.resampled(Key.of(1).stream(), new int[3], none)).containsExactly(0, 1, 2);
    }

    /** Instead of a draw, the likeliest of each group, the first of several. */
    @Test
    void theLikeliestAloneComesBack() {
        int[] groups = {0, 1, 0, 1, 1, 2};
        double[] logWeights = {5, -3, 5, -1, Double.POSITIVE_INFINITY, Double.NaN};
        assertThat(ReplayBuffer.likeliest(groups, logWeights)).containsExactly(0, 3, 0, 3, 3, 5);
        Buffer policy = new Buffer(4, ReplayBuffer.Entry.FIFO, false, 0, List.of(), false, true, true);
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = new ReplayBuffer(Key.of(1), NUMBERED, policy, Optional.empty(), 1, 1)) {
            Tensor ends = Tensors.of(new float[] {50, 50, 60, 60, 70, 70}, 3, 2);
            buffer.write(Key.of(2).stream(), new int[] {3, 0, 2}, new long[3], ends, new double[] {1, 1.01, -4});
            assertThat(buffer.chains().toFloats()).containsExactly(60, 60, 1, 1, 60, 60, 60, 60);
        }
        assertThatThrownBy(() -> new Buffer(4, ReplayBuffer.Entry.FIFO, false, 0, List.of(), false, false, true))
                .hasMessageContaining("likeliest takes 'weighted: true'");
    }

    private static final SampleSource NUMBERED = ReplayBufferTest.NUMBERED;

    /** f = ln 9 at the even rows and 0 at the odd: at T = ½ f/T is twice that. */
    private static final LogDensity EVEN = x -> {
        try (Scope scope = Scope.open()) {
            double[] f = Arrays.stream(x.select(1, 0).toDoubles())
                    .map(first -> Math.round(first) % 2 == 0 ? Math.log(9) : 0)
                    .toArray();
            return scope.keep(Tensors.of(f, f.length));
        }
    };

    /** Of two slots, one even, both become even with probability (81/82)², by f/T of the chains' own target. */
    @Test
    void slotsTakeTheLikelierEnds() {
        int both = 0;
        int rounds = 500;
        for (int round = 0; round < rounds; round++) {
            ReplayBuffer buffer = new ReplayBuffer(Key.of(1), NUMBERED, weighted(2, false), Optional.empty(), 1, 1);
            try (Scope scope = Scope.open();
                    ModelChains chains =
                            PlainChains.persistent(NUMBERED, with(Langevin.of(0.1), "temperature", 0.5), 0, buffer)) {
                Tensor none = Tensors.zeros(DType.FLOAT, Device.CPU, 2, 2);
                DrawnNegatives drawn = chains.draw(Key.of(2).child(round), 0, k -> EVEN, Batch.of(none), 2);
                // what is learnt from is the batch as it is
                assertThat(drawn.x().select(1, 0).toDoubles()).containsExactlyInAnyOrder(0, 1);
                both += Arrays.stream(buffer.chains().toDoubles()).sum() == 0 ? 1 : 0;
            }
        }
        // (81/82)² = 0.9758, σ = 0.0069: 5σ; by f alone it would be 0.81, without weights 0.5 or less
        assertThat((double) both / rounds).isCloseTo(0.9758, within(0.035));
    }

    @Test
    void newChainsEnterWhateverTheirWeight() {
        Buffer policy = weighted(4, false);
        try (Scope scope = Scope.open();
                ReplayBuffer buffer = new ReplayBuffer(Key.of(1), NUMBERED, policy, Optional.empty(), 1, 1)) {
            Tensor ends = Tensors.of(new float[] {50, 50, 60, 60}, 2, 2);
            buffer.write(
                    Key.of(2).stream(), new int[] {3, ReplayBuffer.NONE}, new long[2], ends, new double[] {1000, 0});
            assertThat(buffer.chains().toFloats()).containsExactly(60, 60, 1, 1, 2, 2, 50, 50);
        }
        assertThatThrownBy(() -> weighted(4, true))
                .hasMessageContaining("weighted cannot be combined with insertAllEnds");
    }

    private static Buffer weighted(int size, boolean insertAllEnds) {
        return new Buffer(size, ReplayBuffer.Entry.FIFO, insertAllEnds, 0, List.of(), false, true, false);
    }
}

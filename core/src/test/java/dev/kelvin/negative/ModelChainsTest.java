package dev.kelvin.negative;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.ParticleSets;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.Svgd;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.TooLargeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where chains begin, how far they go, and which components they have. */
class ModelChainsTest {
    private static final LogDensity TARGET = Gaussian.isotropic(new double[2], 1);

    /** Shrinks a chain by 0.9 a step. */
    private static final Langevin STILL = with(Langevin.of(0.1), "noise", 0);

    private static final SampleSource BATCH =
            new Start.BatchStart(0).draws(List.of(2L), ReplayBufferTest.NUMBERED, Device.CPU);

    private final Scope scope = Scope.open();
    private final Batch positives =
            new Batch(Tensors.of(new float[] {10, 10, 20, 20, 30, 30}, 3, 2), new long[] {1, 0, 1});

    @AfterEach
    void close() {
        scope.close();
    }

    private static double[] firsts(Tensor x) {
        return x.select(1, 0).toDoubles();
    }

    private DrawnNegatives draw(NegativeSource source, int seed, int count) {
        return source.draw(Key.of(seed), 0, k -> TARGET, positives, count);
    }

    @Test
    void moreNegativesThanMemoryHoldsAreRefused() {
        try (Scope scope = Scope.open()) {
            Batch one = Batch.of(Tensors.of(new float[] {1, 2}, 1, 2));
            assertThatThrownBy(() -> one.components(Integer.MAX_VALUE)).isInstanceOf(TooLargeException.class);
        }
    }

    /** Of particles, and of nothing else: the mean over particles and coordinates. Sets of 3 are other particles than one of 6. */
    @Test
    void particlesTellHowFarTheyMoved() {
        Svgd kernel = Svgd.of(0.1);
        try (ModelChains one = PlainChains.fresh(BATCH, kernel, 3);
                ModelChains sets = PlainChains.fresh(BATCH, new ParticleSets<>(kernel, 3), 3);
                ModelChains plain = PlainChains.fresh(BATCH, STILL, 3)) {
            DrawnNegatives drawn = draw(one, 1, 6);
            double[] from = {10, 20, 30, 10, 20, 30}; // both coordinates are the same
            double[] to = firsts(drawn.x());
            double[] second = drawn.x().select(1, 1).toDoubles();
            double squares = 0;
            for (int i = 0; i < 6; i++) {
                squares += Math.pow(to[i] - from[i], 2) / 12 + Math.pow(second[i] - from[i], 2) / 12;
            }
            assertThat(drawn.figures().get(StepInfo.DISPLACEMENT)).isCloseTo(squares, within(1e-5 * squares));
            DrawnNegatives apart = draw(sets, 1, 6);
            assertThat(firsts(apart.x().narrow(0, 0, 3)))
                    .containsExactly(firsts(apart.x().narrow(0, 3, 3)))
                    .isNotEqualTo(firsts(drawn.x().narrow(0, 0, 3)));
            assertThat(firsts(apart.x().narrow(0, 0, 3)))
                    .containsExactly(firsts(draw(one, 1, 3).x()));
            assertThat(draw(plain, 1, 6).figures()).isEmpty();
        }
    }

    /** Contrastive divergence: k steps from the batch itself. */
    @Test
    void chainsBeginAtTheBatchsSamplesInTurn() {
        try (ModelChains still = PlainChains.fresh(BATCH, STILL, 0);
                ModelChains two = PlainChains.fresh(BATCH, STILL, 2)) {
            DrawnNegatives drawn = draw(still, 1, 3);
            assertThat(firsts(drawn.x())).containsExactly(10, 20, 30);
            drawn.x().timesInPlace(0);
            assertThat(firsts(positives.x())).containsExactly(10, 20, 30); // the batch is left alone
            DrawnNegatives more = draw(still, 1, 7);
            assertThat(firsts(more.x())).containsExactly(10, 20, 30, 10, 20, 30, 10);
            assertThat(more.k()).containsExactly(1, 0, 1, 1, 0, 1, 1);
            assertThat(firsts(draw(still, 1, 2).x())).containsExactly(10, 20);
            assertThat(firsts(draw(two, 1, 3).x())).containsExactly(new double[] {8.1, 16.2, 24.3}, within(1e-5));
        }
    }

    @Test
    void theTargetIsAskedForTheChainsComponents() {
        List<long[]> asked = new ArrayList<>();
        try (ModelChains source = PlainChains.fresh(BATCH, STILL, 1)) {
            source.draw(
                    Key.of(1),
                    0,
                    k -> {
                        asked.add(k);
                        return TARGET;
                    },
                    positives,
                    5);
        }
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).containsExactly(1, 0, 1, 1, 0);
    }

    @Test
    void stepsFollowTheirSchedule() {
        Steps steps = new Steps(1, OptionalInt.of(3), 10, 10);
        try (ModelChains source = new ModelChains(BATCH, STILL, steps, Optional.empty(), Optional.empty())) {
            for (long iteration : new long[] {0, 10, 15, 20, 500}) {
                double shrunk = Math.pow(0.9, steps.at(iteration));
                double[] found = firsts(source.draw(Key.of(1), iteration, k -> TARGET, positives, 1)
                        .x());
                assertThat(found[0]).isCloseTo(10 * shrunk, within(1e-5));
            }
        }
    }

    private record Change(BiFunction<Key, Tensor, Tensor> by) implements Augmentation {
        @Override
        public String words() {
            return "changed";
        }

        @Override
        public Tensor apply(Key key, Tensor images) {
            return by.apply(key, images);
        }
    }

    private static ReplayBuffer buffer(double reinitialise, Augmentation... changes) {
        Buffer settings =
                new Buffer(8, ReplayBuffer.Entry.FIFO, false, reinitialise, List.of(changes), false, false, false);
        return new ReplayBuffer(Key.of(1), ReplayBufferTest.NUMBERED, settings, Optional.of(PixelRange.UNIT), 2, 2);
    }

    /** Slot i is of component i mod 2 and began at i: a chain's component is that of its slot. */
    @Test
    void aBuffersChainsKeepTheirComponents() {
        try (ModelChains source = PlainChains.persistent(BATCH, STILL, 0, buffer(0))) {
            for (int seed = 0; seed < 20; seed++) {
                DrawnNegatives drawn = draw(source, seed, 4);
                assertThat(drawn.k()).containsExactly(1, 0, 1, 1);
                double[] where = firsts(drawn.x());
                for (int i = 0; i < where.length; i++) {
                    assertThat((long) where[i] % 2).isEqualTo(drawn.k()[i]);
                }
            }
        }
    }

    /** Chains that begin anew do so at the positive of their row. */
    @Test
    void aBuffersFreshChainsBeginAtTheBatch() {
        try (ModelChains source = PlainChains.persistent(BATCH, STILL, 0, buffer(1))) {
            assertThat(firsts(draw(source, 1, 4).x())).containsExactly(10, 20, 30, 10);
        }
        double[] origin = {10, 20, 30, 10};
        try (ModelChains source = PlainChains.persistent(BATCH, STILL, 0, buffer(0.5))) {
            int fresh = 0;
            for (int seed = 0; seed < 40; seed++) {
                try (ReplayBuffer before = buffer(0.5)) {
                    int[] slots = before.draw(Key.of(seed).split(5)[0].stream(), positives.components(4));
                    double[] kept = firsts(source.buffer().orElseThrow().chains());
                    double[] drawn = firsts(draw(source, seed, 4).x());
                    for (int i = 0; i < 4; i++) {
                        boolean anew = slots[i] == ReplayBuffer.NONE;
                        fresh += anew ? 1 : 0;
                        assertThat(drawn[i]).isEqualTo(anew ? origin[i] : kept[slots[i]]);
                    }
                }
            }
            assertThat(fresh).isBetween(40, 120); // of 160, six deviations around a half
        }
    }

    /** Chains of the buffer are changed when they are drawn again, those that begin anew are not. */
    @Test
    void onlyAnOldChainIsChanged() {
        Augmentation hundred = new Change((key, x) -> x.plus(100));
        try (ModelChains source = PlainChains.persistent(BATCH, STILL, 0, buffer(0, hundred))) {
            for (int draw = 1; draw <= 3; draw++) {
                double[] drawn = firsts(draw(source, draw, 4).x());
                assertThat(Arrays.stream(drawn)).allMatch(value -> value >= 100);
            }
            // written back as it was drawn, so that changes add up
            double most = Arrays.stream(firsts(source.buffer().orElseThrow().chains()))
                    .max()
                    .orElseThrow();
            assertThat(most).isGreaterThanOrEqualTo(200);
        }
        try (ModelChains source = PlainChains.persistent(BATCH, STILL, 0, buffer(1, hundred))) {
            assertThat(firsts(draw(source, 1, 4).x())).containsExactly(10, 20, 30, 10);
        }
        try (ModelChains source = PlainChains.persistent(BATCH, STILL, 0, buffer(0.5, hundred))) {
            boolean old = false;
            boolean anew = false;
            for (int seed = 0; seed < 20; seed++) {
                int[] slots;
                try (ReplayBuffer same = buffer(0.5, hundred)) {
                    slots = same.draw(Key.of(seed).split(5)[0].stream(), positives.components(4));
                }
                double[] kept = firsts(source.buffer().orElseThrow().chains());
                double[] drawn = firsts(draw(source, seed, 4).x());
                for (int i = 0; i < 4; i++) {
                    if (slots[i] == ReplayBuffer.NONE) {
                        assertThat(drawn[i]).isEqualTo(new double[] {10, 20, 30, 10}[i]);
                        anew = true;
                    } else {
                        assertThat(drawn[i]).isEqualTo(kept[slots[i]] + 100);
                        old = true;
                    }
                }
            }
            assertThat(old && anew).isTrue();
        }
    }

    /** The change takes a key of the draw. */
    @Test
    void aChangeMayBeByChance() {
        Augmentation noise =
                new Change((key, x) -> Tensors.normalLike(key, 1, x).addInPlace(x));
        try (ModelChains one = PlainChains.persistent(BATCH, STILL, 0, buffer(0, noise));
                ModelChains two = PlainChains.persistent(BATCH, STILL, 0, buffer(0, noise))) {
            assertThat(firsts(draw(one, 1, 4).x()))
                    .isEqualTo(firsts(draw(two, 1, 4).x()));
            assertThat(firsts(draw(one, 2, 4).x()))
                    .isNotEqualTo(firsts(draw(two, 3, 4).x()));
        }
    }
}

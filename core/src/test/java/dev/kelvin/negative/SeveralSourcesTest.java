package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.sample.Kernel;
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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SeveralSourcesTest {
    private static final Gaussian TARGET = Gaussian.isotropic(new double[2], 1);
    private static final SampleSource NOISE = SampleSource.gaussian(List.of(), 1, List.of(2L), Device.CPU);

    private static Batch batch() {
        return new Batch(Tensors.of(new float[] {0, 0, 1, 1, 2, 2}, 3, 2), new long[] {7, 8, 9});
    }

    private static ModelChains persistent(Kernel<?> kernel, long seed) {
        return PlainChains.persistent(
                NOISE,
                kernel,
                2,
                new ReplayBuffer(
                        Key.of(seed), NOISE, Buffer.of(10, ReplayBuffer.Entry.RESERVOIR, 0.3), Optional.empty(), 1, 1));
    }

    private static SeveralSources three(long seed) {
        return new SeveralSources(List.of(
                new SeveralSources.Part(persistent(Langevin.of(0.1), seed), 3),
                new SeveralSources.Part(PlainChains.fresh(NOISE, Mala.of(0.5), 2), 2),
                new SeveralSources.Part(persistent(Langevin.of(0.2), seed + 1), 2)));
    }

    /** Row i begins at positive i mod 3 and has its component, whichever source it is of. */
    @Test
    void eachRowHasItsPositivesComponent() {
        SampleSource beside = new Start.BatchStart(0).draws(List.of(2L), NOISE, Device.CPU);
        List<long[]> asked = new ArrayList<>();
        try (Scope scope = Scope.open();
                SeveralSources sources = new SeveralSources(List.of(
                        new SeveralSources.Part(PlainChains.fresh(beside, Langevin.of(0.1), 0), 4),
                        new SeveralSources.Part(PlainChains.fresh(beside, Langevin.of(0.1), 0), 1),
                        new SeveralSources.Part(PlainChains.fresh(beside, Langevin.of(0.1), 0), 3)))) {
            DrawnNegatives drawn = sources.draw(
                    Key.of(1),
                    0,
                    k -> {
                        asked.add(k);
                        return TARGET;
                    },
                    batch(),
                    8);
            assertThat(drawn.k()).containsExactly(7, 8, 9, 7, 8, 9, 7, 8);
            assertThat(drawn.x().select(1, 0).toFloats()).containsExactly(0, 1, 2, 0, 1, 2, 0, 1);
            assertThat(asked).containsExactly(new long[] {7, 8, 9, 7}, new long[] {8}, new long[] {9, 7, 8});
            assertThat(drawn.acceptance()).isEmpty();
        }
    }

    /** Each source draws as it does alone, with a key of its own; acceptance is the mean over rows that have one. */
    @Test
    void sourcesDrawAsTheyDoAlone() {
        try (Scope scope = Scope.open();
                SeveralSources sources = three(1);
                ModelChains alone = persistent(Langevin.of(0.1), 1)) {
            DrawnNegatives all = sources.draw(Key.of(3), 0, k -> TARGET, batch(), 7);
            DrawnNegatives first = alone.draw(Key.of(3).child(0), 0, k -> TARGET, batch(), 3);
            assertThat(all.x().narrow(0, 0, 3).toFloats()).isEqualTo(first.x().toFloats());
            DrawnNegatives second =
                    PlainChains.fresh(NOISE, Mala.of(0.5), 2).draw(Key.of(3).child(1), 0, k -> TARGET, batch(), 2);
            assertThat(all.x().narrow(0, 3, 2).toFloats()).isEqualTo(second.x().toFloats());
            assertThat(all.acceptance().orElseThrow())
                    .isCloseTo(second.acceptance().orElseThrow(), within(0.0));
        }
    }

    /** The first keeps the names that it has alone, so that a run from before goes on. */
    @Test
    void whatWasSavedGoesOnEqually() {
        try (Scope scope = Scope.open();
                SeveralSources one = three(1);
                SeveralSources two = three(5);
                ModelChains alone = persistent(Langevin.of(0.1), 9)) {
            draw(one, 0);
            State saved = State.empty();
            one.save(saved);
            assertThat(saved.tensors().keySet()).containsExactlyInAnyOrder("slots", "2.slots");
            assertThat(saved.numbers().keySet()).containsExactlyInAnyOrder("entered", "2.entered");
            Map<String, Tensor> copies = new TreeMap<>();
            saved.tensors().forEach((name, tensor) -> copies.put(name, tensor.copy()));
            State kept = State.of(copies, Map.copyOf(saved.numbers()));
            float[] next = draw(one, 1);
            assertThat(draw(two, 1)).isNotEqualTo(next);
            two.load(kept);
            assertThat(draw(two, 1)).isEqualTo(next);
            alone.load(kept);
            assertThat(alone.buffer().orElseThrow().chains().dtype()).isEqualTo(DType.FLOAT);
        }
    }

    private static float[] draw(SeveralSources sources, int iteration) {
        try (Scope scope = Scope.open()) {
            return sources.draw(Key.of(4).child(iteration), iteration, k -> TARGET, batch(), 7)
                    .x()
                    .toFloats();
        }
    }

    @Test
    void anotherCountThanTheirsIsRefused() {
        try (Scope scope = Scope.open();
                SeveralSources sources = three(1)) {
            assertThatThrownBy(() -> sources.draw(Key.of(1), 0, k -> TARGET, batch(), 8))
                    .hasMessage("the sources give 7 samples, asked for are 8");
        }
    }
}

package dev.kelvin.objective;

import static dev.kelvin.sample.Changed.range;
import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ChainRequest;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.PlainChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.optim.Adam;
import dev.kelvin.sample.Decay;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Psgld;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import dev.kelvin.train.StepReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A learner with the KL term: it changes the gradient and nothing else. */
class KlTest {
    private static final EnergyModel MODEL = EnergyModel.plain(new Mlp(2, List.of(5), 1, Activation.SILU, 0));
    private static final SampleSource NOISE = SampleSource.gaussian(List.of(), 1, List.of(2L), Device.CPU);
    private static final Kl.Entropy ENTROPY = new Kl.Entropy(0.3, 10, 0);
    private static final Langevin KERNEL = with(
            Langevin.of(0.05),
            "noise",
            0.1,
            "noiseFirst",
            true,
            "clip",
            0.5,
            "clamp",
            range(-2, 2),
            "anneal",
            new Decay.Polynomial(3, 0.6));

    private final Scope scope = Scope.open();

    @AfterEach
    void close() {
        scope.close();
    }

    private static NegativeSource chains(Kernel<?> kernel, int steps) {
        return PlainChains.persistent(
                NOISE,
                kernel,
                steps,
                new ReplayBuffer(
                        Key.of(2), NOISE, Buffer.of(400, ReplayBuffer.Entry.RESERVOIR, 0.3), Optional.empty(), 1, 1));
    }

    private static EnergyLearner learner(NegativeSource source, int count, Term... terms) {
        return new EnergyLearner(
                MODEL,
                source,
                new Contrastive(0.1, 0),
                List.of(terms),
                new EnergyLearner.Settings(count, 1),
                new Descent(MODEL.layout().init(Key.of(3), DType.FLOAT), Adam.of(0.01), 10, 0.5));
    }

    private static Map<String, Double> step(EnergyLearner learner, long step, int count) {
        Tensor x = Tensors.normal(Key.of(5).child(step), count, 2);
        return learner.step(Key.of(4).child(step), step, Batch.of(x)).values();
    }

    private static State state(EnergyLearner learner) {
        State state = State.empty();
        learner.save(state);
        return state;
    }

    private static void assertSame(State one, State other) {
        assertThat(other.numbers()).isEqualTo(one.numbers());
        assertThat(other.tensors().keySet()).isEqualTo(one.tensors().keySet());
        one.tensors()
                .forEach((name, tensor) -> assertThat(other.tensors().get(name))
                        .as(name)
                        .satisfies(same -> assertThat(same.toDoubles()).isEqualTo(tensor.toDoubles())));
    }

    /** Of chains that are moved as one, and in two halves. */
    @ParameterizedTest
    @ValueSource(ints = {8, 300})
    void ofWeightZeroItIsPlainContrastiveDivergence(int count) {
        Kl zero = new Kl(0, 2, Optional.of(new Kl.Entropy(0, 10, 0)));
        try (EnergyLearner plain = learner(chains(KERNEL, 3), count);
                EnergyLearner termed =
                        learner(chains(KERNEL, 3), count, zero, new Kl(0, 1, java.util.Optional.empty()))) {
            for (int i = 0; i < 5; i++) {
                assertThat(step(termed, i, count)).isEqualTo(step(plain, i, count));
            }
            assertSame(state(plain), state(termed));
        }
    }

    /** With a weight the first step's samples, f there and the buffer are those without the term, to the bit. */
    @ParameterizedTest
    @ValueSource(ints = {8, 300})
    void chainsAreTheSameWithAndWithout(int count) {
        for (int moves : new int[] {1, 3}) {
            try (EnergyLearner plain = learner(chains(KERNEL, 3), count);
                    EnergyLearner termed = learner(chains(KERNEL, 3), count, new Kl(1, moves, Optional.of(ENTROPY)))) {
                Map<String, Double> one = step(plain, 0, count);
                Map<String, Double> two = step(termed, 0, count);
                assertThat(two.get(StepReport.NEGATIVE)).isEqualTo(one.get(StepReport.NEGATIVE));
                assertThat(two).containsKeys("kl_term", "neighbour_log_distance");
                assertThat(two.get("gradient_norm")).isNotEqualTo(one.get("gradient_norm"));
                State first = state(plain);
                State second = state(termed);
                first.tensors().forEach((name, tensor) -> {
                    Tensor same = second.tensors().get(name);
                    if (name.startsWith("negatives")) {
                        assertThat(same == null ? new double[0] : same.toDoubles())
                                .isEqualTo(tensor.toDoubles());
                    }
                });
                assertThat(second.numbers()).isEqualTo(first.numbers());
            }
        }
    }

    /** Where a proposal can be refused, and where a move depends on the moves before: the same chains, figures and buffer. */
    @Test
    void chainsWithAMemoryAreTheSameWithAndWithout() {
        Kernel<?> mala = with(Mala.of(0.3), "noise", 0.5, "ratio", Mala.Ratio.STEP);
        for (Kernel<?> kernel : List.of(mala, Psgld.of(0.01))) {
            for (int count : new int[] {8, 300}) {
                try (EnergyLearner plain = learner(chains(kernel, 3), count);
                        EnergyLearner termed = learner(chains(kernel, 3), count, new Kl(1, 1, Optional.of(ENTROPY)))) {
                    Map<String, Double> one = step(plain, 0, count);
                    Map<String, Double> two = step(termed, 0, count);
                    for (String figure : List.of(StepReport.NEGATIVE, StepReport.ACCEPTANCE, "step_divisor")) {
                        assertThat(two.getOrDefault(figure, 0.0))
                                .isCloseTo(one.getOrDefault(figure, 0.0), org.assertj.core.api.Assertions.within(1e-6));
                    }
                    assertThat(two.get("gradient_norm")).isNotEqualTo(one.get("gradient_norm"));
                }
            }
        }
    }

    /** Two terms may look back unequally far; together they are as if each were alone. */
    @Test
    void termsOfUnequalReachAddUp() {
        Kl near = new Kl(0.5, 1, Optional.empty());
        Kl far = new Kl(0.25, 3, Optional.empty());
        try (EnergyLearner one = learner(chains(KERNEL, 3), 8, near);
                EnergyLearner other = learner(chains(KERNEL, 3), 8, far);
                EnergyLearner plain = learner(chains(KERNEL, 3), 8);
                EnergyLearner both = learner(chains(KERNEL, 3), 8, near, far)) {
            double apart = loss(one) + loss(other) - loss(plain);
            assertThat(loss(both)).isCloseTo(apart, org.assertj.core.api.Assertions.within(1e-6));
        }
    }

    private static double loss(EnergyLearner learner) {
        return step(learner, 0, 8).getOrDefault(StepReport.LOSS, Double.NaN);
    }

    /** The entropy waits until the buffer has taken in so many ends. */
    @Test
    void theEntropyWaits() {
        Kl term = new Kl(1, 1, Optional.of(new Kl.Entropy(0.3, 10, 16)));
        try (EnergyLearner learner = learner(chains(KERNEL, 3), 8, term)) {
            assertThat(step(learner, 0, 8)).doesNotContainKey("neighbour_log_distance");
            assertThat(step(learner, 1, 8)).doesNotContainKey("neighbour_log_distance");
            assertThat(step(learner, 2, 8)).containsKey("neighbour_log_distance");
        }
    }

    @Test
    void whatCannotBeIsSaid() {
        try (EnergyLearner hmc = learner(chains(Hmc.of(0.1, 2), 3), 8, new Kl(1, 1, java.util.Optional.empty()));
                EnergyLearner two = learner(chains(Psgld.of(0.1), 3), 8, new Kl(1, 2, java.util.Optional.empty()));
                EnergyLearner few = learner(chains(KERNEL, 3), 8, new Kl(1, 4, Optional.empty()))) {
            assertThatThrownBy(() -> step(hmc, 0, 8)).hasMessageContaining("no 1 last moves of 3 steps of Hamiltonian");
            assertThatThrownBy(() -> step(two, 0, 8)).hasMessageContaining("through the last move alone");
            assertThatThrownBy(() -> step(few, 0, 8)).hasMessageContaining("no 4 last moves of 3 steps of Langevin");
        }
        assertThatThrownBy(() -> new Kl(-1, 1, Optional.empty())).hasMessageContaining("weight must be 0 or more");
        assertThatThrownBy(() -> new Kl(1, 0, Optional.empty())).hasMessageContaining("steps must be at least 1");
        assertThatThrownBy(() -> new Kl.Entropy(0.3, 0, 0)).hasMessageContaining("neighbours must be at least 1");
        assertThat(new Kl(1, 2, Optional.of(ENTROPY)).wanted().and(new ChainRequest(1, 20)))
                .isEqualTo(new ChainRequest(2, 20));
        assertThat(new Kl(1, 2, Optional.of(ENTROPY)).words()).contains("last 2 moves", "nearest of 10 samples");
    }
}

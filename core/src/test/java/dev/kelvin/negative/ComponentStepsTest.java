package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.energy.Timeline;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two components, N(0, 1) and N(0, .1²): each needs steps a hundred times those of the other. */
class ComponentStepsTest {
    private static final double[] WIDTHS = {1, 0.1};
    private static final int CHAINS = 40;
    private static final Mala MALA = Mala.of(0.3);
    private static final SampleSource NOISE = SampleSource.gaussian(List.of(), 1, List.of(2L), Device.CPU);
    private static final ComponentSteps.Adapt ADAPT = new ComponentSteps.Adapt(0.6);

    /** Each row's own width: a Gaussian in units of its component's. */
    private static NegativeSource.Target target(Tensor like) {
        return k -> Gaussian.isotropic(new double[2], 1)
                .rescaled(Timeline.byComponent(like, k, component -> 1 / WIDTHS[component]));
    }

    private static long[] components() {
        return ReplayBuffer.inTurn(CHAINS, 2);
    }

    private static ModelChains chains(Key key) {
        return new ModelChains(
                NOISE,
                MALA,
                Steps.of(2),
                Optional.of(new ReplayBuffer(
                        key, NOISE, Buffer.of(CHAINS, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 2, 2)),
                Optional.of(new ComponentSteps(ADAPT, new LogitHead(2).firstSteps())));
    }

    private static DrawnNegatives draw(ModelChains chains, int iteration) {
        Tensor x = Tensors.normal(Key.of(1), CHAINS, 2);
        return chains.draw(Key.of(2).child(iteration), iteration, target(x), new Batch(x, components()), CHAINS);
    }

    private static void draws(ModelChains chains, int from, int to) {
        for (int iteration = from; iteration < to; iteration++) {
            try (Scope scope = Scope.open()) {
                draw(chains, iteration);
            }
        }
    }

    /** Acceptance by component of chains that start in their target, at the settled sizes. */
    private static double[] acceptance(ComponentSteps steps) {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(3), CHAINS, 2)
                    .times(Timeline.byComponent(Tensors.normal(Key.of(3), CHAINS, 2), components(), k -> WIDTHS[k]));
            LogDensity density = target(x).of(components());
            ChainRun walk = steps.settled(Key.of(4), MALA, density, x, components(), 200);
            double[] means = new double[2];
            for (int i = 0; i < CHAINS; i++) {
                means[i % 2] += walk.accepted()[i] / (CHAINS / 2.0);
            }
            return means;
        }
    }

    @Test
    void eachComponentComesToItsAcceptance() {
        try (ModelChains chains = chains(Key.of(5))) {
            ComponentSteps steps = chains.adapted().orElseThrow();
            assertThat(acceptance(steps)[1]).isLessThan(0.1); // before: far too long for the narrow one
            draws(chains, 0, 400);
            // 20 chains of 200 steps: a standard error of about .01, and what is left of the adaptation
            assertThat(acceptance(steps)).containsExactly(new double[] {0.6, 0.6}, within(0.06));
            double[] factors = steps.factors();
            assertThat(factors[0] / factors[1]).isCloseTo(100, within(15.0));
        }
    }

    /** Only the components that were seen learn from a draw. */
    @Test
    void aComponentWithoutChainsStays() {
        try (Scope scope = Scope.open();
                ComponentSteps steps = new ComponentSteps(ADAPT, 0.5, 2)) {
            Tensor x = Tensors.normal(Key.of(1), 10, 2);
            steps.adapt(Key.of(2), MALA, target(x), x, new long[10], 2);
            assertThat(steps.factors()[0]).isNotEqualTo(0.5);
            assertThat(steps.factors()[1]).isCloseTo(2, within(1e-12));
        }
    }

    /** A factor h on a component is a kernel with h times the step. */
    @Test
    void aFactorIsTheKernelsStep() {
        try (Scope scope = Scope.open();
                ComponentSteps steps = new ComponentSteps(ADAPT, 0.25)) {
            Tensor x = Tensors.normal(Key.of(1), 10, 2);
            LogDensity target = Gaussian.isotropic(new double[2], 1);
            ChainRun stretched = steps.settled(Key.of(2), MALA, target, x, new long[10], 5);
            ChainRun plain = ChainRun.run(Key.of(2), MALA.withStepSize(0.25 * 0.3), target, x, 5);
            // the same moves but for rounding
            assertThat(stretched.x().toDoubles()).containsExactly(plain.x().toDoubles(), within(1e-5));
            assertThat(stretched.accepted()).containsExactly(plain.accepted(), within(1e-5));
        }
    }

    @Test
    void goesOnWhereItWasSaved() {
        try (Scope scope = Scope.open();
                ModelChains one = chains(Key.of(5));
                ModelChains two = chains(Key.of(6));
                ModelChains forgetful = chains(Key.of(6))) {
            draws(one, 0, 20);
            State state = State.empty();
            one.save(state);
            assertThat(state.tensors()).containsKeys("slots", "steps");
            two.load(state);
            forgetful.buffer().orElseThrow().load(state);
            draws(one, 20, 30);
            draws(two, 20, 30);
            draws(forgetful, 20, 30);
            float[] expected = draw(one, 30).x().toFloats();
            assertThat(draw(two, 30).x().toFloats()).isEqualTo(expected);
            assertThat(two.adapted().orElseThrow().factors())
                    .isEqualTo(one.adapted().orElseThrow().factors());
            assertThat(draw(forgetful, 30).x().toFloats()).isNotEqualTo(expected); // the twin
        }
    }

    @Test
    void anAcceptanceThatNoStepHasIsRefused() {
        for (double wrong : new double[] {0, 1, Double.NaN}) {
            assertThatThrownBy(() -> new ComponentSteps.Adapt(wrong))
                    .hasMessageContaining("acceptance must lie between");
        }
    }
}

package dev.kelvin.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.SettingException;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every kernel promises. That memory stays flat is {@link dev.kelvin.train.MemoryTest}'s. */
class KernelContractTest {
    private static final int STEPS = 5;

    private static double[] walk(Key key, KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            return Walk.run(key, c.kernel(), KernelCases.WAVY, c.start(), STEPS)
                    .x()
                    .toDoubles();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void theKeyDecidesOnAnyThread(KernelCases.Case c) throws InterruptedException, ExecutionException {
        double[] once = walk(Key.of(1), c);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Callable<double[]> again = () -> walk(Key.of(1), c);
            List<Future<double[]>> others = new ArrayList<>(List.of(threads.submit(again), threads.submit(again)));
            for (Future<double[]> other : others) {
                assertThat(other.get()).isEqualTo(once);
            }
        } finally {
            threads.shutdown();
        }
        if (c.named().has(KernelCases.Trait.CERTAIN)) {
            assertThat(walk(Key.of(2), c)).isEqualTo(once);
        } else {
            assertThat(walk(Key.of(2), c)).isNotEqualTo(once);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void stepsUseKeysOfTheirOwn(KernelCases.Case c) {
        // a walk of two steps is two walks of one only if the second has another key
        try (Scope scope = Scope.open()) {
            List<double[]> moves = new ArrayList<>();
            LogDensity flat = x -> x.times(0).sumPerSample();
            Tensor start = c.start().timesInPlace(0);
            Walk.run(
                    Key.of(3),
                    c.kernel(),
                    flat,
                    start,
                    2,
                    (step, state) -> moves.add(state.x().toDoubles()));
            double[] second = new double[moves.get(0).length];
            Arrays.setAll(second, i -> moves.get(1)[i] - moves.get(0)[i]);
            if (c.named().has(KernelCases.Trait.CERTAIN)) {
                assertThat(second).containsOnly(0);
            } else {
                assertThat(second).isNotEqualTo(moves.get(0));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void aStepLeavesItsStateAsItWas(KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            assertStateUntouched(c.kernel(), c.start());
        }
    }

    private static <S extends ChainState> void assertStateUntouched(Kernel<S> kernel, Tensor x) {
        S state = kernel.start(KernelCases.WAVY, x);
        List<double[]> before = state.tensors().stream().map(Tensor::toDoubles).toList();
        Transition<S> next = kernel.step(Key.of(4), KernelCases.WAVY, state);
        for (int i = 0; i < before.size(); i++) {
            assertThat(state.tensors().get(i).toDoubles()).isEqualTo(before.get(i));
        }
        assertThat(next.state().x().toDoubles()).isNotEqualTo(before.get(0));
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#forgetful")
    void aStateIsWhatItsStartWouldBe(KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            assertRemembersRightly(c.kernel(), c.start());
        }
    }

    /** What a state carries besides x, f and its gradient say, is what a new start at x computes. */
    private static <S extends ChainState> void assertRemembersRightly(Kernel<S> kernel, Tensor x) {
        S state = kernel.start(KernelCases.WAVY, x);
        for (int step = 0; step < STEPS; step++) {
            state = kernel.step(Key.of(5).child(step), KernelCases.WAVY, state).state();
        }
        S anew = kernel.start(KernelCases.WAVY, state.x());
        for (int i = 0; i < anew.tensors().size(); i++) {
            assertThat(state.tensors().get(i).toDoubles())
                    .isEqualTo(anew.tensors().get(i).toDoubles());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void shapeAndTypeStayAndEveryRowIsFinite(KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor x = c.start();
            Walk walk = Walk.run(Key.of(6), c.kernel(), KernelCases.WAVY, x, STEPS);
            assertThat(walk.x().shape()).isEqualTo(x.shape());
            assertThat(walk.x().dtype()).isEqualTo(c.type());
            assertThat(walk.x().allFinite()).isTrue();
            assertThat(walk.x().requiresGrad()).isFalse();
            walk.acceptance().ifPresent(mean -> assertThat(mean).isBetween(0.0, 1.0));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#independent")
    void chainsDoNotSeeEachOther(KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor x = c.start().timesInPlace(0.4); // inside of the clamps, which make chains equal
            Tensor other = x.copy();
            other.select(0, 2).addNumberInPlace(0.25);
            double[] one = Walk.run(Key.of(8), c.kernel(), KernelCases.WAVY, x, STEPS)
                    .x()
                    .toDoubles();
            double[] two = Walk.run(Key.of(8), c.kernel(), KernelCases.WAVY, other, STEPS)
                    .x()
                    .toDoubles();
            int width = one.length / 6;
            for (int row = 0; row < 6; row++) {
                double[] first = Arrays.copyOfRange(one, row * width, (row + 1) * width);
                double[] second = Arrays.copyOfRange(two, row * width, (row + 1) * width);
                if (row == 2) {
                    assertThat(second).isNotEqualTo(first);
                } else {
                    assertThat(second).isEqualTo(first);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void noStepsIsTheStart(KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor x = c.start();
            Walk walk = Walk.run(Key.of(9), c.kernel(), KernelCases.WAVY, x, 0);
            assertThat(walk.x()).isSameAs(x);
            assertThat(walk.acceptance()).isEmpty();
        }
    }

    /** NaN is seen: in the positions, or, where a proposal can be refused, in the acceptance that is reported. */
    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void nanOfTheTargetIsSeen(KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            LogDensity broken = x -> x.sumPerSample().times(Double.NaN);
            Walk walk = Walk.run(Key.of(10), c.kernel(), broken, c.start(), 1);
            boolean atTheChains = Arrays.stream(walk.x().toDoubles()).allMatch(Double::isNaN);
            boolean atTheAcceptance = Double.isNaN(walk.acceptance().orElse(0));
            assertThat(atTheChains || atTheAcceptance).isTrue();
        }
    }

    /** One chain that meets NaN shows it and spares the others. */
    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#independent")
    void nanOfOneChainStaysThere(KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor x = c.start();
            x.select(0, 4).timesInPlace(Double.NaN);
            Walk walk = Walk.run(Key.of(11), c.kernel(), KernelCases.WAVY, x, STEPS);
            double[] sums = walk.x().sumPerSample().toDoubles();
            for (int row = 0; row < sums.length; row++) {
                assertThat(Double.isNaN(sums[row])).isEqualTo(row == 4);
            }
            walk.acceptance().ifPresent(mean -> assertThat(mean).isNaN());
        }
    }

    // ---- settings

    private static void assertRefused(String setting, Runnable making) {
        SettingException refusal = catchThrowableOfType(SettingException.class, making::run);
        assertThat(refusal).as("a refusal of %s", setting).isNotNull();
        assertThat(refusal.setting()).isEqualTo(setting);
        assertThat(refusal).hasMessageStartingWith(setting + " must");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, Double.NaN, Double.POSITIVE_INFINITY})
    void aStepThatIsNoneIsRefused(double step) {
        assertRefused("stepSize", () -> new GradientDescent(step, Limits.NONE));
        assertRefused("stepSize", () -> new Langevin(step, 1, false, Limits.NONE));
        assertRefused("stepSize", () -> Langevin.at(step, 1));
        assertRefused("stepSize", () -> new Mala(step, 1));
        assertRefused("stepSize", () -> new Mala(step, 1, 1));
        assertRefused("stepSize", () -> new TemperedMala(step, 0.5, 10));
        assertRefused("stepSize", () -> new Psgld(step, 0.9, 1, OptionalDouble.empty()));
        assertRefused("stepSize", () -> Hmc.of(step, 1));
        assertRefused("stepSize", () -> new Svgd(step, Svgd.Update.PLAIN, Limits.NONE));
        assertRefused("stepSize", () -> new DualAveraging(0.6, step));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void aTemperatureThatIsNoneIsRefused(double temperature) {
        assertRefused("temperature", () -> Langevin.at(0.1, temperature));
        assertRefused("temperature", () -> new Mala(0.1, temperature));
        assertRefused("temperature", () -> new Mala(0.1, 1, temperature));
        assertRefused("temperature", () -> new Hmc(0.1, 1, 0, List.of(), temperature));
        assertRefused("temperatures", () -> new ReplicaExchange<>(new Mala(0.1, 1), List.of(temperature, 2.0), 1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1e-9, Double.NaN, Double.POSITIVE_INFINITY})
    void noiseThatIsNoneIsRefused(double noise) {
        assertRefused("noise", () -> new Langevin(0.1, noise, false, Limits.NONE));
        assertRefused("noise", () -> new Mala(0.1, noise, 1));
        assertRefused("noise", () -> new Psgld(0.1, 0.9, 1, OptionalDouble.of(noise)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void sharesThatAreNoneAreRefused(double share) {
        assertRefused("threshold", () -> new TemperedMala(0.1, share, 10));
        assertRefused("decay", () -> new Psgld(0.1, share, 1, OptionalDouble.empty()));
        assertRefused("jitter", () -> new Hmc(0.1, 1, share, List.of(), 1));
        assertRefused("least", () -> Decay.cosine(10, share));
        assertRefused("acceptance", () -> new DualAveraging(share, 0.1));
    }

    @Test
    void otherSettingsThatAreNoneAreRefused() {
        assertRefused("noise", () -> new Mala(0.1, 0, 1));
        assertRefused("factor", () -> new TemperedMala(0.1, 0.5, 0.9));
        assertRefused("damping", () -> new Psgld(0.1, 0.9, 0, OptionalDouble.empty()));
        assertRefused("leaps", () -> Hmc.of(0.1, 0));
        assertRefused("mass", () -> new Hmc(0.1, 1, 0, List.of(1.0, 0.0), 1));
        assertRefused("least", () -> Decay.cosine(10, 0));
        assertRefused("steps", () -> Decay.cosine(0, 0.1));
        assertRefused("offset", () -> Decay.polynomial(0, 1));
        assertRefused("power", () -> Decay.polynomial(1, 0));
        assertRefused("groups", () -> new DualAveraging(0.6));
        Mala mala = new Mala(0.1, 1);
        assertRefused("steps", () -> new ReplicaExchange<>(mala, List.of(1.0, 2.0), 0));
        assertRefused("temperatures", () -> new ReplicaExchange<>(mala, List.of(1.0), 1));
        assertRefused("temperatures", () -> new ReplicaExchange<>(mala, List.of(1.0, 1.0), 1));
        assertRefused("rungs", () -> ReplicaExchange.geometricLadder(1, 10));
        assertRefused("count", () -> AnnealingPath.geometric(KernelCases.WAVY, KernelCases.WAVY, 1, 1));
        assertRefused("power", () -> AnnealingPath.geometric(KernelCases.WAVY, KernelCases.WAVY, 2, 0));
        assertRefused("path", () -> new AnnealingPath(List.of(KernelCases.WAVY)));
    }

    @Test
    void limitsThatAreNoneAreRefused() {
        for (double clip : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertRefused("clip", () -> new Limits(OptionalDouble.of(clip), Optional.empty()));
        }
        List<List<Double>> ranges = List.of(
                List.of(),
                List.of(1.0),
                List.of(1.0, 1.0),
                List.of(1.0, 0.0),
                List.of(0.0, Double.NaN),
                List.of(0.0, 1.0, 2.0));
        for (List<Double> range : ranges) {
            assertThatThrownBy(() -> new Limits(OptionalDouble.empty(), Optional.of(range)))
                    .isInstanceOf(SettingException.class)
                    .hasMessage("clamp takes [low, high] with low below high, found " + range);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#kernels")
    void aNegativeNumberOfStepsIsRefused(KernelCases.Named named) {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[2], 1, 2);
            assertRefused("steps", () -> Walk.run(Key.of(1), named.kernel(), KernelCases.WAVY, x, -1));
        }
    }

    // ---- the walk

    @Test
    void theObserverSeesEveryStepAndItsStateIsFreedAfterwards() {
        try (Scope scope = Scope.open()) {
            List<Integer> steps = new ArrayList<>();
            List<Tensor> seen = new ArrayList<>();
            Tensor x = Tensors.of(new double[] {1, 2}, 1, 2);
            Walk walk = Walk.run(Key.of(1), new Mala(0.1, 1), KernelCases.WAVY, x, 3, (step, state) -> {
                steps.add(step);
                seen.addAll(state.tensors());
            });
            assertThat(steps).containsExactly(1, 2, 3);
            assertThat(seen).hasSize(9);
            for (Tensor tensor : seen) {
                if (tensor == walk.x()) {
                    assertThat(tensor.count()).isEqualTo(2);
                } else {
                    assertThatThrownBy(tensor::count).hasMessageContaining("was freed");
                }
            }
            assertThat(x.toDoubles()).containsExactly(1, 2); // the start is the caller's
        }
    }

    @Test
    void theAcceptanceIsTheMeanOverStepsAndChains() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(1), 50, 2);
            Mala mala = new Mala(0.5, 1);
            Key key = Key.of(2);
            List<Double> all = new ArrayList<>();
            Evaluated state = mala.start(KernelCases.WAVY, x);
            for (int step = 0; step < 3; step++) {
                Transition<Evaluated> next = mala.step(key.child(step), KernelCases.WAVY, state);
                state = next.state();
                DoubleStream.of(next.info().acceptance().orElseThrow().toDoubles())
                        .forEach(all::add);
            }
            double mean = all.stream().mapToDouble(Double::doubleValue).sum() / all.size();
            double found =
                    Walk.run(key, mala, KernelCases.WAVY, x, 3).acceptance().orElseThrow();
            // probabilities in float, each rounded by at most 6e-8
            assertThat(found).isCloseTo(mean, within(1e-6));
            assertThat(found).isBetween(0.1, 0.99);
        }
    }
}

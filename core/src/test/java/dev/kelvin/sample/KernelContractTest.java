package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.range;
import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.chain.RecordedChainRun;
import dev.kelvin.sample.warmup.DualAveraging;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
            return ChainRun.run(key, c.kernel(), KernelCases.WAVY, c.start(), STEPS)
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

    /** What looks at numbers on the host can't be recorded on a GPU: every accept/reject step but MALA's does. */
    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void whatDecidesOnTheHostIsNotRecorded(KernelCases.Case c) {
        if (c.kernel().traits().adjusted()) {
            Kernel<?> kernel = c.kernel() instanceof Annealed annealed ? annealed.inner() : c.kernel();
            assertThat(kernel.traits().recordable()).isEqualTo(kernel instanceof Mala);
        }
        try (Scope scope = Scope.open()) {
            Tensor start = c.start();
            assertThatThrownBy(() -> RecordedChainRun.of(
                            Key.of(1), c.kernel(), () -> KernelCases.WAVY, start, ChainRun.Course.of(STEPS)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            c.kernel().traits().recordable()
                                    ? "can be recorded on a GPU, not on cpu"
                                    : "decides on the host");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void stepsUseKeysOfTheirOwn(KernelCases.Case c) {
        // a walk of two steps is two walks of one only if the second has another key
        try (Scope scope = Scope.open()) {
            List<double[]> moves = new ArrayList<>();
            LogDensity flat = x -> x.times(0).sumPerSample().plus(-1); // E = 0 has no printed ratio
            Tensor start = c.start().timesInPlace(0);
            ChainRun.run(
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
            ChainRun walk = ChainRun.run(Key.of(6), c.kernel(), KernelCases.WAVY, x, STEPS);
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
            double[] one = ChainRun.run(Key.of(8), c.kernel(), KernelCases.WAVY, x, STEPS)
                    .x()
                    .toDoubles();
            double[] two = ChainRun.run(Key.of(8), c.kernel(), KernelCases.WAVY, other, STEPS)
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
            ChainRun walk = ChainRun.run(Key.of(9), c.kernel(), KernelCases.WAVY, x, 0);
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
            ChainRun walk = ChainRun.run(Key.of(10), c.kernel(), broken, c.start(), 1);
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
            ChainRun walk = ChainRun.run(Key.of(11), c.kernel(), KernelCases.WAVY, x, STEPS);
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
        assertRefused("stepSize", () -> GradientDescent.of(step));
        assertRefused("stepSize", () -> with(Langevin.of(step), "noise", 1));
        assertRefused("stepSize", () -> Langevin.of(step));
        assertRefused("stepSize", () -> Mala.of(step));
        assertRefused("stepSize", () -> with(Mala.of(step), "noise", 1, "mhTemperature", 1));
        assertRefused("stepSize", () -> TemperedMala.of(step));
        assertRefused("stepSize", () -> with(Psgld.of(step), "decay", 0.9, "damping", 1));
        assertRefused("stepSize", () -> Hmc.of(step, 1));
        assertRefused("stepSize", () -> JitteredHmc.of(step));
        assertRefused("stepSize", () -> with(Svgd.of(step), "update", Svgd.Update.PLAIN));
        assertRefused("temperature", () -> with(Svgd.of(0.1), "temperature", step));
        assertRefused("stepSize", () -> new DualAveraging(0.6, step));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void aTemperatureThatIsNoneIsRefused(double temperature) {
        assertRefused("temperature", () -> with(Langevin.of(0.1), "temperature", temperature));
        assertRefused("temperature", () -> with(Mala.of(0.1), "temperature", temperature));
        assertRefused("temperature", () -> new Hmc(0.1, 1, 0, List.of(), temperature));
        assertRefused("temperature", () -> with(JitteredHmc.of(0.1), "temperature", temperature));
        assertRefused("mhTemperature", () -> with(Mala.of(0.1), "mhTemperature", temperature));
        assertRefused("hottest", () -> with(ReplicaExchange.of(Mala.of(0.1)), "rungs", 3, "hottest", temperature));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1e-9, Double.NaN, Double.POSITIVE_INFINITY})
    void noiseThatIsNoneIsRefused(double noise) {
        assertRefused("noise", () -> with(Langevin.of(0.1), "noise", noise));
        assertRefused("noise", () -> with(Mala.of(0.1), "noise", noise));
        assertRefused("noise", () -> with(TemperedMala.of(0.1), "noise", noise));
        assertRefused("noise", () -> with(Psgld.of(0.1), "decay", 0.9, "damping", 1, "noise", noise));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void sharesThatAreNoneAreRefused(double share) {
        assertRefused("threshold", () -> with(TemperedMala.of(0.1), "threshold", share));
        assertRefused("decay", () -> with(Psgld.of(0.1), "decay", share, "damping", 1));
        assertRefused("jitter", () -> new Hmc(0.1, 1, share, List.of(), 1));
        assertRefused("least", () -> new Decay.Cosine(10, share));
        assertRefused("acceptance", () -> new DualAveraging(share, 0.1));
    }

    @Test
    void otherSettingsThatAreNoneAreRefused() {
        assertRefused("noise", () -> with(Mala.of(0.1), "noise", 0));
        assertRefused("noise", () -> with(TemperedMala.of(0.1), "noise", 0));
        assertRefused("factor", () -> with(TemperedMala.of(0.1), "factor", 0.9));
        assertRefused("damping", () -> with(Psgld.of(0.1), "decay", 0.9, "damping", 0));
        assertRefused("leaps", () -> Hmc.of(0.1, 0));
        assertRefused("pathLength", () -> JitteredHmc.of(0.1).withPathLength(-1));
        assertRefused("scales.1", () -> with(JitteredHmc.of(0.1), "scales", List.of(1.0, Double.NaN)));
        assertRefused("mass", () -> new Hmc(0.1, 1, 0, List.of(1.0, 0.0), 1));
        assertRefused("least", () -> new Decay.Cosine(10, 0));
        assertRefused("steps", () -> new Decay.Cosine(0, 0.1));
        assertRefused("offset", () -> new Decay.Polynomial(0, 1));
        assertRefused("power", () -> new Decay.Polynomial(1, 0));
        assertRefused("groups", () -> new DualAveraging(0.6));
        ReplicaExchange exchange = ReplicaExchange.of(Mala.of(0.1));
        assertRefused("steps", () -> with(exchange, "steps", 0));
        assertRefused("rungs", () -> with(exchange, "rungs", 1, "hottest", 10));
        assertRefused("hottest", () -> with(exchange, "rungs", 2, "hottest", 1));
    }

    @Test
    void limitsThatAreNoneAreRefused() {
        for (double clip : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertRefused("clip", () -> with(Langevin.of(0.1), "clip", clip));
            assertRefused("clip", () -> with(GradientDescent.of(0.1), "clip", clip));
            assertRefused("clip", () -> with(Mala.of(0.1), "clip", clip));
            assertRefused("clip", () -> with(Psgld.of(0.1), "clip", clip));
            assertRefused("clip", () -> with(Svgd.of(0.1), "clip", clip));
            assertRefused("clip", () -> with(SteinLangevin.of(0.1), "clip", clip));
        }
        List<List<Double>> ranges =
                List.of(List.of(), List.of(1.0), List.of(1.0, 1.0), List.of(1.0, 0.0), List.of(0.0, 1.0, 2.0));
        for (List<Double> range : ranges) {
            assertThatThrownBy(() -> new GradientDescent(0.1, OptionalDouble.empty(), Optional.of(range)))
                    .isInstanceOf(SettingException.class)
                    .hasMessage("clamp takes two numbers, [low, high], the first below the second");
        }
        List<Runnable> reversed = List.of(
                () -> with(Langevin.of(0.1), "clamp", range(1, 0)),
                () -> with(Mala.of(0.1), "clamp", range(1, 0)),
                () -> with(Psgld.of(0.1), "clamp", range(1, 0)),
                () -> with(Svgd.of(0.1), "clamp", range(1, 0)));
        for (Runnable making : reversed) {
            assertThatThrownBy(making::run).hasMessageStartingWith("clamp takes two numbers");
        }
        assertRefused("clamp.1", () -> with(Mala.of(0.1), "clamp", range(0, Double.NaN)));
    }

    @Test
    void allMistakesAreToldTogether() {
        assertThatThrownBy(() -> with(Langevin.of(-1), "clip", -2))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith("stepSize must");
        OptionalDouble below = OptionalDouble.of(-1);
        SettingException all = catchThrowableOfType(
                SettingException.class,
                () -> new Mala(-1, below, below, Mala.Ratio.EXACT, true, below, below, Optional.of(List.of())));
        assertThat(all.setting()).isEqualTo("stepSize");
        assertThat(all.getSuppressed())
                .extracting(each -> ((SettingException) each).setting())
                .containsExactly("noise", "temperature", "temperature", "mhTemperature", "clip", "clamp");
    }

    /** Exchanges start the inner kernel anew, heat it from temperature 1 and mix the rows of all temperatures. */
    @Test
    void kernelsThatMakeNoSenseInReplicaExchangeAreRefused() {
        Map<Kernel<?>, String> reasons = Map.of(
                Svgd.of(0.1), "looks at all of them",
                SteinLangevin.of(0.1), "looks at all of them",
                TemperedMala.of(0.1), "looks at all of them",
                Psgld.of(0.1), "depends on its past",
                with(Langevin.of(0.1), "anneal", new Decay.Polynomial(10, 0.5)), "depends on its past",
                ReplicaExchange.of(Mala.of(0.1)), "depends on its past",
                GradientDescent.of(0.1), "must sample at temperature 1",
                with(Mala.of(0.1), "noise", 0.1, "ratio", Mala.Ratio.STEP), "must sample at temperature 1",
                with(Mala.of(0.1), "temperature", 2), "must sample at temperature 1",
                with(Hmc.of(0.1, 3), "temperature", 2), "must sample at temperature 1");
        reasons.forEach((inner, reason) -> {
            assertRefused("inner", () -> ReplicaExchange.of(inner));
            assertThatThrownBy(() -> ReplicaExchange.of(inner)).hasMessageContaining(reason);
        });
        List<Kernel<?>> sensible =
                List.of(with(Langevin.of(0.1), "clip", 1), Mala.of(0.1), Hmc.of(0.1, 3), JitteredHmc.of(0.1));
        for (Kernel<?> inner : sensible) {
            ReplicaExchange exchange = ReplicaExchange.of(inner);
            assertThat(exchange.traits().independent()).isTrue();
            assertThat(exchange.traits().adjusted()).isEqualTo(inner.traits().adjusted());
            assertThat(exchange.traits().temperature()).hasValue(1);
        }
    }

    // ---- what kernels say of themselves

    @Test
    void everyRegisteredKernelIsInTheContract() {
        assertThat(KernelCases.kernels()
                        .map(named -> Catalogue.name(named.kernel().getClass())))
                .containsAll(Catalogue.of(Kernel.class).keySet());
        assertThat(Catalogue.of(Kernel.class).keySet())
                .containsExactly(
                        "langevin",
                        "gradient-descent",
                        "mala",
                        "tempered-mala",
                        "psgld",
                        "hmc",
                        "jittered-hmc",
                        "svgd",
                        "stein-langevin",
                        "replica-exchange",
                        "annealed");
        assertThat(Catalogue.of(Decay.class).keySet()).containsExactly("polynomial", "cosine");
    }

    /** {@code of} has the defaults that recipes have, and nothing optional. */
    @Test
    void defaultsInJavaAreThoseOfRecipes() throws ReflectiveOperationException {
        List<Record> byDefault = List.of(
                Langevin.of(0.1),
                GradientDescent.of(0.1),
                Mala.of(0.1),
                TemperedMala.of(0.1),
                Psgld.of(0.1),
                Hmc.of(0.1, 10),
                JitteredHmc.of(0.1),
                Svgd.of(0.1),
                SteinLangevin.of(0.1),
                ReplicaExchange.of(Mala.of(0.1)),
                new Annealed(Mala.of(0.1), new Decay.Cosine(4, 0.1)));
        assertThat(byDefault).hasSameSizeAs(Catalogue.of(Kernel.class).keySet());
        for (Record kernel : byDefault) {
            for (RecordComponent component : kernel.getClass().getRecordComponents()) {
                Object found = component.getAccessor().invoke(kernel);
                Default given = component.getAnnotation(Default.class);
                if (given != null) {
                    String text = found instanceof Number number
                            ? Words.number(number.doubleValue())
                            : found instanceof Enum<?> constant ? Words.kebab(constant.name()) : found.toString();
                    assertThat(text).as("%s of %s", component.getName(), kernel).isEqualToIgnoringCase(plain(given));
                } else if (component.getType().getSimpleName().startsWith("Optional")) {
                    boolean tied = component.getName().equals("temperature");
                    assertThat(found).isIn(tied ? OptionalDouble.of(1) : OptionalDouble.empty(), Optional.empty());
                }
                assertThat(component.isAnnotationPresent(Doc.class)).isTrue();
            }
        }
    }

    /** 1e-5 and 1.0e-5 are the same number. */
    private static String plain(Default given) {
        return given.value().matches("[-0-9.e]+") ? Words.number(Double.parseDouble(given.value())) : given.value();
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#all")
    void whatItSaysOfItselfHolds(KernelCases.Case c) {
        try (Scope scope = Scope.open()) {
            Kernel<?> kernel = c.kernel();
            ChainRun walk = ChainRun.run(Key.of(12), kernel, KernelCases.WAVY, c.start(), STEPS);
            assertThat(walk.acceptance().isPresent()).isEqualTo(kernel.traits().adjusted());
            assertThat(kernel.traits().bestAcceptance().isEmpty()
                            || kernel.traits().adjusted())
                    .isTrue();
            if (c.named().has(KernelCases.Trait.INTERACTING)) {
                assertThat(kernel.traits().independent()).isFalse();
            }
            if (kernel.traits().memoryless()) {
                assertThat(restarted(Key.of(12), kernel, c.start()))
                        .isEqualTo(walk.x().toDoubles());
            }
        }
    }

    /** A walk that starts anew before each step. */
    private static <S extends ChainState> double[] restarted(Key key, Kernel<S> kernel, Tensor start) {
        Tensor x = start;
        for (int step = 0; step < STEPS; step++) {
            S state = kernel.start(KernelCases.WAVY, x);
            x = kernel.step(key.child(step), KernelCases.WAVY, state).state().x();
        }
        return x.toDoubles();
    }

    @Test
    void kernelsThatMayBeRestartedSaySo() {
        assertThat(KernelCases.kernels()
                        .filter(named -> named.kernel().traits().memoryless())
                        .map(named -> Catalogue.name(named.kernel().getClass()))
                        .distinct())
                .containsExactlyInAnyOrder("langevin", "gradient-descent", "mala", "hmc", "jittered-hmc");
        assertThat(Langevin.of(0.1).traits().memoryless()).isTrue();
        assertThat(with(Langevin.of(0.1), "anneal", new Decay.Cosine(4, 0.1))
                        .traits()
                        .memoryless())
                .isFalse();
    }

    @Test
    void acceptancesThatAreBest() {
        assertThat(Mala.of(0.1).traits().bestAcceptance()).hasValue(0.574);
        assertThat(Hmc.of(0.1, 2).traits().bestAcceptance()).hasValue(0.8);
        assertThat(JitteredHmc.of(0.1).traits().bestAcceptance()).hasValue(0.574);
        assertThat(JitteredHmc.of(0.1).withPathLength(0.5).traits().bestAcceptance())
                .hasValue(0.8);
        assertThat(Langevin.of(0.1).traits().bestAcceptance()).isEmpty();
        assertThat(TemperedMala.of(0.1).traits().bestAcceptance()).isEmpty();
    }

    /** On a flat density a step is its noise alone: 4 standard errors of a deviation of 20 000 numbers are 2 %. */
    @Test
    void stepLengthsAreThoseOfTheNoise() {
        LogDensity flat = x -> x.times(0).sum(1L);
        try (Scope scope = Scope.open()) {
            Tensor start = Tensors.zeros(DType.DOUBLE, Device.CPU, 10_000, 2);
            for (StepSized<?> kernel :
                    List.of(Langevin.of(0.02), Mala.of(0.02), with(Hmc.of(0.2, 1), "jitter", 0), JitteredHmc.of(0.2))) {
                Tensor x = ChainRun.run(Key.of(5), kernel, flat, start, 1).x();
                assertThat(Math.sqrt(x.square().mean().item()))
                        .as(kernel.words())
                        .isCloseTo(kernel.stepLength(), withinPercentage(2));
            }
        }
    }

    /** .1²/(2·.005) is 1.0000000000000002. */
    @Test
    void aNoiseOfATemperatureOfOneHasIt() {
        assertThat(with(Langevin.of(0.005), "noise", 0.1).traits().temperature())
                .hasValue(1);
        assertThat(with(Mala.of(0.08), "noise", 0.4).traits().temperature()).hasValue(1);
    }

    @Test
    void temperaturesThatAreSampled() {
        assertThat(with(Mala.of(0.1), "noise", 0.4).traits().temperature().orElseThrow())
                .isCloseTo(0.8, within(1e-15));
        assertThat(with(Mala.of(0.1), "noise", 0.4, "mhTemperature", 3).traits().temperature())
                .hasValue(3);
        assertThat(with(Hmc.of(0.1, 2), "temperature", 3).traits().temperature())
                .hasValue(3);
        assertThat(Psgld.of(0.1).traits().temperature()).hasValue(1);
        Mala step = with(Mala.of(0.1), "ratio", Mala.Ratio.STEP);
        assertThat(step.traits()).isEqualTo(Mala.of(0.1).traits()); // σ² = 2h is the noise that it supposes
        List<Kernel<?>> inexact = List.of(
                with(step, "noise", 0.1),
                with(step, "mhTemperature", 2),
                with(Mala.of(0.1), "ratio", Mala.Ratio.PRINTED),
                with(Mala.of(0.1), "reject", false),
                with(TemperedMala.of(0.1), "factor", 1, "noise", 0.1, "ratio", Mala.Ratio.STEP));
        for (Kernel<?> kernel : inexact) {
            assertThat(kernel.traits().temperature()).isEmpty();
            assertThat(kernel.traits().judgedInexactly()).isTrue();
            assertThat(kernel.traits().temperatureVaries()).isFalse();
            assertThat(kernel.traits().bestAcceptance()).isEmpty();
        }
        assertThat(with(TemperedMala.of(0.1), "factor", 1).traits().temperature())
                .hasValue(1);
        assertThat(TemperedMala.of(0.1).traits().temperature()).isEmpty();
        assertThat(TemperedMala.of(0.1).traits().temperatureVaries()).isTrue();
        assertThat(with(Psgld.of(0.1), "noise", 0.1).traits().temperature()).isEmpty();
        assertThat(GradientDescent.of(0.1).traits().temperature()).isEmpty();
        assertThat(Svgd.of(0.1).traits().temperature()).hasValue(1);
        assertThat(with(SteinLangevin.of(0.5), "noise", 2).traits().temperature())
                .hasValue(4);
    }

    @Test
    void words() {
        assertThat(Langevin.of(1e-4).words()).isEqualTo("Langevin dynamics with step size 1e-4 at temperature 1");
        assertThat(with(Langevin.of(1), "noise", 0).words())
                .isEqualTo("Langevin dynamics with step size 1 and no noise");
        assertThat(with(Langevin.of(0.1), "anneal", new Decay.Cosine(4, 0.1)).words())
                .isEqualTo("Langevin dynamics with step size 0.1 that decays along the chain at temperature 1");
        assertThat(GradientDescent.of(0.1).words()).isEqualTo("gradient descent with step size 0.1 and no noise");
        assertThat(with(Mala.of(0.1), "temperature", 2.5).words())
                .isEqualTo("MALA with step size 0.1 at temperature 2.5");
        assertThat(TemperedMala.of(0.1).words())
                .isEqualTo("MALA with step size 0.1 that heats itself where its proposals are refused");
        assertThat(with(Mala.of(100), "noise", 1e-4, "ratio", Mala.Ratio.STEP).words())
                .isEqualTo("MALA with step size 100 and noise 1e-4 that accepts as if its noise were √(2·stepSize)");
        assertThat(with(Mala.of(1), "noise", 0.01, "ratio", Mala.Ratio.PRINTED, "reject", false)
                        .words())
                .isEqualTo(
                        "MALA with step size 1 and noise 0.01 that accepts by the ratio with E itself and takes every"
                                + " proposal");
        assertThat(new Annealed(Mala.of(0.1), new Decay.Cosine(4, 0.1)).words())
                .isEqualTo("MALA with step size 0.1 at temperature 1, whose steps shrink along the chain");
        assertRefused("inner", () -> new Annealed(ReplicaExchange.of(Mala.of(0.1)), new Decay.Cosine(4, 0.1)));
        assertThat(Psgld.of(0.1).words()).isEqualTo("preconditioned Langevin dynamics with step size 0.1");
        assertThat(Hmc.of(0.1, 3).words())
                .isEqualTo("Hamiltonian Monte Carlo with 3 leaps and step size 0.1 at temperature 1");
        assertThat(Svgd.of(0.1).words()).isEqualTo("Stein variational gradient descent with step size 0.1");
        assertThat(SteinLangevin.of(0.1).words())
                .isEqualTo("Langevin dynamics of particles that repel each other (SVGD's share 0.5) with step size 0.1"
                        + " at temperature 1");
        assertThat(ReplicaExchange.of(Mala.of(0.1)).words())
                .isEqualTo("replica exchange over 6 temperatures up to 30, inside it MALA with step size 0.1 at"
                        + " temperature 1");
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.sample.KernelCases#kernels")
    void aNegativeNumberOfStepsIsRefused(KernelCases.Named named) {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[2], 1, 2);
            assertRefused("steps", () -> ChainRun.run(Key.of(1), named.kernel(), KernelCases.WAVY, x, -1));
        }
    }

    // ---- the walk

    @Test
    void theObserverSeesEveryStepAndItsStateIsFreedAfterwards() {
        try (Scope scope = Scope.open()) {
            List<Integer> steps = new ArrayList<>();
            List<Tensor> seen = new ArrayList<>();
            Tensor x = Tensors.of(new double[] {1, 2}, 1, 2);
            ChainRun walk = ChainRun.run(Key.of(1), Mala.of(0.1), KernelCases.WAVY, x, 3, (step, state) -> {
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
            Mala mala = Mala.of(0.5);
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
                    ChainRun.run(key, mala, KernelCases.WAVY, x, 3).acceptance().orElseThrow();
            // probabilities in float, each rounded by at most 6e-8
            assertThat(found).isCloseTo(mean, within(1e-6));
            assertThat(found).isBetween(0.1, 0.99);
        }
    }
}

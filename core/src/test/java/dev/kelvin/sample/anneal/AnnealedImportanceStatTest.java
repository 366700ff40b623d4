package dev.kelvin.sample.anneal;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Posing;
import dev.kelvin.sample.Psgld;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.Svgd;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Annealed importance sampling against a normaliser that is known: e^2.5 times a mixture of ten dimensions, from N(0,
 * 1.4² I), log Z = 2.5.
 *
 * <p>Alpha: at 1000 temperatures the log-weights' standard deviation is s = 0.12 and their mean s²/2 off, which is one
 * standard error of 300 chains; with the three that the bounds leave, each of the 40 is wrong with probability 2.7e-5,
 * one of them with 1.1e-3. A gap is 0.056 give or take 0.01.
 */
@ExtendWith(OneThread.class)
class AnnealedImportanceStatTest {
    private static final double LOG_NORMALISER = 2.5;
    private static final Gaussian FIRST = Gaussian.isotropic(new double[10], 1.4);
    private static final GaussianMixture LAST = new GaussianMixture(
            List.of(
                    Gaussian.isotropic(new double[] {1.2, -0.5, 0, 0, 0, 0, 0, 0, 0, 0}, 0.9),
                    Gaussian.isotropic(new double[] {-1.2, 0, 0.7, 0, 0, 0, 0, 0, 0, 0}, 1)),
            1,
            2);

    /** What the bounds are about: log Z − log Z₀. */
    private static final double RATIO = LOG_NORMALISER - FIRST.logNormaliser();

    private static final Mala MALA = Mala.of(0.35);

    /** f + constant. */
    private record Raised(LogDensity f, double constant) implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            try (Scope scope = Scope.open()) {
                return scope.keep(f.at(x).plus(constant));
            }
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            try (Scope scope = Scope.open()) {
                ValueAndGradient at = f.valueAndGradient(x);
                return new ValueAndGradient(scope.keep(at.value().plus(constant)), scope.keep(at.gradient()));
            }
        }
    }

    /** What the two directions say together about log Z_n − log Z₀. */
    private record Bounds(double lower, double upper, AnnealedImportance forwards, AnnealedImportance backwards) {
        double gap() {
            return upper - lower;
        }
    }

    private static Bounds bounds(StepSized<?> kernel, int temperatures, double power, int chains) {
        try (Scope scope = Scope.open()) {
            List<LogDensity> path = Paths.geometric(FIRST, new Raised(LAST, LOG_NORMALISER), temperatures, power);
            Tensor first = FIRST.draw(Key.of(71), chains);
            Tensor last = LAST.draw(Key.of(72), chains);
            Key[] keys = Key.of(73).split(2);
            List<AnnealedImportance> along = AnnealedImportance.along(keys[0], path, i -> kernel, first, 1);
            AnnealedImportance forwards = along.get(along.size() - 1);
            AnnealedImportance backwards = AnnealedImportance.backwards(keys[1], path, i -> kernel, last, 1);
            return new Bounds(forwards.lowerBound(), -backwards.lowerBound(), forwards, backwards);
        }
    }

    private static AnnealedImportance part(AnnealedImportance all, int from, int count) {
        return new AnnealedImportance(Arrays.copyOfRange(all.logWeights(), from, from + count));
    }

    /** Twenty runs of 300 chains each, side by side in one batch: chains do not see each other. */
    @Test
    void twentyOfTwentyBracketTheNormaliserWithinATenth() {
        Bounds all = bounds(MALA, 1000, 1, 20 * 300);
        for (int run = 0; run < 20; run++) {
            AnnealedImportance forwards = part(all.forwards(), 300 * run, 300);
            AnnealedImportance backwards = part(all.backwards(), 300 * run, 300);
            double lower = forwards.lowerBound();
            double upper = -backwards.lowerBound();
            assertThat(RATIO).isBetween(lower, upper);
            assertThat(upper - lower).isLessThan(0.1);
            // of 300 weights with s = .12, 300/exp(s²) = 296
            assertThat(forwards.effectiveSampleSize()).isBetween(285.0, 300.0);
            assertThat(forwards.estimate()).isBetween(lower, upper);
        }
        assertThat(all.gap()).isLessThan(0.05);
        // four standard errors of the mean of 6000 weights, .12/√6000 each
        assertThat(all.forwards().estimate()).isCloseTo(RATIO, within(0.0062));
        assertThat(-all.backwards().estimate()).isCloseTo(RATIO, within(0.0062));
    }

    /** f + βc has log Z = βc at every density, without error. */
    @Test
    void weightsAreKnownOnTheWay() {
        try (Scope scope = Scope.open()) {
            Tensor first = FIRST.draw(Key.of(71), 50);
            List<LogDensity> path = Paths.geometric(FIRST, LAST, 6, 1);
            List<AnnealedImportance> all = AnnealedImportance.along(Key.of(73), path, i -> MALA, first, 1);
            assertThat(all).hasSize(6);
            assertThat(all.get(3).estimate()).isNotEqualTo(all.get(5).estimate());
            List<LogDensity> raised = Paths.geometric(FIRST, new Raised(FIRST, LOG_NORMALISER), 6, 1);
            List<AnnealedImportance> exact = AnnealedImportance.along(Key.of(73), raised, i -> MALA, first, 1);
            for (int i = 0; i < 6; i++) {
                assertThat(exact.get(i).estimate()).isCloseTo(LOG_NORMALISER * i / 5, within(1e-5));
            }
        }
    }

    @Test
    void fewTemperaturesBoundToo() {
        Bounds few = bounds(MALA, 6, 1, 2000);
        assertThat(RATIO).isBetween(few.lower(), few.upper());
        assertThat(few.gap()).isGreaterThan(1);
        assertThat(few.forwards().effectiveSampleSize()).isLessThan(1000);
        Bounds skewed = bounds(MALA, 6, 3, 2000);
        assertThat(RATIO).isBetween(skewed.lower(), skewed.upper());
    }

    /** A kernel that is not exact moves both bounds. */
    @Test
    void powerTwinWithoutAnAcceptStepFails() {
        Bounds wrong = bounds(Posing.as(Langevin.of(0.35)), 150, 1, 1000);
        assertThat(wrong.lower() < RATIO && RATIO < wrong.upper()).isFalse();
    }

    @Test
    void kernelsThatAreNotExactAreRefused() {
        for (StepSized<?> kernel : List.of(
                Langevin.of(0.35),
                Psgld.of(0.35),
                Svgd.of(0.35),
                with(MALA, "temperature", 2),
                with(Hmc.of(0.3, 2), "temperature", 0.5))) {
            assertThatThrownBy(() -> bounds(kernel, 6, 1, 10))
                    .isInstanceOf(SettingException.class)
                    .hasMessage(
                            "kernel must have an accept/reject step and sample at temperature 1, as mala and hmc do; this is "
                                    + kernel.words());
        }
    }

    /** Also where only one density of the path has such a kernel. */
    @Test
    void oneKernelThatIsNotExactIsRefused() {
        try (Scope scope = Scope.open()) {
            List<LogDensity> path = Paths.geometric(FIRST, LAST, 6, 1);
            Tensor x = FIRST.draw(Key.of(71), 10);
            assertThatThrownBy(() -> AnnealedImportance.backwards(
                            Key.of(73), path, i -> i == 4 ? Langevin.of(0.35) : MALA, x, 1))
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("must have an accept/reject step");
        }
    }

    @Test
    void weightsByHand() {
        AnnealedImportance some = new AnnealedImportance(new double[] {0, Math.log(3), Math.log(4)});
        assertThat(some.estimate()).isCloseTo(Math.log(8.0 / 3), within(1e-12));
        assertThat(some.effectiveSampleSize()).isCloseTo(64.0 / 26, within(1e-12));
        AnnealedImportance far = new AnnealedImportance(new double[] {1000, 1000 + Math.log(3)});
        assertThat(far.estimate()).isCloseTo(1000 + Math.log(2), within(1e-10));
        // mean 2, variance 1
        AnnealedImportance three = new AnnealedImportance(new double[] {1, 2, 3});
        assertThat(three.lowerBound()).isCloseTo(2 - 3 / Math.sqrt(3), within(1e-12));
    }
}

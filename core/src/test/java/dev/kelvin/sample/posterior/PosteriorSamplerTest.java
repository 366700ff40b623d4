package dev.kelvin.sample.posterior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Support;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.TooLargeException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PosteriorSamplerTest {
    private static final LogDensity NORMAL = x -> x.square().sum(1L).times(-0.5);

    private static PosteriorSampler small(LogDensity density, int dimensions) {
        return PosteriorSampler.of(density, dimensions)
                .withChains(4)
                .withWarmUp(40)
                .withDraws(12);
    }

    private static void assertRefused(LogDensity density, String message) {
        assertThatThrownBy(() -> small(density, 3).run(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void densitiesOfTheWrongShapeAreToldSo() {
        assertRefused(
                x -> x.square().sum().times(-0.5),
                "returned shape [] for input [4, 3]; expected one value for each row, [4]: sum over the coordinates of a row");
        assertRefused(
                x -> x.square().sum(1L).unsqueeze(1),
                "returned shape [4, 1] for input [4, 3]; expected one value for each row, [4]: take the last dimension away");
        assertRefused(Tensor::square, "sum over all dimensions but the first, sumPerSample()");
    }

    @Test
    void mixedPrecisionSaysWhatToDo() {
        assertRefused(x -> NORMAL.at(x.to(DType.FLOAT)), "make the tensors that it holds double as well");
        try (Scope scope = Scope.open()) {
            Tensor floats = Tensors.of(new float[] {1, 2, 3}, 3, 1);
            assertRefused(x -> x.matmul(floats).squeeze(1), "make the tensors that it holds double as well");
            assertRefused(
                    x -> x.matmul(floats.to(DType.DOUBLE).reshape(1, 3)).sum(1L), "the log-density failed for input");
        }
    }

    /** A gradient of zero in place of none would be sampled, and look like a result. */
    @Test
    void densitiesWithoutAGradientAreToldSo() {
        assertRefused(
                x -> Tensors.of(NORMAL.at(x).toDoubles(), x.size(0)),
                "the log-density has no gradient: its value was not computed from x by operations on tensors");
    }

    @Test
    void moreDrawsThanMemoryHoldsAreRefusedAtOnce() {
        LogDensity unasked = x -> {
            throw new AssertionError("asked for its value");
        };
        for (PosteriorSampler large : List.of(
                small(unasked, 2).withDraws(Integer.MAX_VALUE),
                small(unasked, 2).withDraws(100_000).withThin(100_000))) {
            assertThatThrownBy(() -> large.run(0)).isInstanceOf(TooLargeException.class);
        }
    }

    @Test
    void startsWithoutADensityAreRefused() {
        assertRefused(x -> x.abs().minus(3).log().sum(1L), "the log-density is NaN where chain 0 starts, at (");
        assertRefused(x -> x.abs().minus(3).log().sum(1L), "give bounded parameters a Support");
        assertRefused(x -> NORMAL.at(x).minus(Double.POSITIVE_INFINITY), "and at 100 other random starts");
        assertRefused(x -> x.abs().times(0).sqrt().sum(1L), "the gradient of the log-density is NaN where chain 0");
        try (Scope scope = Scope.open()) {
            Tensor outside = Tensors.of(new double[] {-1, 1, 1, 1}, 4, 1);
            PosteriorSampler positive = small(NORMAL, 1).withSupport(0, Support.positive());
            assertThatThrownBy(() -> positive.run(0, outside))
                    .isInstanceOf(SettingException.class)
                    .hasMessageStartingWith("start must lie within the bounds");
            assertThatThrownBy(() -> small(NORMAL, 2).run(0, outside)).hasMessageContaining("[4, 2]");
        }
    }

    /** Half of the plane has no density: starts there are drawn anew. */
    @Test
    void startsAreDrawnAnewWhereTheDensityIsZero() {
        LogDensity half = x -> {
            Tensor outside = x.select(1, 0).lessThan(Tensors.zerosLike(x.select(1, 0)));
            Tensor value = NORMAL.at(x);
            return value.minus(Double.POSITIVE_INFINITY).where(outside, value);
        };
        Posterior posterior = small(half, 2).run(0);
        assertThat(Arrays.stream(posterior.trace().coordinate(0)).flatMapToDouble(Arrays::stream))
                .allMatch(value -> value >= 0);
    }

    /** It is NaN on half of the line, and its gradient infinite where it begins: chains go where it is a number. */
    @Test
    void startsAreDrawnAnewWhereTheDensityIsNoNumber() {
        Posterior posterior =
                small(x -> x.log().minus(x).sum(1L), 2).withDraws(100).run(0);
        assertThat(Arrays.stream(posterior.trace().coordinate(1)).flatMapToDouble(Arrays::stream))
                .allMatch(value -> value > 0);
    }

    @Test
    void givenStartsAreNotDrawnAnew() {
        LogDensity positive = x -> x.log().minus(x).sum(1L);
        try (Scope scope = Scope.open()) {
            Tensor start = Tensors.of(new double[] {1, 2, -3, 4}, 4, 1);
            assertThatThrownBy(() -> small(positive, 1).run(0, start))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "the log-density is NaN where chain 2 starts, at (-3.000); it must be finite");
            assertThatThrownBy(() -> small(
                                    x -> positive.at(x.abs())
                                            .plus(x.sqrt().sum(1L).times(0)),
                                    1)
                            .run(0, start))
                    .hasMessageContaining("chain 2");
        }
    }

    /** −10³⁰ at a start of one's own, where no step of a common size is accepted: that chain is led up, the others stay. */
    @Test
    void chainsOnCliffsAreLedUp() {
        LogDensity cliff = x -> x.select(1, 0).times(20).exp().negate().plus(NORMAL.at(x));
        try (Scope scope = Scope.open()) {
            Tensor start = Tensors.of(new double[] {-1, 0, 0.5, 4}, 4, 1);
            double[] led = Starts.offCliffs(Key.of(1), cliff, start).toDoubles();
            assertThat(led).startsWith(-1, 0, 0.5);
            assertThat(led[3]).isBetween(-1.0, 1.5);
            double[] last = small(cliff, 1).run(0, start).trace().coordinate(0)[3];
            assertThat(last[0]).isNotEqualTo(last[last.length - 1]);
        }
    }

    @Test
    void theSeedDecides() {
        double[][] once = small(NORMAL, 3).run(1).trace().coordinate(2);
        assertThat(small(NORMAL, 3).run(1).trace().coordinate(2)).isDeepEqualTo(once);
        assertThat(small(NORMAL, 3).run(2).trace().coordinate(2)[0]).isNotEqualTo(once[0]);
        Posterior mala = small(NORMAL, 3)
                .withMethod(PosteriorSampler.Method.MALA)
                .withThin(2)
                .run(1);
        assertThat(mala.thin()).isEqualTo(2);
        assertThat(mala.kernel().pathLength()).isZero();
    }

    @Test
    void theTraceIsWithinTheBounds() {
        try (Scope scope = Scope.open()) {
            PosteriorSampler sampler = small(NORMAL, 2)
                    .withSupport(0, Support.interval(1, 2))
                    .withSupport(1, Support.below(-1))
                    .withNames("a", "b");
            Tensor start = Tensors.of(new double[] {1.1, -2, 1.2, -2, 1.3, -2, 1.9, -2}, 4, 2);
            Posterior posterior = sampler.run(0, start);
            assertThat(posterior.trace().last().dtype()).isEqualTo(DType.DOUBLE);
            assertThat(Arrays.stream(posterior.trace().coordinate(0)[0])).allMatch(value -> value > 1 && value < 2);
            assertThat(Arrays.stream(posterior.trace().coordinate(1)[0])).allMatch(value -> value < -1);
            assertThat(posterior.summary().row("b").mean()).isLessThan(-1);
        }
    }

    /** MALA's draws of a Gaussian in 10 dimensions are worth a fifteenth each. */
    @Test
    void slowDrawsAreThinned() {
        PosteriorSampler mala = PosteriorSampler.of(NORMAL, 10)
                .withMethod(PosteriorSampler.Method.MALA)
                .withChains(4)
                .withWarmUp(100)
                .withDraws(101);
        Posterior thinned = mala.withSupport(0, Support.positive()).run(0);
        assertThat(thinned.thin()).isBetween(2, 16);
        assertThat(thinned.trace().draws()).isEqualTo(101);
        assertThat(thinned.summary().leastEss()).isGreaterThan(80);
        assertThat(mala.withThin(1).run(0).thin()).isEqualTo(1);
    }

    /** More steps do not help chains in modes of their own, so few are taken, and the warning says what does. */
    @Test
    void severalModesAreToldInWords() {
        LogDensity modes = x -> {
            Tensor low = NORMAL.at(x.plus(10));
            Tensor high = NORMAL.at(x.minus(10));
            return high.plus(low.minus(high).softplus());
        };
        PosteriorSampler sampler = small(modes, 1).withDraws(100);
        Posterior posterior = sampler.run(0);
        assertThat(posterior.thin()).isLessThan(64);
        assertThat(posterior.warnings())
                .anyMatch(warning -> warning.startsWith("R-hat is") && warning.contains("withExchange"));
    }

    @Test
    void divergencesAreToldInWords() {
        Posterior posterior = small(NORMAL, 1).run(0);
        assertThat(posterior.divergences()).isZero();
        Posterior diverged = new Posterior(posterior.trace(), posterior.names(), posterior.kernel(), 1, 0.8, 3);
        assertThat(diverged.warnings()).last().asString().startsWith("3 of 48 paths diverged");
        Posterior few = new Posterior(posterior.trace(), posterior.names(), posterior.kernel(), 64, 0.8, 3);
        assertThat(few.warnings()).noneMatch(warning -> warning.contains("diverged"));
        assertThat(posterior.warnings()).anyMatch(warning -> warning.contains("independent ones"));
    }
}

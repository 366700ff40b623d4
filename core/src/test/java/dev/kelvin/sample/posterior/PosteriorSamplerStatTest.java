package dev.kelvin.sample.posterior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.kelvin.diagnostic.Summary;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Support;
import dev.kelvin.sample.ArmaPosterior;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The defaults, but for fewer steps, find means and standard deviations within 4 Monte Carlo errors: for 26 checks a chance of
 * 26 · 6.3e-5 = 0.2 % that all is well and one fails.
 */
@ExtendWith(OneThread.class)
class PosteriorSamplerStatTest {
    /** Widths from 0.01 to 1, condition number 10⁴, turned by 45° in two pairs of four coordinates. */
    private static final double[] WIDTHS = {0.01, 1, 0.05, 0.4};

    private static Gaussian turned() {
        double[][] covariance = new double[4][4];
        for (int pair = 0; pair < 4; pair += 2) {
            double a = WIDTHS[pair] * WIDTHS[pair];
            double b = WIDTHS[pair + 1] * WIDTHS[pair + 1];
            covariance[pair][pair] = (a + b) / 2;
            covariance[pair + 1][pair + 1] = (a + b) / 2;
            covariance[pair][pair + 1] = (a - b) / 2;
            covariance[pair + 1][pair] = (a - b) / 2;
        }
        return new Gaussian(new double[] {100, -3, 0, 1}, covariance);
    }

    private static double worst(Summary summary, double[] means, double[] sds) {
        double worst = 0;
        for (int i = 0; i < means.length; i++) {
            Summary.Row row = summary.rows().get(i);
            worst = Math.max(worst, Math.abs(row.mean() - means[i]) / row.mcse());
            worst = Math.max(worst, Math.abs(row.sd() - sds[i]) / row.mcseSd());
        }
        return worst;
    }

    @ParameterizedTest
    @EnumSource(PosteriorSampler.Method.class)
    void findsAnIllConditionedGaussian(PosteriorSampler.Method method) {
        double pair = Math.sqrt((1e-4 + 1) / 2);
        double other = Math.sqrt((25e-4 + 0.16) / 2);
        Posterior posterior = PosteriorSampler.of(turned(), 4)
                .withMethod(method)
                .withWarmUp(400)
                .withDraws(400)
                .run(0);
        assertThat(posterior.summary().worstRhat()).isLessThan(1.01);
        double[] sds = {pair, pair, other, other};
        assertThat(worst(posterior.summary(), new double[] {100, -3, 0, 1}, sds))
                .isLessThan(4);
        assertThat(posterior.divergences()).isZero();
        // the metric has made it round: a fixed one would take a hundred leaps
        assertThat(posterior.kernel().meanLeaps()).isLessThan(6);
        // the power of the check: a tenth too wide is seen
        double[] wide = {1.1 * pair, 1.1 * pair, 1.1 * other, 1.1 * other};
        assertThat(worst(posterior.summary(), new double[] {100, -3, 0, 1}, wide))
                .isGreaterThan(4);
    }

    /** Exponential with mean 2 and uniform on (−1, 3): in coordinates without bounds only by their Jacobians. */
    private static final LogDensity BOUNDED = x -> x.select(1, 0).times(-0.5);

    @ParameterizedTest
    @EnumSource(PosteriorSampler.Method.class)
    void findsBoundedParameters(PosteriorSampler.Method method) {
        PosteriorSampler sampler = PosteriorSampler.of(BOUNDED, 2)
                .withSupport(0, Support.positive())
                .withSupport(1, Support.interval(-1, 3))
                .withMethod(method)
                .withWarmUp(400)
                .withDraws(400);
        Summary summary = sampler.run(0).summary();
        assertThat(summary.worstRhat()).isLessThan(1.01);
        assertThat(worst(summary, new double[] {2, 1}, new double[] {2, 4 / Math.sqrt(12)}))
                .isLessThan(4);
    }

    /**
     * Half of the random starts are on a cliff of −10¹⁰⁰ and less. The truth lies within 4 posterior deviations in each of
     * four coordinates but for a chance of 2.5e-4.
     */
    @Test
    void findsAnArmaPosteriorFromItsCliffs() {
        ArmaPosterior arma = ArmaPosterior.simulated(Key.of(1), 200);
        Summary summary = PosteriorSampler.of(arma, 4)
                .withWarmUp(300)
                .withDraws(200)
                .run(0)
                .summary();
        assertThat(summary.worstRhat()).isLessThan(1.05);
        assertThat(summary.leastEss()).isGreaterThan(400);
        double[] truth = {ArmaPosterior.MU, ArmaPosterior.PHI, ArmaPosterior.THETA, Math.log(ArmaPosterior.SIGMA)};
        for (int i = 0; i < truth.length; i++) {
            Summary.Row row = summary.rows().get(i);
            assertThat(Math.abs(row.mean() - truth[i]) / row.sd()).isLessThan(4);
            assertThat(row.sd()).isLessThan(0.2); // narrower than the priors by ten times and more
        }
    }

    @Test
    void theSlopesOfTheArmaPosteriorAreItsOwn() {
        ArmaPosterior arma = ArmaPosterior.simulated(Key.of(1), 50);
        double h = 1e-5;
        double[] x = {0.2, 0.4, -0.6, -0.3};
        try (Scope scope = Scope.open()) {
            double[] slope =
                    arma.valueAndGradient(Tensors.of(x, 1, 4)).gradient().toDoubles();
            for (int i = 0; i < 4; i++) {
                double[] up = x.clone();
                double[] down = x.clone();
                up[i] += h;
                down[i] -= h;
                double difference = arma.at(Tensors.of(up, 1, 4)).item()
                        - arma.at(Tensors.of(down, 1, 4)).item();
                assertThat(difference / (2 * h)).isCloseTo(slope[i], withinPercentage(1e-4));
            }
        }
    }

    /** Eight schools, non-centred: effects of 0 to 20 points whose common mean is about 4.4 and whose spread is small. */
    @Test
    void findsEightSchools() {
        double[] effects = {28, 8, -3, 7, -1, 1, 18, 12};
        double[] errors = {15, 10, 16, 11, 9, 11, 10, 18};
        try (Scope scope = Scope.open()) {
            Tensor y = Tensors.of(effects, 1, 8);
            Tensor s = Tensors.of(errors, 1, 8);
            LogDensity schools = x -> { // rows (mu, tau, z): theta = mu + tau z
                Tensor mu = x.narrow(1, 0, 1);
                Tensor tau = x.narrow(1, 1, 1);
                Tensor z = x.narrow(1, 2, 8);
                Tensor rest = y.minus(mu).minus(z.times(tau)).over(s);
                Tensor squares =
                        rest.square().plus(z.square()).sum(1L).plus(mu.square().sum(1L), 0.04);
                return squares.times(-0.5)
                        .minus(tau.over(5).square().plus(1).log().sum(1L));
            };
            Summary summary = PosteriorSampler.of(schools, 10)
                    .withSupport(1, Support.positive())
                    .withWarmUp(300)
                    .withDraws(200)
                    .run(0)
                    .summary();
            assertThat(summary.worstRhat()).isLessThan(1.02);
            // posteriordb's reference: mu 4.4 (3.3), tau 3.6 (3.2)
            assertThat(summary.rows().get(0).mean()).isCloseTo(4.4, within(0.5));
            assertThat(summary.rows().get(1).mean()).isCloseTo(3.6, within(0.5));
        }
    }

    /** The power twin: without the Jacobian of log x the mean is another. */
    @Test
    void aForgottenJacobianIsSeen() {
        try (Scope scope = Scope.open()) {
            LogDensity forgotten = x -> {
                Tensor u = x.select(1, 0);
                Tensor wall = u.plus(8)
                        .square()
                        .times(-0.5)
                        .where(u.lessThan(Tensors.zerosLike(u).minus(8)), u.times(0));
                return u.exp().times(-0.5).plus(wall); // flat to the left but for a wall
            };
            Posterior posterior = PosteriorSampler.of(forgotten, 1)
                    .withWarmUp(400)
                    .withDraws(400)
                    .run(0);
            double mean = 0;
            double[][] chains = posterior.trace().coordinate(0);
            for (double[] chain : chains) {
                for (double u : chain) {
                    mean += Math.exp(u) / (400.0 * chains.length);
                }
            }
            assertThat(mean).isLessThan(1); // 2 with the Jacobian
        }
    }
}

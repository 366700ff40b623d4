package dev.kelvin.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Key;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * For 8 half-chains of n = 1000 independent draws R̂² − 1 + 1/n is about χ²₇/(7n): above 1.01 with a chance of P(χ²₇ >
 * 147) < 1e-27. The class's checks of good chains thus never fail by chance.
 */
class RhatTest {
    private static final double LIMIT = 1.01;
    private static final double[][] GOOD = ChainCases.independent(Key.of(41), 4, 2000);

    @Test
    void independentChainsAgree() {
        Rhat.RankNormalised ranks = Rhat.rankNormalised(GOOD);
        assertThat(Rhat.classic(GOOD)).isBetween(0.999, LIMIT);
        assertThat(Rhat.split(GOOD)).isBetween(0.999, LIMIT);
        assertThat(ranks.bulk()).isBetween(0.999, LIMIT);
        assertThat(ranks.folded()).isBetween(0.999, LIMIT);
    }

    /** One of four means is 1 off: B/n = ¼, so R̂ → √1.25 = 1.118; noise is of the order .01. */
    @Test
    void aShiftedChainIsSeen() {
        double[][] shifted = ChainCases.changed(GOOD, 2, x -> x + 1);
        assertThat(Rhat.classic(shifted)).isCloseTo(Math.sqrt(1.25), within(0.03));
        assertThat(Rhat.rankNormalised(shifted).bulk()).isGreaterThan(1.05);
        assertThat(Rhat.rankNormalised(shifted).max()).isGreaterThan(1.05);
    }

    @Test
    void onlyFoldingSeesAnotherScale() {
        double[][] wider = ChainCases.changed(GOOD, 1, x -> 3 * x);
        Rhat.RankNormalised ranks = Rhat.rankNormalised(wider);
        assertThat(Rhat.split(wider)).isLessThan(LIMIT);
        assertThat(ranks.bulk()).isLessThan(LIMIT);
        assertThat(ranks.folded()).isGreaterThan(1.05);
        assertThat(ranks.max()).isEqualTo(ranks.folded());
    }

    /** ChainDraws that drift together agree with each other at the end, not with their own past. */
    @Test
    void onlySplittingSeesADrift() {
        double[][] drifting = new double[GOOD.length][];
        for (int c = 0; c < GOOD.length; c++) {
            double[] chain = GOOD[c].clone();
            Arrays.setAll(chain, t -> chain[t] + 3.0 * t / chain.length);
            drifting[c] = chain;
        }
        assertThat(Rhat.classic(drifting)).isLessThan(LIMIT);
        assertThat(Rhat.split(drifting)).isGreaterThan(1.1);
        assertThat(Rhat.rankNormalised(drifting).max()).isGreaterThan(1.1);
        assertThat(Rhat.split(new double[][] {drifting[0]})).isGreaterThan(1.1);
    }

    /** tan of a uniform angle: Cauchy, without a mean. A shift of its size hides in the variance, not in the ranks. */
    @Test
    void ranksNeedNoVariance() {
        double[][] uniform = new double[4][2000];
        for (int c = 0; c < 4; c++) {
            var random = Key.of(42).child(c).stream();
            Arrays.setAll(uniform[c], t -> random.nextDouble());
        }
        double[][] cauchy = ChainCases.changed(uniform, u -> Math.tan(Math.PI * (u - 0.5)));
        assertThat(Rhat.rankNormalised(cauchy).max()).isBetween(0.999, LIMIT);
        double[][] shifted = ChainCases.changed(cauchy, 0, x -> x + 2);
        assertThat(Rhat.rankNormalised(shifted).max()).isGreaterThan(1.05);
        assertThat(Rhat.split(shifted)).isLessThan(1.05);
        // ranks do not care for a monotone change of the quantity
        double bulk = Rhat.rankNormalised(uniform).bulk();
        assertThat(Rhat.rankNormalised(cauchy).bulk()).isEqualTo(bulk);
    }

    @Test
    void ofAnOddNumberOfDrawsTheMiddleOneIsLeftOut() {
        assertThat(Rhat.split(new double[][] {{1, 2, 99, 4, 3}})).isEqualTo(Rhat.split(new double[][] {{1, 2, 4, 3}}));
    }

    @Test
    void signedZerosAreEqual() {
        double[][] signed = {{-0.0, 1, 0.0, 2, -0.0, 3}, {0.0, 2, -0.0, 1, 1, -1}};
        double[][] plain = ChainCases.changed(signed, x -> x + 0.0);
        assertThat(Rhat.rankNormalised(signed)).isEqualTo(Rhat.rankNormalised(plain));
    }

    @Test
    void chainsThatStand() {
        // .1 and .7: a mean by plain summation would not be exact, and leave a variance
        double[][] apart = new double[2][10];
        Arrays.fill(apart[0], 0.1);
        Arrays.fill(apart[1], 0.7);
        assertThat(Rhat.classic(apart)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Rhat.split(apart)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Rhat.rankNormalised(apart).max()).isEqualTo(Double.POSITIVE_INFINITY);
        double[][] equal = {apart[1], apart[1]};
        assertThat(Rhat.classic(equal)).isNaN();
        assertThat(Rhat.split(equal)).isNaN();
        assertThat(Rhat.rankNormalised(equal).max()).isNaN();
    }

    @Test
    void foldingSaysNothingAboutACoin() {
        double[][] coin = {{1, -1, -1, 1, 1, -1, 1, -1}, {-1, 1, -1, 1, -1, 1, 1, -1}};
        Rhat.RankNormalised ranks = Rhat.rankNormalised(coin);
        assertThat(ranks.folded()).isNaN();
        assertThat(ranks.max()).isEqualTo(ranks.bulk()).isLessThan(1.2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNotFiniteMakesNaN(double bad) {
        for (int at : new int[] {0, 3}) {
            double[][] chains = {{1, 2, 3, 4}, {2, 1, 4, 3}};
            chains[1][at] = bad;
            assertThat(Rhat.classic(chains)).isNaN();
            assertThat(Rhat.split(chains)).isNaN();
            assertThat(Rhat.rankNormalised(chains).bulk()).isNaN();
            assertThat(Rhat.rankNormalised(chains).folded()).isNaN();
            assertThat(Rhat.rankNormalised(chains).max()).isNaN();
        }
    }

    @Test
    void mistakesAreNamed() {
        double[][] one = {{1, 2, 3, 4}};
        assertThatThrownBy(() -> Rhat.classic(one)).hasMessageContaining("chains must be at least 2, found 1");
        assertThatThrownBy(() -> Rhat.split(new double[0][]))
                .hasMessageContaining("chains must be at least 1, found 0");
        assertThatThrownBy(() -> Rhat.rankNormalised(new double[][] {{1, 2, 3}}))
                .hasMessageContaining("draws must be at least 4, found 3");
        assertThatThrownBy(() -> Rhat.split(new double[][] {{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4, 5}}))
                .hasMessageContaining("chain 0 has 4 draws, chain 2 has 5");
    }
}

package dev.kelvin.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RanksTest {
    private static double[] count(int from, int step) {
        return IntStream.range(0, 1000).mapToDouble(i -> from + step * i).toArray();
    }

    /** Chains that interleave are flat; one below the other are steps. */
    @Test
    void ranksAreAmongAllChains() {
        double[][] alike = SmallMultiples.rankShares(new double[][] {count(0, 2), count(1, 2)});
        assertThat(Arrays.stream(alike[0])).allMatch(share -> Math.abs(share - 0.05) < 0.0021);
        double[][] apart = SmallMultiples.rankShares(new double[][] {count(0, 1), count(5000, 1)});
        assertThat(Arrays.stream(apart[0], 0, 10).sum()).isCloseTo(1, within(1e-9));
        assertThat(Arrays.stream(apart[1], 10, 20).sum()).isCloseTo(1, within(1e-9));
    }

    @Test
    void equalDrawsHaveOneRank() {
        double[][] still = SmallMultiples.rankShares(new double[][] {{7, 7}, {7, 7}});
        assertThat(still[0][10]).isEqualTo(1);
        assertThat(SmallMultiples.ranks(new double[20][3]).width()).isEqualTo(Canvas.PAGE);
    }
}

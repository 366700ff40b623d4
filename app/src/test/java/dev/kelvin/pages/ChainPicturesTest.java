package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.report.Curves;
import dev.kelvin.report.Pictures;
import dev.kelvin.sample.chain.Trace;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChainPicturesTest {
    /** A Gaussian is shown whole; of a Cauchy, whose quartiles are ±1, no more than 1 + 4 · 2 and a tenth of the whole. */
    @Test
    void rangesAreByQuantiles() {
        double[] places =
                IntStream.range(0, 10_000).mapToDouble(i -> (i + 0.5) / 10_000).toArray();
        double[] cauchy =
                DoubleStream.of(places).map(p -> Math.tan(Math.PI * (p - 0.5))).toArray();
        assertThat(ChainPictures.range(places)[0]).isCloseTo(-0.1, within(0.01));
        assertThat(ChainPictures.range(cauchy)[1]).isCloseTo(9 + 1.8, within(0.01));
        assertThat(ChainPictures.range(3, 3, 3)[0]).isLessThan(3);
        assertThat(ChainPictures.range()).containsExactly(-1, 1);
        assertThat(ChainPictures.range(Double.NaN, 1, Double.POSITIVE_INFINITY)[1])
                .isFinite();
    }

    @Test
    void chainsHaveRankPlotsAndPairPlotsWhichNameTheirCoordinates() {
        Trace trace = new Trace(100);
        try (Scope scope = Scope.open()) {
            for (int i = 0; i < 50; i++) {
                trace.add(Tensors.normal(Key.of(1).child(i), 3, 2));
            }
        }
        ChainPictures pictures = new ChainPictures(trace, Optional.empty());
        Pictures ranks = pictures.ranks(1);
        assertThat(ranks.caption()).startsWith("Rank plots of x2").contains("dashed line");
        Pictures pairs = pictures.pairs(List.of(0, 1));
        assertThat(pairs.caption()).matches(".*edge: \\d+ of 150 draws of the chains\\.");
        Curves marginal = pictures.marginal(0);
        assertThat(marginal.across()).isEqualTo("x1");
        assertThat(marginal.up()).isEqualTo("density");
    }

    @Test
    void numbersInWordsHaveFourDigits() {
        assertThat(ChainReport.rounded("HMC with step size 0.02711282890987431 at temperature 1"))
                .isEqualTo("HMC with step size 0.02711 at temperature 1");
    }
}

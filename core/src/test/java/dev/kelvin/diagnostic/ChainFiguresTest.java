package dev.kelvin.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.math.InverseNormal;
import dev.kelvin.metric.figure.Verdict;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChainFiguresTest {
    /** l²a where a = 2Φ(−l³/2). */
    private static double mala(double acceptance) {
        return Math.pow(Math.cbrt(-2 * InverseNormal.of(acceptance / 2)), 2) * acceptance;
    }

    /** la where a = 2Φ(−l²/2). */
    private static double hmc(double acceptance) {
        return Math.sqrt(-2 * InverseNormal.of(acceptance / 2)) * acceptance;
    }

    /** Verdicts follow the speed, to the nearest twentieth of an acceptance: one figure judges both samplers. */
    @Test
    void acceptanceIsGoodWhereChainsMoveFast() {
        assertThat(best(ChainFiguresTest::mala)).isBetween(0.57, 0.58);
        assertThat(best(ChainFiguresTest::hmc)).isBetween(0.645, 0.655);
        for (int percent = 1; percent < 100; percent++) {
            double rate = percent / 100.0;
            double speed = Math.max(
                    mala(rate) / mala(best(ChainFiguresTest::mala)), hmc(rate) / hmc(best(ChainFiguresTest::hmc)));
            Verdict verdict = ChainFigures.ACCEPTANCE.verdict(rate);
            if (verdict == Verdict.GOOD) {
                assertThat(speed).as("at %s", rate).isGreaterThan(0.7);
            } else if (verdict == Verdict.POOR) {
                assertThat(speed).as("at %s", rate).isLessThan(0.5);
            }
        }
    }

    private static double best(DoubleUnaryOperator speed) {
        return IntStream.range(1, 1000)
                .mapToObj(i -> i / 1000.0)
                .max((a, b) -> Double.compare(speed.applyAsDouble(a), speed.applyAsDouble(b)))
                .orElseThrow();
    }
}

package dev.kelvin.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** SYSTEMS.md section 8, to 1e-12 relative. */
class ObjectiveGoldenTest {
    private static final double[] POSITIVES = {1, 2, 0.5};
    private static final double[] NEGATIVES = {0, 1.5, -1, 0.3};

    private static final double LOGISTIC = 1.1952999085461293;
    private static final double[] UPS = {-0.08964714045666504, -0.03973430734070585, -0.1258468895993818};
    private static final double[] DOWNS = {0.125, 0.2043936190484109, 0.06723535534249878, 0.14361062920291476};

    private static Offset<Double> rounding(double value) {
        return within(1e-12 * Math.abs(value));
    }

    @Test
    void robust() {
        Loss loss = Objectives.robust(0.5).of(POSITIVES, NEGATIVES);
        assertThat(loss.value()).isCloseTo(2.650173662289663, rounding(2.65));
        double gradScale = 0.7273494151212758;
        assertThat(loss.parts().get(Robust.GRAD_SCALE)).isCloseTo(gradScale, rounding(gradScale));

        double[] negativeWeights = {.20469299971837585, .43333508380429986, .12415258015774439, .23781933631957983};
        double squares = 0;
        for (int j = 0; j < NEGATIVES.length; j++) {
            double expected = negativeWeights[j] * gradScale;
            assertThat(loss.negativeGradient()[j]).isCloseTo(expected, rounding(expected));
            squares += negativeWeights[j] * negativeWeights[j];
        }
        assertThat(loss.parts().get(Robust.EFFECTIVE_NEGATIVES)).isCloseTo(1 / squares, rounding(1 / squares));

        double[] positiveWeights = {.2523262201967175, .3574971219366905, .2081284125027646};
        for (int i = 0; i < POSITIVES.length; i++) {
            double expected = (positiveWeights[i] - 1) / 3;
            assertThat(loss.positiveGradient()[i]).isCloseTo(expected, rounding(expected));
        }
    }

    /** β·o = 1 at T = 0.5 is β = 0.5, and f/T has the golden values where f is half of theirs: T times that loss. */
    @Test
    void betaOverT() {
        Objective half = Objectives.robustOverT(0.5 / 0.5).at(new Objective.Moment(0, 1, 0.5));
        Loss loss = half.of(new double[] {0.5, 1, 0.25}, new double[] {0, 0.75, -0.5, 0.15});
        assertThat(half.samplingScale()).isEqualTo(0.5);
        assertThat(loss.value()).isCloseTo(0.5 * 2.650173662289663, rounding(1.3));
        Loss golden = Objectives.robust(0.5).of(POSITIVES, NEGATIVES);
        assertThat(loss.positiveGradient()).containsExactly(golden.positiveGradient(), within(1e-15));
        assertThat(loss.negativeGradient()).containsExactly(golden.negativeGradient(), within(1e-15));
        assertThat(loss.parts().get(Robust.GRAD_SCALE)).isCloseTo(.7273494151212758, rounding(1));
        // the twin: β = 1 is another loss
        assertThat(Objectives.robust(1)
                        .at(new Objective.Moment(0, 1, 0.5))
                        .of(new double[] {0.5, 1, 0.25}, new double[] {0, 0.75, -0.5, 0.15})
                        .value())
                .isNotCloseTo(loss.value(), within(0.1));
    }

    /** By hand: (1 − w)·0.2 − 3.5/3, the negatives' mean being 0.2. */
    @Test
    void entropy() {
        Loss loss = new Contrastive(0, 0.25).of(POSITIVES, NEGATIVES);
        assertThat(loss.value()).isCloseTo(0.75 * 0.2 - 3.5 / 3, rounding(1));
        assertThat(loss.parts().get(Contrastive.ENTROPY)).isCloseTo(-0.25 * 0.2, rounding(1));
        assertThat(loss.negativeGradient()[0]).isCloseTo(0.75 / 4, rounding(1));
        Loss paper = new Contrastive(0, 1).of(POSITIVES, NEGATIVES);
        assertThat(paper.value()).isCloseTo(-3.5 / 3, rounding(1));
        assertThat(paper.negativeGradient()).containsOnly(0);
        // no lower bound: f + c lowers it by w·c
        double[] up = {1001, 1002, 1000.5};
        double[] down = {1000, 1001.5, 999, 1000.3};
        assertThat(new Contrastive(0, 0.25).of(up, down).value()).isCloseTo(loss.value() - 250, within(1e-9));
    }

    /** By hand: LSE(0, 1.5, −1, .3) = 2.0108346; at α = 2 the loss is −mean f₊/α + LSE(f₋/α), α times that before the division. */
    @Test
    void entropyOfASoftmax() {
        Loss loss = new Contrastive(0, 1, OptionalDouble.of(1)).of(POSITIVES, NEGATIVES);
        double sum = 1 + Math.exp(1.5) + Math.exp(-1) + Math.exp(0.3);
        assertThat(loss.value()).isCloseTo(Math.log(sum) - 3.5 / 3, rounding(1));
        assertThat(loss.parts().get(Contrastive.ENTROPY)).isCloseTo(Math.log(sum) - 0.2, rounding(1));
        assertThat(loss.negativeGradient())
                .containsExactly(
                        new double[] {1 / sum, Math.exp(1.5) / sum, Math.exp(-1) / sum, Math.exp(0.3) / sum},
                        rounding(1));
        Loss divided = new Contrastive(0, 1, OptionalDouble.of(2))
                .of(POSITIVES, NEGATIVES)
                .times(0.5);
        double halves = Math.log(1 + Math.exp(0.75) + Math.exp(-0.5) + Math.exp(0.15));
        assertThat(divided.value()).isCloseTo(halves - 3.5 / 6, rounding(1));
        // equation 7 of the robust objective at β = 1
        Loss robust = Objectives.robust(1, Robust.Variant.NO_POSITIVE).of(POSITIVES, NEGATIVES);
        assertThat(loss.negativeGradient()).containsExactly(robust.negativeGradient(), rounding(1));
        assertThat(loss.positiveGradient()).containsExactly(robust.positiveGradient(), rounding(1));
        // f + c is the same density and has the same loss, however far f is
        double[] up = {1e4 + 1, 1e4 + 2, 1e4 + 0.5};
        double[] down = {1e4, 1e4 + 1.5, 1e4 - 1, 1e4 + 0.3};
        assertThat(new Contrastive(0, 1, OptionalDouble.of(1)).of(up, down).value())
                .isCloseTo(loss.value(), within(1e-11));
        assertThatThrownBy(() -> new Contrastive(0, 0, OptionalDouble.of(1)))
                .hasMessageContaining("entropySoftmax is about the entropy, whose weight is 0");
    }

    @Test
    void contrastive() {
        Loss loss = new Contrastive().of(POSITIVES, NEGATIVES);
        assertThat(loss.value()).isCloseTo(-.9666666666666668, rounding(1));
        assertThat(loss.positiveGradient()).containsExactly(-1 / 3.0, -1 / 3.0, -1 / 3.0);
        assertThat(loss.negativeGradient()).containsExactly(.25, .25, .25, .25);
    }

    @Test
    void squares() {
        // by hand: mean f+² = 5.25/3, mean f-² = 3.34/4
        Loss loss = new Contrastive(0.1, 0).of(POSITIVES, NEGATIVES);
        double expected = 0.1 * (5.25 / 3 + 3.34 / 4);
        assertThat(loss.parts().get("l2")).isCloseTo(expected, rounding(expected));
        assertThat(loss.value()).isCloseTo(-.9666666666666668 + expected, rounding(1));
        assertThat(loss.positiveGradient()[1]).isCloseTo(-1 / 3.0 + 0.1 * 2 * 2 / 3, rounding(1));
        assertThat(loss.negativeGradient()[2]).isCloseTo(.25 + 0.1 * 2 * -1 / 4, rounding(1));
    }

    /** NumPy: np.logaddexp(0, -POSITIVES).mean() + np.logaddexp(0, NEGATIVES).mean(), and the sigmoids of both. */
    @Test
    void logistic() {
        Loss loss = new BinaryCrossEntropy(0).of(POSITIVES, NEGATIVES);
        assertThat(loss.value()).isCloseTo(LOGISTIC, rounding(LOGISTIC));
        assertThat(loss.positiveGradient()).containsExactly(UPS, within(1e-15));
        assertThat(loss.negativeGradient()).containsExactly(DOWNS, within(1e-15));
        Loss squares = new BinaryCrossEntropy(0.5).of(POSITIVES, NEGATIVES);
        // mean f+² = 5.25/3, mean f-² = 3.34/4
        assertThat(squares.value()).isCloseTo(LOGISTIC + 0.5 * (1.75 + 0.835), rounding(3));
        // where both kinds are told for certain nothing moves, and nothing moves by more than 1/n
        Loss told = new BinaryCrossEntropy(0).of(new double[] {800, 900}, new double[] {-800, -900});
        assertThat(told.value()).isZero();
        assertThat(told.positiveGradient()).containsOnly(-0.0);
        Loss wrong = new BinaryCrossEntropy(0).of(new double[] {-800, -900}, new double[] {800, 900});
        assertThat(wrong.value()).isCloseTo(1700, rounding(1700));
        assertThat(wrong.positiveGradient()).containsExactly(-0.5, -0.5);
        assertThat(wrong.negativeGradient()).containsExactly(0.5, 0.5);
    }

    /** By hand: without −1, the lowest of four, the others' mean is .6; half of them leaves 1.5 and .3. */
    @Test
    void trimmed() {
        Loss one = new Trimmed(0.25, new Contrastive()).of(POSITIVES, NEGATIVES);
        assertThat(one.value()).isCloseTo(0.6 - 3.5 / 3, rounding(1));
        assertThat(one.negativeGradient()).containsExactly(1 / 3.0, 1 / 3.0, 0, 1 / 3.0);
        assertThat(one.positiveGradient()).containsExactly(-1 / 3.0, -1 / 3.0, -1 / 3.0);
        Loss half = new Trimmed(0.74, new Contrastive()).of(POSITIVES, NEGATIVES);
        assertThat(half.value()).isCloseTo(0.9 - 3.5 / 3, rounding(1));
        assertThat(half.negativeGradient()).containsExactly(0, 0.5, 0, 0.5);
        assertThat(new Trimmed(0.24, new Contrastive()).of(POSITIVES, NEGATIVES).value())
                .isEqualTo(new Contrastive().of(POSITIVES, NEGATIVES).value());
        // the robust weights are those of the negatives that are left
        Loss robust = new Trimmed(0.25, Objectives.robust(0.5)).of(POSITIVES, NEGATIVES);
        Loss left = Objectives.robust(0.5).of(POSITIVES, new double[] {0, 1.5, 0.3});
        assertThat(robust.value()).isEqualTo(left.value());
        assertThat(robust.parts()).isEqualTo(left.parts());
        assertThat(robust.negativeGradient()[2]).isZero();
        // what breaks a run is not left out
        double[] broken = {0, Double.NEGATIVE_INFINITY, -1, 0.3};
        assertThat(new Trimmed(0.25, new Contrastive()).of(POSITIVES, broken).value())
                .isInfinite();
    }
}

package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClassEnergyTest {
    private static final ClassEnergy MODEL = new ClassEnergy(new Mlp(2, List.of(6, 5), 3, Activation.SILU, 0.05), 3);
    private static final long[] LABELS = {1, 0, 2, 2, 1};

    private final Parameters parameters = MODEL.layout().init(Key.of(1), DType.DOUBLE);
    private final Scope scope = Scope.open();
    private final Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, LABELS.length, 2);

    @BeforeEach
    void sharpen() {
        parameters.flat().timesInPlace(3); // so that the classes differ
    }

    @AfterEach
    void close() {
        scope.close();
        parameters.close();
    }

    private double[] marginal(double[] joint) {
        double[] sums = new double[LABELS.length];
        for (int i = 0; i < sums.length; i++) {
            double sum = 0;
            for (int y = 0; y < 3; y++) {
                sum += Math.exp(joint[3 * i + y]);
            }
            sums[i] = Math.log(sum);
        }
        return sums;
    }

    @Test
    void theMarginalIsTheSumOverTheClasses() {
        double[] joint = MODEL.joint(parameters, x).toDoubles();
        LogDensity f = MODEL.bind(parameters);
        assertThat(f.at(x).toDoubles()).containsExactly(marginal(joint), within(1e-12));
        ValueAndGradient both = f.valueAndGradient(x);
        assertThat(both.value().toDoubles()).containsExactly(marginal(joint), within(1e-12));
        assertThat(Differences.worstError(f, x, both.gradient())).isLessThan(1e-6);
    }

    @Test
    void givenClassesItIsTheirs() {
        double[] joint = MODEL.joint(parameters, x).toDoubles();
        LogDensity given = MODEL.bind(parameters).given(LABELS);
        double[] values = given.at(x).toDoubles();
        for (int i = 0; i < LABELS.length; i++) {
            assertThat(values[i]).isEqualTo(joint[3 * i + (int) LABELS[i]]);
        }
        assertThat(given.valueAndGradient(x).value().toDoubles()).isEqualTo(values);
        assertThat(Differences.worstError(given, x, given.gradient(x))).isLessThan(1e-6);
        assertThat(Differences.worstError(given, x, MODEL.bind(parameters).gradient(x)))
                .isGreaterThan(1e-3); // the twin: the marginal's gradient is another
    }

    /** Both ways back to the parameters: of the marginal, and of the samples' own classes. */
    @Test
    void gradientsWithRespectToTheParameters() {
        Tensor weights = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, LABELS.length);
        Pullback all = MODEL.pullback(parameters, x);
        Pullback own = MODEL.pullback(parameters, x, LABELS);
        assertThat(all.output().toDoubles())
                .containsExactly(MODEL.bind(parameters).at(x).toDoubles(), within(1e-12));
        assertThat(own.output().toDoubles())
                .containsExactly(MODEL.bind(parameters).given(LABELS).at(x).toDoubles(), within(1e-12));
        check(all.gradient().apply(weights).toDoubles(), weights);
        check(own.gradient().apply(weights).toDoubles(), weights, LABELS);
    }

    private void check(double[] gradient, Tensor weights, long... labels) {
        double step = 1e-6;
        for (int i = 0; i < gradient.length; i++) {
            Tensor number = parameters.flat().narrow(0, i, 1);
            number.addNumberInPlace(step);
            double above = weighted(weights, labels);
            number.addNumberInPlace(-2 * step);
            double below = weighted(weights, labels);
            number.addNumberInPlace(step);
            assertThat(gradient[i]).isCloseTo((above - below) / (2 * step), within(1e-7));
        }
    }

    private double weighted(Tensor weights, long... labels) {
        LogDensity f = MODEL.bind(parameters);
        return (labels.length == 0 ? f : f.given(labels))
                .at(x)
                .times(weights)
                .sum()
                .item();
    }

    /** What is held a row goes with its row, through every combinator, in any order. */
    @Test
    void rowsTakeTheirClassesScalesAndTemperatures() {
        Tensor scale = Tensors.of(new double[] {1, 2, 3, 4, 5}, 5, 1);
        Tensor everywhere = Tensors.of(new double[] {2, 0.5}, 1, 2);
        Tensor temperature = Tensors.of(new double[] {5, 4, 3, 2, 1});
        long[] rows = {4, 1, 1, 0};
        Tensor some = x.rows(rows);
        LogDensity f = MODEL.bind(parameters);
        Gaussian other = Gaussian.isotropic(new double[2], 1);
        for (LogDensity held : List.of(
                f.given(LABELS),
                f.scaled(0.5).given(LABELS),
                f.given(LABELS).plus(other),
                other.plus(f).given(LABELS),
                f.rescaled(scale).given(LABELS),
                f.given(LABELS).rescaled(everywhere),
                f.tempered(temperature).given(LABELS),
                f.given(LABELS).rescaled(scale).tempered(temperature).scaled(3))) {
            double[] whole = held.at(x).toDoubles();
            double[] part = held.rows(rows).at(some).toDoubles();
            double[] gradient = held.gradient(x).rows(rows).toDoubles();
            assertThat(held.rows(rows).gradient(some).toDoubles()).containsExactly(gradient, within(1e-12));
            for (int i = 0; i < rows.length; i++) {
                assertThat(part[i]).isCloseTo(whole[(int) rows[i]], within(1e-12));
            }
        }
    }

    @Test
    void rowsTakeTheirTimes() {
        TimeEnergy times = new TimeEnergy(MODEL.network(), 4, List.of(), 1, true);
        long[] rows = {4, 1, 1, 0};
        LogDensity each = times.each(parameters, new int[] {0, 1, 2, 3, 0});
        double[] whole = each.at(x).rows(rows).toDoubles();
        assertThat(each.rows(rows).at(x.rows(rows)).toDoubles()).containsExactly(whole, within(1e-12));
        LogDensity all = times.marginal(parameters);
        assertThat(all.rows(rows)).isSameAs(all);
    }

    @Test
    void aNetworkWithOtherOutputsIsRefused() {
        ClassEnergy four = new ClassEnergy(MODEL.network(), 4);
        assertThatThrownBy(() -> four.bind(parameters).at(x))
                .hasMessageContaining("expected one value a sample and class");
        assertThat(ClassEnergy.inTurn(5, 3)).containsExactly(0, 1, 2, 0, 1);
    }
}

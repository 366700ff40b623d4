package dev.kelvin.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.GradientCheck;
import dev.kelvin.energy.JointDensities;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.ProjectedGradient.Norm;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith({OneThread.class, InScope.class})
class ProjectedGradientTest {
    private static final double[] W = {3, -4, 0.5, 0};
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    /** w·x, whose lowest value in a ball is known. */
    private static LogDensity linear() {
        return x -> x.matmul(Tensors.like(x, W, W.length, 1)).squeeze(1);
    }

    private static Tensor points(int n) {
        return Tensors.uniform(Key.of(3), -1, 1, DType.DOUBLE, Device.CPU, n, W.length);
    }

    @Test
    void onALinearScoreAnAttackInLinfIsTheWorstThereIs() {
        Tensor x = points(5);
        Tensor moved = new ProjectedGradient(Norm.LINF, 0.3, 20, -INFINITE, INFINITE).attack(Key.of(1), linear(), x);
        double[] by = moved.minus(x).toDoubles();
        for (int i = 0; i < by.length; i++) {
            double w = W[i % W.length];
            if (w != 0) {
                assertThat(by[i]).isCloseTo(-0.3 * Math.signum(w), within(1e-12));
            }
        }
    }

    @Test
    void onALinearScoreAnAttackInL2IsTheWorstThereIs() {
        Tensor x = points(5);
        ProjectedGradient attack = new ProjectedGradient(Norm.L2, 0.3, 20, -INFINITE, INFINITE);
        double length = Math.sqrt(9 + 16 + 0.25);
        double[] by = attack.from(x, linear(), x).minus(x).toDoubles();
        for (int i = 0; i < by.length; i++) {
            assertThat(by[i]).isCloseTo(-0.3 * W[i % W.length] / length, within(1e-12));
        }
        double[] before = linear().at(x).toDoubles();
        double[] after = linear().at(attack.attack(Key.of(1), linear(), x)).toDoubles();
        for (int i = 0; i < before.length; i++) { // from a random start it comes near
            assertThat(before[i] - after[i]).isBetween(0.95 * 0.3 * length, 0.3 * length + 1e-12);
        }
    }

    @ParameterizedTest
    @EnumSource(Norm.class)
    void itLeavesNeitherTheBallNorTheRange(Norm norm) {
        LogDensity wild =
                x -> x.times(7).sin().sumPerSample().plus(linear().at(x).times(5));
        Tensor x = points(200).to(DType.FLOAT);
        for (double epsilon : new double[] {0, 0.1, 0.7}) {
            Tensor moved = new ProjectedGradient(norm, epsilon, 10, -1, 1).attack(Key.of(1), wild, x);
            Tensor by = moved.minus(x);
            double farthest = norm == Norm.LINF
                    ? by.abs().max().item()
                    : by.square().sumPerSample().max().sqrt().item();
            assertThat(farthest).isLessThanOrEqualTo(epsilon * (1 + 1e-5));
            assertThat(moved.min().item()).isGreaterThanOrEqualTo(-1);
            assertThat(moved.max().item()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void ofAllPointsOnTheWayTheLowestIsKept() {
        // a narrow valley that every later step jumps over
        LogDensity valley = x -> x.minus(0.3).abs().sumPerSample();
        Tensor x = Tensors.zeros(DType.DOUBLE, Device.CPU, 1, 1);
        Tensor moved = new ProjectedGradient(Norm.LINF, 1, 3, -INFINITE, INFINITE).from(x, valley, x);
        assertThat(moved.item()).isZero(); // at 0.83, where it ends, it is higher
    }

    @Test
    void theGradientOfLogOddsIsThatOfTheirValue() {
        EnergyModel model = JointDensities.CLASSES;
        try (Parameters parameters = JointDensities.parameters(model)) {
            long[] k = {0, 1, 2, 1};
            LogDensity odds = model.bind(parameters).logOdds(k);
            Tensor x = Tensors.normal(Key.of(1), 4, 2).to(DType.DOUBLE);
            GradientCheck.require(odds, x);
            double[] p = model.bind(parameters).at(x).softmax(1).toDoubles();
            double[] found = odds.at(x).toDoubles();
            for (int i = 0; i < k.length; i++) {
                double own = p[i * model.components() + (int) k[i]];
                assertThat(found[i]).isCloseTo(Math.log(own / (1 - own)), within(1e-9));
            }
            assertThat(odds.rows(2, 0).at(x.rows(2, 0)).toDoubles()).containsExactly(found[2], found[0]);
        }
    }
}

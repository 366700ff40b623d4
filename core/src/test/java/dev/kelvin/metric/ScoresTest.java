package dev.kelvin.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensities;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({OneThread.class, InScope.class})
class ScoresTest {
    private static Tensor points() {
        return Tensors.normal(Key.of(5), 6, 2).to(DType.DOUBLE);
    }

    @Test
    void aModelWithClassesHasAllThree() {
        EnergyModel model = JointDensities.CLASSES;
        try (Parameters parameters = JointDensities.parameters(model)) {
            JointDensity table = model.bind(parameters);
            Scores scores = Scores.of(table, points(), OodScore.F);
            double[] logits = table.at(points()).toDoubles();
            for (int i = 0; i < 6; i++) {
                double sum = 0;
                double highest = 0;
                for (int k = 0; k < model.components(); k++) {
                    sum += Math.exp(logits[i * model.components() + k]);
                }
                for (int k = 0; k < model.components(); k++) {
                    double p = Math.exp(logits[i * model.components() + k]) / sum;
                    assertThat(scores.p()[i][k]).isCloseTo(p, within(1e-12));
                    highest = Math.max(highest, p);
                }
                assertThat(scores.f()[i]).isCloseTo(Math.log(sum), within(1e-12));
                assertThat(scores.p()[i][scores.predicted(i)]).isCloseTo(highest, within(1e-12));
                assertThat(Scores.of(table, points(), OodScore.MAX_P).score()[i])
                        .isCloseTo(highest, within(1e-12));
            }
            assertThat(scores.score()).isEqualTo(scores.f());
            assertThat(scores.f()).isEqualTo(table.data().at(points()).toDoubles());
            double[] gradient = table.data().gradient(points()).toDoubles();
            double[] flat = Scores.of(table, points(), OodScore.GRADIENT).score();
            for (int i = 0; i < 6; i++) {
                assertThat(flat[i]).isCloseTo(-Math.hypot(gradient[2 * i], gradient[2 * i + 1]), within(1e-12));
            }
        }
    }

    @Test
    void aModelOfTimesHasNoClasses() {
        EnergyModel model = JointDensities.times(List.of(), true, true);
        try (Parameters parameters = JointDensities.parameters(model)) {
            JointDensity table = model.bind(parameters);
            Scores scores = Scores.of(table, points(), OodScore.GRADIENT);
            assertThat(scores.p()).isEmpty();
            assertThat(scores.f()).isEqualTo(table.data().at(points()).toDoubles());
            assertThatThrownBy(() -> Scores.of(table, points(), OodScore.MAX_P)).hasMessageContaining("has none");
        }
    }

    /** Four of the six pairs are in order. */
    @Test
    void figuresHaveTheNameOfTheirScore() {
        OutOfDistribution told = OutOfDistribution.of(new double[] {3, 2, 1}, new double[] {2.5, 0});
        assertThat(told.figures(OodScore.F, "svhn").keySet()).containsExactly("auroc_svhn", "aupr_svhn", "fpr95_svhn");
        Map<String, Double> figures = told.figures(OodScore.GRADIENT, "svhn");
        assertThat(figures.get("auroc_gradient_svhn")).isCloseTo(4 / 6.0, within(1e-12));
        assertThat(figures.get("fpr95_gradient_svhn")).isEqualTo(0.5);
        assertThat(figures.get("aupr_gradient_svhn")).isCloseTo((1 + 2 / 3.0 + 3 / 4.0) / 3, within(1e-12));
    }
}

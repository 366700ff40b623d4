package dev.kelvin.energy.analytic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.GradientCheck;
import dev.kelvin.energy.Target;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TargetFamilyTest {
    /** Every family with its defaults. */
    static List<TargetFamily> families() {
        return List.of(
                new Normal(10),
                new CorrelatedGaussian(20, 0.9),
                new Funnel(10, 3),
                new Banana(1.5, 0.4),
                new TwoWells(3, 1.5, 1),
                new ModesOnCircle(8, 4, 0.5),
                new Rings(List.of(1.0, 2.0, 3.0, 4.0), 0.15));
    }

    @Test
    void areFoundByName() {
        assertThat(Catalogue.of(TargetFamily.class).keySet())
                .containsExactly("normal", "gaussian", "funnel", "banana", "double-well", "mixture", "rings");
        assertThat(families())
                .extracting(Object::getClass)
                .isEqualTo(List.copyOf(Catalogue.of(TargetFamily.class).values()));
        assertThatThrownBy(() -> Catalogue.find(TargetFamily.class, "funel"))
                .hasMessage("Kelvin has no target 'funel'; did you mean 'funnel'? (it has normal, gaussian, funnel,"
                        + " banana, double-well, mixture, rings)");
    }

    @ParameterizedTest
    @MethodSource("families")
    void saysWhatItsSettingsAre(TargetFamily family) {
        assertThat(family.getClass().isAnnotationPresent(Doc.class)).isTrue();
        for (RecordComponent setting : family.getClass().getRecordComponents()) {
            assertThat(setting.isAnnotationPresent(Doc.class))
                    .as(setting.getName())
                    .isTrue();
            assertThat(setting.isAnnotationPresent(Default.class))
                    .as(setting.getName())
                    .isTrue();
        }
        assertThat(family.difficulty()).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("families")
    void gradientsAreRight(TargetFamily family) {
        try (Scope scope = Scope.open()) {
            Target target = family.target();
            Tensor x = target.draw(Key.of(1), 16, DType.DOUBLE);
            assertThatCode(() -> GradientCheck.require(target, x)).doesNotThrowAnyException();
        }
    }

    @Test
    void settingsDecideTheDensity() {
        assertThat(new Normal(3).target().covariance()).isDeepEqualTo(new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
        double[][] correlated = new CorrelatedGaussian(4, 0.5).target().covariance();
        assertThat(correlated[0]).containsExactly(1, 0.5, 0.25, 0.125);
        assertThat(correlated[2]).containsExactly(0.25, 0.5, 1, 0.5);
        assertThat(new TwoWells(4, 2, 1).target().dimension()).isEqualTo(4);
        // on a circle of radius r the coordinates' variance is r²/2, and the modes add theirs
        GaussianMixture modes = new ModesOnCircle(5, 2, 0.3).target();
        assertThat(modes.mean()).containsExactly(new double[2], within(1e-12));
        assertThat(modes.covariance()[0]).containsExactly(new double[] {2 + 0.09, 0}, within(1e-12));
    }

    @Test
    void difficultyTellsTheSettings() {
        assertThat(new TwoWells(3, 1.5, 1).difficulty())
                .isEqualTo("two modes, at -1.5 and 1.5 in the first of 3 coordinates, with a barrier between them");
        assertThat(new CorrelatedGaussian(20, 0.9).difficulty())
                .isEqualTo("20 coordinates, neighbours correlated by 0.9: a long thin valley");
        assertThat(new Rings(List.of(1.0), 0.1).difficulty()).startsWith("1 ring");
    }

    @Test
    void allMistakesAreTold() {
        Throwable both = catchThrowable(() -> new Funnel(1, 0));
        assertThat(both).hasMessage("dimension must be at least 2, found 1");
        assertThat(both.getSuppressed())
                .extracting(Throwable::getMessage)
                .containsExactly("std must be above 0, found 0");
        assertThatThrownBy(() -> new CorrelatedGaussian(2, 1)).hasMessageStartingWith("correlation must lie between");
        assertThatThrownBy(() -> new CorrelatedGaussian(2, Double.NaN)).hasMessageStartingWith("correlation");
        assertThatThrownBy(() -> new Normal(0)).hasMessage("dimension must be at least 1, found 0");
        assertThatThrownBy(() -> new TwoWells(1, 0, 1)).hasMessage("wells must be above 0, found 0");
        assertThatThrownBy(() -> new ModesOnCircle(0, 1, 1)).hasMessage("modes must be at least 1, found 0");
    }
}

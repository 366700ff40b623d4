package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.Mistakes;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartTest {
    private static final List<Long> IMAGE = List.of(3L, 4L, 4L);

    private static SampleSource line() {
        return (key, count) -> {
            double[] values = new double[count * 2];
            for (int i = 0; i < values.length; i++) {
                values[i] = i;
            }
            try (Scope scope = Scope.open()) {
                return scope.keep(Tensors.of(values, count, 2).to(DType.FLOAT));
            }
        };
    }

    static Stream<SampleSource> starts() {
        return Stream.of(
                SampleSource.gaussian(List.of(), 2, IMAGE, Device.CPU),
                SampleSource.gaussian(List.of(1.0, -3.0), 0.5, List.of(2L), Device.CPU),
                SampleSource.uniform(-1, 1, IMAGE, Device.CPU),
                SampleSource.noisy(line(), 0.1));
    }

    @ParameterizedTest
    @MethodSource("starts")
    void theKeyDecides(SampleSource start) {
        try (Scope scope = Scope.open()) {
            float[] once = start.draw(Key.of(1), 5).toFloats();
            assertThat(start.draw(Key.of(1), 5).toFloats()).isEqualTo(once);
            assertThat(start.draw(Key.of(2), 5).toFloats()).isNotEqualTo(once);
        }
    }

    @Test
    void theShapeIsTheBatchOfTheDatasShape() {
        try (Scope scope = Scope.open()) {
            Tensor gaussian =
                    SampleSource.gaussian(List.of(), 1, IMAGE, Device.CPU).draw(Key.of(1), 5);
            Tensor uniform = SampleSource.uniform(0, 1, IMAGE, Device.CPU).draw(Key.of(1), 5);
            assertThat(gaussian.shape()).containsExactly(5, 3, 4, 4);
            assertThat(gaussian.dtype()).isEqualTo(DType.FLOAT);
            assertThat(uniform.shape()).containsExactly(5, 3, 4, 4);
            assertThat(uniform.dtype()).isEqualTo(DType.FLOAT);
            assertThat(SampleSource.noisy(line(), 1).draw(Key.of(1), 5).shape()).containsExactly(5, 2);
        }
    }

    @Test
    void withoutSpreadThereIsOnlyTheMean() {
        try (Scope scope = Scope.open()) {
            SampleSource point = SampleSource.gaussian(List.of(1.0, -3.0), 0, List.of(2L), Device.CPU);
            assertThat(point.draw(Key.of(1), 2).toFloats()).containsExactly(1, -3, 1, -3);
            assertThat(SampleSource.noisy(line(), 0).draw(Key.of(1), 2).toFloats())
                    .containsExactly(0, 1, 2, 3);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void aSpreadThatIsNoneIsRefused(double spread) {
        assertThatThrownBy(() -> SampleSource.gaussian(List.of(), spread, IMAGE, Device.CPU))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("std must be 0 or more");
        assertThatThrownBy(() -> SampleSource.noisy(line(), spread))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("noise must be 0 or more");
    }

    /** A setting becomes the draws that it says. */
    @Test
    void settingsBecomeDraws() {
        List<Long> shape = List.of(2L);
        Key key = Key.of(1);
        try (Scope scope = Scope.open()) {
            Start gaussian = new Start.GaussianStart(Optional.of(List.of(1.0, -3.0)), 0.5);
            assertThat(gaussian.draws(shape, line(), Device.CPU).draw(key, 5).toFloats())
                    .isEqualTo(SampleSource.gaussian(List.of(1.0, -3.0), 0.5, shape, Device.CPU)
                            .draw(key, 5)
                            .toFloats());
            Start uniform = new Start.UniformStart(-2, 1);
            assertThat(uniform.draws(shape, line(), Device.CPU).draw(key, 5).toFloats())
                    .isEqualTo(SampleSource.uniform(-2, 1, shape, Device.CPU)
                            .draw(key, 5)
                            .toFloats());
            Start data = new Start.DataStart(0.1);
            assertThat(data.draws(shape, line(), Device.CPU).draw(key, 5).toFloats())
                    .isEqualTo(SampleSource.noisy(line(), 0.1).draw(key, 5).toFloats());
            for (Start start : List.of(gaussian, uniform, data)) {
                assertThat(start.atBatch()).isFalse();
                assertThat(start.words()).isNotBlank();
            }
            assertThat(new Start.BatchStart(0).atBatch()).isTrue();
        }
    }

    @Test
    void aMeanThatDoesNotFitTheDataIsRefused() {
        Start start = new Start.GaussianStart(Optional.of(List.of(1.0, -3.0)), 1);
        start.requireFit(2);
        assertThatThrownBy(() -> start.requireFit(3))
                .isInstanceOf(SettingException.class)
                .hasMessage("mean takes 3 numbers, as the data has, found 2");
        new Start.GaussianStart(Optional.empty(), 1).requireFit(3);
    }

    @Test
    void settingsCheckThemselves() {
        assertThat(Mistakes.of(() -> new Start.GaussianStart(Optional.of(List.of(Double.NaN)), 0)))
                .hasSize(2)
                .contains("std must be above 0, found 0");
        assertThatThrownBy(() -> new Start.UniformStart(1, 1)).hasMessage("high must be above low, 1, found 1");
        assertThatThrownBy(() -> new Start.DataStart(-1)).hasMessageContaining("noise must be 0 or more");
        assertThatThrownBy(() -> new Start.BatchStart(-1)).hasMessageContaining("noise must be 0 or more");
    }

    /** Beside a batch, each of its samples in turn; where there is none, as when a buffer is filled, data. */
    @Test
    void batchesOwnSamplesInTurn() {
        SampleSource exact = new Start.BatchStart(0).draws(List.of(2L), line(), Device.CPU);
        SampleSource noisy = new Start.BatchStart(0.5).draws(List.of(2L), line(), Device.CPU);
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new float[] {10, 11, 20, 21, 30, 31}, 3, 2);
            Batch batch = new Batch(x, new long[] {2, 0, 1});
            Tensor same = exact.drawBeside(Key.of(1), batch, 2, 0, 1);
            assertThat(same.toFloats()).isEqualTo(x.toFloats());
            same.timesInPlace(0);
            assertThat(x.toFloats()[0]).isEqualTo(10); // a copy
            assertThat(exact.drawBeside(Key.of(1), batch, batch.components(5)).toFloats())
                    .containsExactly(10, 11, 20, 21, 30, 31, 10, 11, 20, 21);
            assertThat(exact.drawBeside(Key.of(1), batch, 2, 0).toFloats()).containsExactly(10, 11, 20, 21);
            float[] noise = Tensors.normalLike(Key.of(1), 0.5, same).plus(x).toFloats();
            assertThat(noisy.drawBeside(Key.of(1), batch, 2, 0, 1).toFloats()).isEqualTo(noise);
            assertThat(exact.draw(Key.of(1), 2).toFloats()).containsExactly(0, 1, 2, 3);
            assertThat(exact.drawGiven(Key.of(1), 0, 1).toFloats()).containsExactly(0, 1, 2, 3);
            // the twin: fresh samples of the data know nothing of the batch
            SampleSource data = new Start.DataStart(0).draws(List.of(2L), line(), Device.CPU);
            assertThat(data.drawBeside(Key.of(1), batch, 2, 0).toFloats()).containsExactly(0, 1, 2, 3);
        }
    }

    @Test
    void aBatchHasAComponentForEachSample() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.zeros(DType.FLOAT, Device.CPU, 3, 2);
            assertThat(Batch.of(x).k()).containsExactly(0, 0, 0);
            assertThat(new Batch(x, new long[] {2, 0, 1}).components(5)).containsExactly(2, 0, 1, 2, 0);
            assertThatThrownBy(() -> new Batch(x, new long[2])).hasMessageContaining("2 components do not fit");
        }
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> SampleSource.gaussian(List.of(1.0), 1, List.of(2L), Device.CPU))
                .isInstanceOf(SettingException.class)
                .hasMessage("mean has 1 numbers, the data 2 dimensions");
        assertThatThrownBy(() -> SampleSource.uniform(1, 1, IMAGE, Device.CPU))
                .isInstanceOf(SettingException.class)
                .hasMessage("low must lie below high, found 1.0 and 1.0");
        assertThatThrownBy(() -> SampleSource.uniform(Double.NaN, 1, IMAGE, Device.CPU))
                .isInstanceOf(SettingException.class);
    }
}

package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrainedModelTest {
    private static final float[][] POINTS = {{0, 1}, {-2, 0.5f}, {3, -3}};

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(TinyRun.Kind.class)
    void scoresAreTheLearners(TinyRun.Kind kind) throws IOException {
        try (Learner learner = TinyRun.learner(kind, Key.of(1), 25)) {
            new Trainer(
                            TinyRun.settings(25, 10),
                            TinyRun.positives(learner.model()),
                            learner,
                            new Checkpoints(folder.resolve("checkpoints")),
                            Optional.empty(),
                            new Recorder())
                    .run(() -> false);
            try (Scope scope = Scope.open();
                    TrainedModel model = TrainedModel.load(folder)) {
                double[] expected = learner.model()
                        .density(learner.averaged())
                        .at(Tensors.of(new float[] {0, 1, -2, 0.5f, 3, -3}, 3, 2))
                        .toDoubles();
                assertThat(model.score(POINTS)).isEqualTo(expected);
                assertThat(model.parameters().flat().toFloats())
                        .isEqualTo(learner.averaged().flat().toFloats());
                assertThat(model.step()).isEqualTo(25);
            }
        }
    }

    @Test
    void whatIsNoRunIsNamed() throws IOException {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> TrainedModel.load(missing))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no run at " + missing);
        assertThatThrownBy(() -> TrainedModel.load(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + " has no whole checkpoint");
        Files.createDirectories(folder.resolve("checkpoints"));
        assertThatThrownBy(() -> TrainedModel.load(folder)).hasMessage(folder + " has no whole checkpoint");
    }
}

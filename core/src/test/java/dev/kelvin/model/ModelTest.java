package dev.kelvin.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.TableColumns;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.negative.Start;
import dev.kelvin.sample.Langevin;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.TooLargeException;
import dev.kelvin.train.Learner;
import dev.kelvin.train.Recorder;
import dev.kelvin.train.TinyRun;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModelTest {
    private static final double[][] ROWS = {{0, 1}, {-2, 0.5}, {3, -3}};

    private static final ModelCard CARD = card(SampleKind.Points.of(2));

    private static ModelCard card(SampleKind samples) {
        return ModelCard.plain(
                "tiny",
                1,
                samples,
                ChainSettings.fresh(new Start.GaussianStart(Optional.empty(), 1), Langevin.of(0.01), 2));
    }

    /** Says what f is compared with. */
    private void judged(HeldOutReference reference) throws IOException {
        CARD.withReference(Optional.of(reference)).write(folder);
    }

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
                            new Recorder(),
                            System::nanoTime)
                    .run(() -> false);
            CARD.write(folder);
            try (Scope scope = Scope.open();
                    Model model = Model.load(folder)) {
                double[] expected = learner.model()
                        .density(learner.averaged())
                        .at(Tensors.of(new float[] {0, 1, -2, 0.5f, 3, -3}, 3, 2))
                        .toDoubles();
                assertThat(model.score(ROWS)).isEqualTo(expected);
                assertThat(model.parameters().flat().toFloats())
                        .isEqualTo(learner.averaged().flat().toFloats());
                assertThat(model.step()).isEqualTo(25);
            }
        }
    }

    @Test
    void whatIsNoRunIsNamed() throws IOException {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> Model.load(missing))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no run at " + missing);
        assertThatThrownBy(() -> Model.load(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve(ModelCard.FILE) + ": is not there");
        CARD.write(folder);
        String none = folder + " has no checkpoint yet; resume it by: kelvin train --resume " + folder;
        assertThatThrownBy(() -> Model.load(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(none);
        Files.createDirectories(folder.resolve("checkpoints"));
        assertThatThrownBy(() -> Model.load(folder)).hasMessage(none);
    }

    /** A run of 25 steps with checkpoints at 10, 20 and 25; the first is gone. */
    private void train() throws IOException {
        try (Learner learner = TinyRun.learner(TinyRun.Kind.FRESH, Key.of(1), 25)) {
            new Trainer(
                            TinyRun.settings(25, 10),
                            TinyRun.positives(learner.model()),
                            learner,
                            new Checkpoints(folder.resolve("checkpoints")),
                            Optional.empty(),
                            new Recorder(),
                            System::nanoTime)
                    .run(() -> false);
        }
        CARD.write(folder);
    }

    @Test
    void theCheckpointThatWasJudgedIsLoaded() throws IOException {
        train();
        double[] newest;
        try (Model model = Model.load(folder)) {
            newest = model.score(ROWS);
            assertThat(model.step()).isEqualTo(25);
            assertThat(model.isNormalised()).isFalse();
            assertThat(model.columns()).isEmpty();
            assertThatThrownBy(() -> model.quantile(ROWS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not judged");
            assertThatThrownBy(() -> model.logLikelihood(ROWS)).hasMessageContaining("not judged");
        }
        judged(new HeldOutReference(20, 2, Optional.of(HeldOutReference.Bounds.of(1, 2)), new double[] {-1, 0, 1}));
        try (Model model = Model.load(folder)) {
            double[] f = model.score(ROWS);
            assertThat(model.step()).isEqualTo(20);
            assertThat(f).isNotEqualTo(newest);
            assertThat(model.isNormalised()).isTrue();
            assertThat(model.temperature()).isEqualTo(2);
            assertThat(model.logNormaliser()).isEqualTo(new HeldOutReference.Bounds(1, 2, 1.5));
            for (int i = 0; i < f.length; i++) {
                assertThat(model.logLikelihood(ROWS)[i]).isEqualTo(f[i] / 2 - 1.5);
                double value = f[i];
                long below = java.util.stream.DoubleStream.of(-1, 0, 1)
                        .filter(h -> h <= value)
                        .count();
                assertThat(model.quantile(ROWS)[i]).isEqualTo((1.0 + below) / 4);
            }
        }
        judged(new HeldOutReference(10, 1, Optional.empty(), new double[] {0})); // a checkpoint that is kept no more
        try (Model model = Model.load(folder)) {
            assertThat(model.step()).isEqualTo(25);
            assertThatThrownBy(() -> model.quantile(ROWS)).hasMessageContaining("not judged");
        }
        judged(new HeldOutReference(20, 1, Optional.empty(), new double[] {0}));
        try (Model model = Model.load(folder)) {
            assertThat(model.quantile(ROWS)).hasSize(3);
            assertThatThrownBy(() -> model.logLikelihood(ROWS)).hasMessageContaining("log p is not known");
            assertThatThrownBy(model::logNormaliser)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("log p is not known");
        }
    }

    /** Rows (a, b) in units of 1000 and 0.1 around 5000 and 7. */
    @Test
    void rowsOfATableAreInItsOwnUnits() throws IOException {
        train();
        Schema.Column a = new Schema.Column("a", Schema.Kind.NUMERIC, List.of(), Optional.empty(), 0, 9000);
        Schema.Column b = new Schema.Column("b", Schema.Kind.NUMERIC, List.of(), Optional.empty(), 6, 8);
        Schema schema = new Schema(true, List.of(a, b), List.of(), Optional.empty(), TableColumns.UnknownWord.REFUSE);
        Scaling scaling = new Scaling(
                Scaling.Kind.STANDARDISE, List.of(5000.0, 7.0), List.of(1000.0, 0.1), List.of(), List.of(), 0);
        double[] expected;
        try (Model model = Model.load(folder)) {
            expected = model.score(ROWS);
        }
        card(new SampleKind.Rows(schema, scaling, Optional.empty(), Optional.empty()))
                .write(folder);
        double[][] rows = {{5000, 7.1}, {3000, 7.05}, {8000, 6.7}};
        try (Model model = Model.load(folder)) {
            assertThat(model.columns()).containsExactly("a", "b");
            assertThat(model.score(rows)).containsExactly(expected, within(1e-5)); // (7.1 - 7)/.1 is not quite 1
            assertThat(model.score(new double[0][])).isEmpty();
            assertThatThrownBy(() -> model.score(new double[][] {{1, 2}, {1, 2, 3}}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("row 1 has 3 values; expected 2: a, b");
            assertThatThrownBy(() -> model.score(new double[][] {{1}}))
                    .hasMessage("row 0 has 1 value; expected 2: a, b");
            assertThatThrownBy(() -> model.score(new double[][] {{1, 2}, {1, Double.NaN}}))
                    .hasMessageContaining("row 1 has NaN as its 'b'");
            int many = 1_000_000_000; // three times as many are below 0
            double[][] gaps = {{5000, Double.NaN}, {Double.NaN, 7}, {5000, 7}};
            ConditionedRows chains = new ConditionedRows(model, Optional.empty(), OptionalInt.empty());
            assertThatThrownBy(() -> chains.complete(Key.of(1), 0, gaps, many)).isInstanceOf(TooLargeException.class);
            assertThatThrownBy(() -> model.sampleGiven(0, many, "a=5000")).isInstanceOf(TooLargeException.class);
        }
    }

    @Test
    void pointsAreCheckedToo() throws IOException {
        train();
        try (Model model = Model.load(folder)) {
            assertThat(model.score(new double[0][])).isEmpty();
            assertThatThrownBy(() -> model.score(new double[][] {{1, 2}, {1}}))
                    .hasMessage("row 1 has 1 value; expected 2, a point of 2 values");
            assertThatThrownBy(() -> model.score(new double[][] {{1, Double.POSITIVE_INFINITY}}))
                    .hasMessageContaining("row 0 has Infinity as its value 1");
        }
    }

    @Test
    void moreSamplesThanMemoryHoldsAreRefused() throws IOException {
        train();
        int most = Integer.MAX_VALUE;
        try (Model model = Model.load(folder)) {
            assertThatThrownBy(() -> model.sample(0, most))
                    .isInstanceOfSatisfying(
                            TooLargeException.class,
                            thrown -> assertThat(thrown.sizes()).contains((long) most));
        }
    }

    @Test
    void aClosedModelSaysSo() throws IOException {
        train();
        Model model = Model.load(folder);
        model.close();
        model.close();
        assertThatThrownBy(() -> model.score(ROWS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the model of tiny was closed");
        assertThatThrownBy(() -> model.sample(0, 3)).hasMessage("the model of tiny was closed");
    }

    @Test
    void aDamagedCardIsNamed() throws IOException {
        train();
        Path file = Files.writeString(folder.resolve(ModelCard.FILE), "{\"format\":");
        assertThatThrownBy(() -> Model.load(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ": is damaged");
    }
}

package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.OodScore;
import dev.kelvin.model.Model;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a trained latent model is used for, and what is refused of it. */
class LatentUsesIT {
    private static final int REFUSED = 3;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void train() throws IOException {
        train("latent");
    }

    private static void train(String name, String... more) throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                "latent.generator.widths=[4]",
                "latent.posterior.steps=2",
                "negatives.steps=2",
                "train.batch=8",
                "train.iterations=4",
                "train.checkpointEvery=2"));
        settings.addAll(List.of(more));
        Recipe chosen = Recipes.load("digits-latent-small", settings);
        try (Experiment experiment = new Experiment(chosen, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve(name), chosen, Provenance.of(experiment, Device.CPU));
            new Runner(run, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
        }
    }

    /** A command in this process; @ is the folder. */
    private static Kelvin.Finished run(String command) {
        return InProcess.run(folder, command.split(" +"));
    }

    @Test
    void isSampledAtAnyCheckpoint() {
        Kelvin.Finished finished = run("sample @latent -n 8 --checkpoint 2 --out @samples.npy");
        assertThat(finished.exit()).as(finished.err()).isZero();
        assertThat(folder.resolve("samples.npy")).isNotEmptyFile();
    }

    @Test
    void scoresImages() throws IOException {
        Kelvin.Finished finished = run("score @latent digits --out @scores.csv");
        assertThat(finished.exit()).as(finished.err()).isZero();
        try (Stream<String> lines = Files.lines(folder.resolve("scores.csv"))) {
            assertThat(lines.count()).isGreaterThan(300);
        }
    }

    /** The chains in a prior's replay buffer are latent vectors; what is judged are images of them. */
    @Test
    void aReplayBufferIsJudgedByItsImages() throws IOException {
        train("buffered", "negatives.buffer={size: 40}");
        Kelvin.Finished finished = run("evaluate @buffered");
        assertThat(finished.exit()).as(finished.err()).isZero();
        assertThat(folder.resolve("buffered/evaluation.json")).content().contains("fid_buffer");
    }

    /** One held-out image has no other to be interpolated with, and no error over images. */
    @Test
    void fewImagesAreEnough() throws IOException {
        try (Scope scope = Scope.open()) {
            Tensor images = Tensors.normal(Key.of(1), DType.FLOAT, Device.CPU, 5, 8, 8);
            Npy.write(folder.resolve("five.npy"), images.square().clampInPlace(0, 1));
        }
        train("few", "data.images.set=" + folder.resolve("five.npy"));
        Kelvin.Finished finished = run("evaluate @few");
        assertThat(finished.exit()).as(finished.err()).isZero();
        assertThat(folder.resolve("few/report.html")).isNotEmptyFile();
        assertThat(folder.resolve("few/evaluation.json"))
                .content()
                .contains("\"importance_log_likelihood\"")
                .doesNotContain("importance_log_likelihood_error");
    }

    @Test
    void stepsAreTimed() {
        assertThat(folder.resolve("latent/timing.json")).content().contains("ms_per_step");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "restore @latent --inpaint left-half | run on latent vectors",
                "restore @latent --denoise 0.1 --add-noise | run on latent vectors",
                "sample @latent --with @latent | run on latent vectors",
                "evaluate @latent --attack linf | knows no classes",
                "score @latent digits --score gradient | comes from chains and has none",
            })
    void refusesWhatNeedsADensityOfImages(String command, String why) {
        Kelvin.Finished finished = run(command);
        assertThat(finished.exit()).as(finished.out() + finished.err()).isEqualTo(REFUSED);
        assertThat(finished.err()).contains(why);
    }

    @Test
    void isLoadedWithItsGenerator() throws IOException {
        try (Model model = Model.load(folder.resolve("latent"))) {
            assertThat(model.latent()).isPresent();
            assertThat(model.sample(3, 2)).hasDimensions(2, 64);
            assertThatThrownBy(() -> model.scores(model.sample(3, 2), OodScore.GRADIENT))
                    .hasMessageContaining("comes from chains and has none");
        }
    }
}

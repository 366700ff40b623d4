package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.model.Model;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs that older versions left are scored and resumed, for ever. {@code formats/0} was trained by commit 8d4df01, each
 * run for 8 iterations; {@code expected.json} is what that version's {@link Model} said.
 */
class OldRunsTest {
    private static final JsonMapper JSON = new JsonMapper();

    /** f is computed in float, on whatever processor there is. */
    private static final double ROUNDING = 1e-5;

    private record Expected(long step, long[] shape, float[] x, double[] logDensity) {}

    @TempDir
    private Path folder;

    static Stream<Path> runs() throws IOException, URISyntaxException {
        URL formats = Objects.requireNonNull(OldRunsTest.class.getResource("/dev/kelvin/formats/0"));
        try (Stream<Path> runs = Files.list(Path.of(formats.toURI()))) {
            return runs.sorted().toList().stream();
        }
    }

    /** Nothing may be written beside the original. */
    private RunFolder copied(Path original) throws IOException {
        Path copy = folder.resolve(original.getFileName().toString());
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(original.relativize(file).toString()));
            }
        }
        return RunFolder.open(copy);
    }

    @ParameterizedTest
    @MethodSource("runs")
    void scoresAreWhatTheyWere(Path run) throws IOException {
        Expected expected = JSON.readValue(run.resolve("expected.json").toFile(), Expected.class);
        try (Scope scope = Scope.open();
                Model model = Model.load(run)) {
            double[] f = model.logDensity()
                    .at(Tensors.of(expected.x(), expected.shape()))
                    .toDoubles();
            assertThat(model.step()).isEqualTo(expected.step());
            for (int i = 0; i < f.length; i++) {
                double size = 1 + Math.abs(expected.logDensity()[i]);
                assertThat(f[i]).as("point %d", i).isCloseTo(expected.logDensity()[i], within(ROUNDING * size));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theyGoOn(Path original) throws IOException {
        RunFolder run = copied(original);
        List<String> longer = List.of("train.iterations=10");
        try (Experiment experiment = new Experiment(run.recipe(longer), Device.CPU)) {
            Runner runner = new Runner(run, Device.CPU);
            runner.resume(experiment, longer, false);
            long[] began = {-1};
            TrainListener listener = new TrainListener() {
                @Override
                public void startedAt(long step) {
                    began[0] = step;
                }
            };
            assertThat(runner.train(experiment, listener, () -> false)).isEqualTo(Trainer.Outcome.FINISHED);
            assertThat(began[0]).isEqualTo(8);
        }
        Checkpoints.Header newest = new Checkpoints(run.checkpoints()).newest().orElseThrow();
        assertThat(newest.step()).isEqualTo(10);
        assertThat(newest.format()).isEqualTo(1);
        assertThat(newest.settings().orElseThrow()).contains("iterations: 10");
        assertThat(Files.readAllLines(run.metrics())).last().asString().contains("\"step\":10");
        assertThat(Provenance.read(run.provenance()).facts().getOrDefault("accepted 1", ""))
                .contains("train.iterations is 10 and was 8");
    }
}

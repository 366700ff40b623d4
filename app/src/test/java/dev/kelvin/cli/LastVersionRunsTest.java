package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.model.Model;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.run.SavedCard;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs of the last version (commit 13daefb) are scored, sampled and resumed. Each folder of {@code formats/1} has what that
 * version wrote of a run, the held-out f of {@code plane} and {@code time} thinned, without pictures; {@code new.csv}
 * and {@code data.csv}, the samples to score and the table that was learnt; and the answers of that version: {@code
 * scores.csv} and {@code drawn}, three samples.
 */
class LastVersionRunsTest {
    /** f is computed in float, and the order of its sums is the processor's. */
    private static final double ROUNDING = 1e-4;

    @TempDir
    private Path folder;

    /** A copy of the run: the original stays as it was written. */
    private Path copied(String name) throws IOException, URISyntaxException {
        Path original =
                Path.of(Objects.requireNonNull(LastVersionRunsTest.class.getResource("/dev/kelvin/formats/1/" + name))
                        .toURI());
        Path copy = folder.resolve(name);
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(original.relativize(file).toString()));
            }
        }
        return copy;
    }

    private static void kelvin(Path run, Object... words) {
        List<String> all = new ArrayList<>(Stream.of(words).map(String::valueOf).toList());
        if (Files.exists(run.resolve("data.csv"))) {
            all.addAll(List.of("--data", run.resolve("data.csv").toString()));
        }
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        assertThat(code).as(err.toString()).isZero();
    }

    /** Cell by cell; numbers may differ by rounding. */
    private static void assertSameCells(Path found, Path expected) throws IOException {
        List<String> lines = Files.readAllLines(expected);
        List<String> now = Files.readAllLines(found).subList(0, lines.size()); // of an image set, the first rows
        for (int i = 0; i < lines.size(); i++) {
            String[] cells = now.get(i).split(",", -1);
            String[] before = lines.get(i).split(",", -1);
            assertThat(cells).as("line %d", i + 1).hasSameSizeAs(before);
            for (int k = 0; k < cells.length; k++) {
                if (before[k].matches("-?[0-9.]+(e-?[0-9]+)?")) {
                    double was = Double.parseDouble(before[k]);
                    assertThat(Double.parseDouble(cells[k]))
                            .as("line %d, cell %d", i + 1, k + 1)
                            .isCloseTo(was, within(ROUNDING * (1 + Math.abs(was))));
                } else {
                    assertThat(cells[k]).isEqualTo(before[k]);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plane", "table", "numbers", "classes", "time", "latent"})
    void scoresAreWhatTheyWere(String name) throws IOException, URISyntaxException {
        Path run = copied(name);
        Path rows = run.resolve("new.csv");
        Path scores = folder.resolve("scores.csv");
        kelvin(run, "score", run, Files.exists(rows) ? rows : "digits", "--out", scores, "--quiet");
        assertSameCells(scores, run.resolve("scores.csv"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plane", "table", "numbers", "classes", "time", "latent"})
    void samplesAreWhatTheyWere(String name) throws IOException, URISyntaxException {
        Path run = copied(name);
        boolean rows = Files.exists(run.resolve("drawn.csv"));
        Path drawn = folder.resolve(rows ? "drawn.csv" : "drawn.npy");
        List<Object> words = new ArrayList<>(List.of("sample", run, "-n", 3, "--seed", 5, "--out", drawn));
        if (rows || name.equals("plane")) {
            words.addAll(List.of("--steps", 4));
        }
        kelvin(run, words.toArray());
        if (rows) {
            assertSameCells(drawn, run.resolve("drawn.csv"));
        } else {
            try (Scope scope = Scope.open()) {
                Tensor before = Npy.read(run.resolve("drawn.npy"));
                Tensor now = Npy.read(drawn);
                assertThat(now.shape()).isEqualTo(before.shape());
                assertThat(now.toDoubles()).containsExactly(before.toDoubles(), within(ROUNDING));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plane", "table", "numbers", "time"})
    void javaScoresThemToo(String name) throws IOException, URISyntaxException {
        Path run = copied(name);
        List<String> lines = Files.readAllLines(run.resolve("scores.csv"));
        double[] f = lines.stream()
                .skip(1)
                .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[1]))
                .toArray();
        assertThatThrownBy(() -> Model.load(run)).hasMessageContaining("convert it by: kelvin convert " + run);
        assertThat(SavedCard.convert(run)).isTrue();
        assertThat(SavedCard.convert(run)).isFalse();
        try (Model model = Model.load(run)) {
            assertThat(model.step()).isPositive();
            if (!name.equals("table")) { // whose rows have words
                double[][] rows = Files.readAllLines(run.resolve("new.csv")).stream()
                        .filter(line -> line.matches("[-0-9.,]+"))
                        .map(line -> Stream.of(line.split(","))
                                .mapToDouble(Double::parseDouble)
                                .toArray())
                        .toArray(double[][]::new);
                assertThat(model.score(rows)).containsExactly(f, within(ROUNDING));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plane", "table", "numbers", "classes", "time", "latent"})
    void theyGoOn(String name) throws IOException, URISyntaxException {
        RunFolder run = RunFolder.open(copied(name));
        long before = new Checkpoints(run.checkpoints()).newest().orElseThrow().step();
        List<String> longer = List.of("train.iterations=" + (before + 2));
        Recipe recipe = run.recipe(longer);
        Path data = run.path().resolve("data.csv");
        if (Files.exists(data)) {
            recipe = recipe.withDataAt(data);
        }
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
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
            assertThat(began[0]).isEqualTo(before);
        }
        Checkpoints.Header newest = new Checkpoints(run.checkpoints()).newest().orElseThrow();
        assertThat(newest.step()).isEqualTo(before + 2);
        assertThat(Provenance.read(run.provenance()).facts().getOrDefault("accepted 1", ""))
                .containsPattern("Z train.iterations is " + (before + 2) + " and was " + before + " \\(");
    }
}

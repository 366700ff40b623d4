package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.model.Model;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code kelvin score}, and what {@code evaluate} and {@code sample} say of a joint energy model. */
class ScoreIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int USAGE = 2;
    private static final int REFUSED = 3;
    private static final int INTERRUPTED = 130;
    private static final long ENDLESS = 30_000_000; // images, an hour or so

    @TempDir
    private static Path folder;

    @BeforeAll
    static void train() throws IOException {
        Files.writeString(folder.resolve("jem.yaml"), """
                name: jem
                data: {images: {set: digits, noise: 0.03}}
                model: {short-run: {filters: 4}}
                classes: head
                negatives:
                  start: {uniform: {}}
                  kernel: {langevin: {stepSize: 1, noise: 0.01}}
                  steps: 5
                  buffer: {size: 200}
                objective: {cd-ce: {}}
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 60, batch: 32, ema: 0.9}
                """);
        Kelvin.Finished trained = Kelvin.run(folder, "train", "jem.yaml", "--out", "run");
        assertThat(trained.exit()).as(trained.err()).isZero();
    }

    private static List<String> lines(String file) throws IOException {
        return Files.readAllLines(folder.resolve(file));
    }

    /** The averaged parameters, and f itself although T is 5e-5. */
    @Test
    void theFilesSayWhatTheApiSays() throws IOException {
        Kelvin.Finished csv = Kelvin.run(folder, "score", "run", "digits", "--out", "new/s.csv", "--json");
        assertThat(csv.exit()).as(csv.err()).isZero();
        JsonNode summary = JSON.readTree(csv.out());
        assertThat(summary.get("rows").asInt()).isEqualTo(1797);
        assertThat(summary.get("checkpoint").asInt()).isEqualTo(60);
        assertThat(summary.get("rows_per_second").asDouble()).isPositive();
        Kelvin.Finished jsonl = Kelvin.run(folder, "score", "run", "digits", "--out", "s.jsonl", "--score", "max-p");
        assertThat(jsonl.exit()).as(jsonl.err()).isZero();
        List<String> rows = lines("new/s.csv");
        List<String> objects = lines("s.jsonl");
        assertThat(rows).hasSize(1798);
        assertThat(objects).hasSize(1797);
        try (Scope scope = Scope.open();
                Model model = Model.load(folder.resolve("run"));
                ImageSet digits = Digits.load()) {
            Tensor x =
                    digits.images(LongStream.range(0, 1797).toArray()).times(2).minus(1);
            Scores scores = model.scores(x, OodScore.MAX_P);
            for (int i = 0; i < 1797; i++) {
                String[] row = rows.get(i + 1).split(",", -1);
                JsonNode object = JSON.readTree(objects.get(i));
                // batches of other sizes sum in another order
                assertThat(Double.parseDouble(row[1])).isCloseTo(scores.f()[i], within(1e-4));
                assertThat(object.get("f").asDouble()).isCloseTo(scores.f()[i], within(1e-4));
                assertThat(object.get("in_distribution").asDouble()).isCloseTo(scores.score()[i], within(1e-4));
                assertThat(Integer.parseInt(row[16])).isEqualTo(scores.predicted(i));
                assertThat(Double.parseDouble(row[6])).isCloseTo(scores.p()[i][0], within(1e-4));
            }
        }
    }

    @Test
    void stdoutHasTheRowsAndNothingElse() {
        Kelvin.Finished plain = Kelvin.run(folder, "score", "run", "digits");
        Kelvin.Finished dash = Kelvin.run(folder, "score", "run", "digits", "--out", "-", "--format", "csv");
        assertThat(plain.exit()).as(plain.err()).isZero();
        assertThat(plain.out().lines())
                .hasSize(1798)
                .first()
                .asString()
                .startsWith("row,f,log_p,quantile,alarm,oddest,p_0");
        assertThat(dash.out()).isEqualTo(plain.out());
        assertThat(plain.err()).contains("1797 rows");
    }

    @Test
    void mistakesAreNamed() throws IOException {
        try (Scope scope = Scope.open()) {
            Npy.write(folder.resolve("large.npy"), Tensors.bytes(2, 9, 9));
        }
        Kelvin.Finished large = Kelvin.run(folder, "score", "run", "large.npy", "--out", "l.csv");
        assertThat(large.exit()).isEqualTo(REFUSED);
        assertThat(large.complaint())
                .isEqualTo(
                        "kelvin: large.npy has 9 x 9 pixels in 1 channels, the model's images 8 x 8 in 1; convert them to that shape first");
        assertThat(folder.resolve("l.csv")).doesNotExist();
        assertThat(Kelvin.run(folder, "score", "run", "nowhere.npy").exit()).isEqualTo(REFUSED);
        assertThat(Kelvin.run(folder, "score", "run").exit()).isEqualTo(USAGE);
        assertThat(Kelvin.run(folder, "score", "run", "digits", "--json").exit())
                .isEqualTo(USAGE);
        assertThat(Kelvin.run(folder, "score", "run", "digits", "--score", "energy")
                        .exit())
                .isEqualTo(USAGE);
    }

    @Test
    void interruptedItLeavesNoFile() throws IOException {
        try (RandomAccessFile many =
                new RandomAccessFile(folder.resolve("many.npy").toFile(), "rw")) {
            String header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + ENDLESS + ", 8, 8), }";
            many.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0}); // 118 bytes follow
            many.writeBytes(" ".repeat(117 - header.length()) + header + "\n");
            many.setLength(128 + 64 * ENDLESS); // which takes no place on the disk
        }
        Kelvin process = Kelvin.start(folder, "score", "run", "many.npy", "--out", "many.csv");
        process.until("rows", () -> parts().anyMatch(name -> name.startsWith("many.csv.tmp")));
        process.interrupt();
        assertThat(process.await().exit()).isEqualTo(INTERRUPTED);
        assertThat(parts()).noneMatch(name -> name.startsWith("many.csv"));
    }

    private static Stream<String> parts() {
        return Stream.of(folder.toFile().list());
    }

    @Test
    void anAttackIsJudgedAndShown() throws IOException {
        Kelvin.Finished judged = Kelvin.run(
                folder,
                "evaluate",
                "run",
                "--json",
                "--attack",
                "linf,l2",
                "--epsilon",
                "0.2",
                "--refine",
                "2",
                "-n",
                "60");
        assertThat(judged.exit()).as(judged.err()).isZero();
        JsonNode figures = JSON.readTree(judged.out());
        assertThat(figures.get("accuracy_linf_0.2").asDouble())
                .isLessThan(figures.get("accuracy_linf_0").asDouble());
        assertThat(figures.has("accuracy_l2_refined_0.2")).isTrue();
        assertThat(figures.has("accuracy_refined")).isTrue();
        for (String name : List.of(
                "class_sample_accuracy", "ece_20", "auroc_maxp_noise", "auroc_gradient_shuffled", "fpr95_grey")) {
            assertThat(figures.get(name).asDouble()).as(name).isBetween(0.0, 1.0);
        }
        assertThat(Files.readString(folder.resolve("run/report.html")))
                .contains("Accuracy under attack", "Out-of-distribution detection", "Class-conditional samples");
        assertThat(Kelvin.run(folder, "evaluate", "run", "--epsilon", "0.2").exit())
                .isEqualTo(USAGE);
    }

    @Test
    void aClassIsSampled() throws IOException {
        Kelvin.Finished sampled =
                Kelvin.run(folder, "sample", "run", "-n", "12", "--class", "3", "--out", "threes.npy", "--json");
        assertThat(sampled.exit()).as(sampled.err()).isZero();
        assertThat(JSON.readTree(sampled.out()).get("steps").asInt()).isEqualTo(15); // three times training's
        try (Scope scope = Scope.open();
                Model model = Model.load(folder.resolve("run"))) {
            Scores scores = model.scores(Npy.read(folder.resolve("threes.npy")), OodScore.F);
            for (int i = 0; i < 12; i++) {
                assertThat(scores.predicted(i)).isEqualTo(3);
            }
        }
    }
}

package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.format.Rows;
import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageSets;
import dev.kelvin.dataset.ImageSettings;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.OodScore;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is written of each row, where scoring meets other options. */
class ScoreWriterTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    private static Experiment experiment(String columns, String images, String objective, String train) {
        String recipe = """
                %sdata: {images: {%s}}
                model: {short-run: {filters: 2}}
                negatives: {start: batch, kernel: {langevin: {%s}}, steps: 1}
                objective: %s
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 1, batch: 8%s}
                """.formatted(
                        columns,
                        images,
                        columns.startsWith("time") ? "stepSize: 0.01" : "stepSize: 1, noise: 0.01",
                        objective,
                        train);
        return new Experiment(Recipes.parse("a.yaml", recipe, List.of()), Device.CPU);
    }

    /** As 'kelvin score' reads them. */
    private static Rows rows(Experiment experiment, String set) throws IOException {
        ImageSettings images = (ImageSettings) experiment.recipe().data();
        return experiment
                .model()
                .seen(
                        set,
                        ImageSets.rows(
                                images, (int) (long) experiment.model().shape().get(0), set));
    }

    private static List<String> lines(Experiment experiment, String set, OodScore by, ScoreWriter.Format format)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Rows rows = rows(experiment, set)) {
            scoring(experiment, by, format).write(rows, out, done -> {}, () -> false);
        }
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static ScoreWriter scoring(Experiment experiment, OodScore by, ScoreWriter.Format format) {
        return new ScoreWriter(experiment.model(), new ScoreWriter.Settings(by, format, 0.01, 0.01));
    }

    /** Pictures in a folder are read in as many channels as the model has. */
    @Test
    void aGreyModelScoresAFolderOfPictures() throws IOException {
        Path pictures = Files.createDirectory(folder.resolve("pictures"));
        ImageIO.write(
                new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB),
                "png",
                pictures.resolve("a.png").toFile());
        try (Experiment run = experiment("classes: head\n", "set: digits", "{cd-ce: {}}", "")) {
            assertThat(lines(run, pictures.toString(), OodScore.F, ScoreWriter.Format.CSV))
                    .hasSize(2);
        }
    }

    /** f at all digits, brought from [0, 1] to what the model sees by a rule of the test's own. */
    private static double[] expected(LogDensity f, UnaryOperator<Tensor> seen) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open();
                ImageSet digits = Digits.load()) {
            Tensor all = digits.images(LongStream.range(0, digits.count()).toArray());
            return f.at(seen.apply(all)).toDoubles();
        }
    }

    /** f is f, not f/T and not (1 − β)f; images are at the middle of their shades where the model learns dequantised ones. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                          | set: digits                            | contrastive                        | ''
            'classes: head'                             | set: digits                            | {cd-ce: {}}                        | ', ema: 0.5'
            'classes: head'                             | 'set: digits, low: 0, dequantise: true' | {cd-ce: {by: {robust: {beta: 0.5}}}} | ''
            'classes: head'                             | set: digits                            | {conditional-cd: {}}               | ', precision: bfloat16'
            'time: {count: 4, annealing: {steps: 1}}'   | set: digits                            | {cd-ce: {}}                        | ''
            """)
    void everyRowHasItsF(String columns, String images, String objective, String train) throws IOException {
        String line = columns.isEmpty() ? "" : columns + "\n";
        try (Experiment experiment = experiment(line, images, objective, train)) {
            UnaryOperator<Tensor> seen = images.contains("dequantise")
                    ? unit -> unit.times(16 / 17.0).plus(0.5 / 17)
                    : unit -> unit.times(2).minus(1);
            List<String> csv = lines(experiment, "digits", OodScore.F, ScoreWriter.Format.CSV);
            List<String> jsonl = lines(experiment, "digits", OodScore.GRADIENT, ScoreWriter.Format.JSONL);
            boolean classes = columns.startsWith("classes");
            assertThat(csv).hasSize(1798);
            assertThat(jsonl).hasSize(1797);
            assertThat(csv.get(0))
                    .isEqualTo("row,f,log_p,quantile,alarm,oddest"
                            + (classes ? ",p_0,p_1,p_2,p_3,p_4,p_5,p_6,p_7,p_8,p_9,class" : ""));
            double[] f;
            try (Scope scope = Scope.open()) {
                f = expected(experiment.model().logDensity(), seen);
            }
            double tolerance = train.contains("bfloat16") ? 0.05 : 1e-4;
            for (int i = 0; i < f.length; i++) {
                String[] row = csv.get(i + 1).split(",", -1);
                JsonNode object = JSON.readTree(jsonl.get(i));
                assertThat(row[0]).isEqualTo(Integer.toString(i));
                assertThat(Double.parseDouble(row[1])).isCloseTo(f[i], within(tolerance));
                assertThat(List.of(row[2], row[3], row[4], row[5])).containsOnly(""); // it was never judged
                assertThat(object.get("row").asInt()).isEqualTo(i);
                assertThat(object.get("f").asDouble()).isCloseTo(f[i], within(tolerance));
                assertThat(object.get("quantile").isNull()).isTrue();
                assertThat(object.get("in_distribution").asDouble()).isNegative();
                if (classes) {
                    double sum = 0;
                    double highest = 0;
                    for (int k = 0; k < 10; k++) {
                        double p = Double.parseDouble(row[6 + k]);
                        assertThat(object.get("p").get("" + k).asDouble()).isCloseTo(p, within(1e-6));
                        sum += p;
                        highest = Math.max(highest, p);
                    }
                    assertThat(sum).isCloseTo(1, within(1e-5));
                    assertThat(Double.parseDouble(row[6 + Integer.parseInt(row[16])]))
                            .isEqualTo(highest);
                    assertThat(object.get("class").asString()).isEqualTo(row[16]);
                }
            }
        }
    }

    /** Pictures of a folder are cropped, resized and made grey as the recipe's own. */
    @Test
    void picturesBecomeWhatTheRecipesDo() throws IOException {
        for (int label = 0; label < 2; label++) {
            for (int i = 0; i < 6; i++) {
                BufferedImage image = new BufferedImage(12 + i, 12, BufferedImage.TYPE_INT_RGB);
                for (int x = 0; x < 12; x++) {
                    image.setRGB(x, (3 * x + i) % 12, label == 0 ? 0xFFFFFF : 0xFF8000);
                }
                Path file = folder.resolve("set/" + (label == 0 ? "white, all" : "orange") + "/" + i + ".png");
                Files.createDirectories(file.getParent());
                ImageIO.write(image, "png", file.toFile());
            }
        }
        String set = folder.resolve("set").toString();
        try (Experiment experiment =
                experiment("classes: head\n", "set: \"" + set + "\", size: 8, grey: true", "{cd-ce: {}}", "")) {
            List<String> csv = lines(experiment, set, OodScore.MAX_P, ScoreWriter.Format.CSV);
            assertThat(csv).hasSize(13);
            assertThat(csv.get(0))
                    .isEqualTo("row,f,log_p,quantile,alarm,oddest,p_orange,\"p_white, all\",class,in_distribution");
            assertThat(csv.get(1)).containsPattern("^0,[^,]+,,,,,[^,]+,[^,]+,(orange|\"white, all\"),[^,]+$");
        }
        try (Experiment colour = experiment("classes: head\n", "set: \"" + set + "\", size: 8", "{cd-ce: {}}", "")) {
            assertThatThrownBy(() -> lines(colour, "digits", OodScore.F, ScoreWriter.Format.CSV))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage(
                            "digits has 8 x 8 pixels in 1 channels, the model's images 8 x 8 in 3; convert them to that shape first");
        }
    }

    @Test
    void withoutClassesThereIsNoHighestProbability() {
        try (Experiment plain = experiment("", "set: digits", "contrastive", "")) {
            assertThatThrownBy(() -> scoring(plain, OodScore.MAX_P, ScoreWriter.Format.CSV))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("has no classes");
        }
    }

    @Test
    void itStopsWhenItIsTold() throws IOException {
        try (Experiment plain = experiment("", "set: digits", "contrastive", "");
                Rows rows = rows(plain, "digits")) {
            long[] seen = {0};
            long written = scoring(plain, OodScore.F, ScoreWriter.Format.JSONL)
                    .write(rows, new ByteArrayOutputStream(), done -> seen[0] = done, () -> seen[0] > 0)
                    .rows();
            assertThat(written).isEqualTo(seen[0]).isBetween(1L, 1796L);
        }
    }
}

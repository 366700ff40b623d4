package dev.kelvin.spark;

import dev.kelvin.cli.Commands;
import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Small runs, rows for them, and one session of Spark, for all tests of this process. */
final class Fixture {
    /** Two tasks at once, each of which may fail twice. */
    private static final String MASTER = "local[2,3]";

    private static final Path FOLDER = folder();

    /** One for all tests: a second would share its context. */
    static final SparkSession SPARK = SparkSession.builder()
            .master(MASTER)
            .appName("tests")
            .config("spark.ui.enabled", false)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.sql.warehouse.dir", file("warehouse").toUri().toString())
            .config("spark.local.dir", file("local").toString())
            .getOrCreate();

    private Fixture() {}

    /** A run of a table of numbers and a word, judged. */
    static final class Table {
        static final String RUN = trained(
                "table",
                "--data",
                csv("learnt.csv", 1, 300),
                "--set=data.table.advise=false",
                "--set=data.table.text=one-hot",
                "--set=train.iterations=20",
                "--set=train.checkpointEvery=10",
                "--set=model.mlp.hidden=[16,16]",
                "--set=negatives.steps=2",
                "--set=optimiser.adamw.schedule=constant");

        private Table() {}
    }

    /** A run of points of the plane. */
    static final class Points {
        static final String RUN = trained(
                "rings",
                "--set=train.iterations=20",
                "--set=train.checkpointEvery=10",
                "--set=negatives.steps=2",
                "--set=optimiser.adam.schedule=constant");

        private Points() {}
    }

    /** A classifier of digits. */
    static final class Classes {
        static final String RUN = trained(recipe().toString());

        private static Path recipe() {
            return write("classes.yaml", """
                    name: classes
                    data: {images: {set: digits, noise: 0.03}}
                    model: {short-run: {filters: 4}}
                    classes: head
                    negatives:
                      start: {uniform: {}}
                      kernel: {langevin: {stepSize: 1, noise: 0.01}}
                      steps: 2
                    objective: {cd-ce: {}}
                    optimiser: {adam: {learningRate: 1e-3}}
                    train: {iterations: 20, batch: 32}
                    """);
        }

        private Classes() {}
    }

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("kelvin-spark");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            return; // another process has taken it away
        }
    }

    /** A file of these tests. */
    static Path file(String name) {
        return FOLDER.resolve(name);
    }

    static Path write(String name, String text) {
        try {
            return Files.writeString(file(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String trained(String recipe, String... settings) {
        Path run = file("run-" + Path.of(recipe).getFileName());
        List<String> words = new ArrayList<>(List.of("train", recipe, "--out", run.toString()));
        words.addAll(List.of(settings));
        Commands.run(words.toArray(String[]::new));
        return run.toString();
    }

    /** A table's file: three correlated columns of numbers, and one of words; one row of twelve is odd. */
    static String csv(String name, long seed, int count) {
        RandomGenerator random = Key.of(seed).stream();
        StringBuilder text = new StringBuilder("amount,hour,where,code\n");
        for (int i = 0; i < count; i++) {
            double u = random.nextGaussian();
            boolean odd = i % 12 == 11;
            text.append(String.format(
                    Locale.ROOT,
                    "%.5g,%.5g,%s,%.5g%n",
                    1000 + 100 * u + (odd ? 900 : 0),
                    12 + 2 * u + random.nextGaussian(),
                    random.nextBoolean() ? "shop" : "web",
                    0.01 * random.nextGaussian()));
        }
        return write(name, text.toString()).toString();
    }

    /** Points about the rings, in a file. */
    static String points(String name, long seed, int count) {
        RandomGenerator random = Key.of(seed).stream();
        StringBuilder text = new StringBuilder("x,y\n");
        for (int i = 0; i < count; i++) {
            text.append(3 * random.nextGaussian())
                    .append(',')
                    .append(3 * random.nextGaussian())
                    .append('\n');
        }
        return write(name, text.toString()).toString();
    }

    /** What 'kelvin score' writes of a file's rows, all digits of it: number, f, log p, quantile, alarm, oddest, p(y|x). */
    static double[][] commandLine(String run, String data, String... options) {
        Path out = file("scores.npy");
        List<String> words = new ArrayList<>(List.of("score", run, data, "--out", out.toString()));
        words.addAll(List.of(options));
        Commands.run(words.toArray(String[]::new));
        try (Scope scope = Scope.open()) {
            Tensor scores = Npy.read(out);
            double[] flat = scores.toDoubles();
            int width = (int) scores.size(1);
            double[][] rows = new double[(int) scores.size(0)][width];
            for (int i = 0; i < flat.length; i++) {
                rows[i / width][i % width] = flat[i];
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Rows of a CSV file with a header, in some partitions, in the file's order. */
    static Dataset<Row> read(String file, boolean infer, int partitions) {
        Dataset<Row> rows =
                SPARK.read().option("header", true).option("inferSchema", infer).csv(file);
        List<Row> all = rows.collectAsList();
        return SPARK.createDataset(
                org.apache.spark.api.java.JavaSparkContext.fromSparkContext(SPARK.sparkContext())
                        .parallelize(all, partitions)
                        .rdd(),
                org.apache.spark.sql.Encoders.row(rows.schema()));
    }

    /** The digits' pixels, 0 to 16. */
    static List<byte[]> digits(int count) {
        try (Scope scope = Scope.open();
                ImageSet digits = Digits.load()) {
            List<byte[]> images = new ArrayList<>();
            double[] all = digits.pixels().narrow(0, 0, count).toDoubles();
            for (int i = 0; i < count; i++) {
                byte[] image = new byte[64];
                for (int j = 0; j < image.length; j++) {
                    image[j] = (byte) all[64 * i + j];
                }
                images.add(image);
            }
            return images;
        }
    }
}

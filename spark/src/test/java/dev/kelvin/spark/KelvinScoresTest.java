package dev.kelvin.spark;

import static dev.kelvin.spark.Fixture.SPARK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.metric.OodScore;
import dev.kelvin.model.ModelCard;
import dev.kelvin.part.InvalidInputException;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Scores of DataFrames are those of 'kelvin score', to the last bit. */
class KelvinScoresTest {
    private static final StructType TABLE = new StructType()
            .add("hour", DataTypes.DoubleType)
            .add("amount", DataTypes.DoubleType)
            .add("code", DataTypes.FloatType)
            .add("where", DataTypes.StringType);

    /** A scored row as a line of the command line's file: what is not known is NaN. */
    private static double[] numbers(Row row, List<String> columns, int classes) {
        List<Double> numbers = new ArrayList<>();
        for (String name : List.of("f", "log_p", "quantile")) {
            numbers.add(row.isNullAt(row.fieldIndex(name)) ? Double.NaN : row.<Double>getAs(name));
        }
        int alarm = row.fieldIndex("alarm");
        numbers.add(row.isNullAt(alarm) ? Double.NaN : row.getBoolean(alarm) ? 1 : 0);
        numbers.add(columns.isEmpty() ? Double.NaN : columns.indexOf(row.<String>getAs("oddest")));
        for (int k = 0; k < classes; k++) {
            numbers.add(row.<Double>getAs("p_" + k));
        }
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static void assertEqual(List<Row> scored, double[][] expected, List<String> columns, int classes) {
        assertThat(scored).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(numbers(scored.get(i), columns, classes))
                    .as("row " + i)
                    .containsExactly(Arrays.copyOfRange(expected[i], 1, 6 + classes));
        }
    }

    // ---- tables

    private static final List<String> COLUMNS = List.of("amount", "hour", "where", "code");

    /** Columns in another order than the table's, with others between; numbers as numbers, and as text. */
    @Test
    void aTablesScoresAreTheCommandLines() {
        String file = Fixture.csv("new.csv", 2, 1500);
        double[][] expected = Fixture.commandLine(Fixture.Table.RUN, file, "--alarm", "0.05");
        assertThat(expected[0][2]).as("log p is known").isNotNaN();
        for (boolean infer : List.of(true, false)) {
            Dataset<Row> rows = Fixture.read(file, infer, 1)
                    .withColumn("id", functions.monotonically_increasing_id())
                    .select("where", "id", "code", "hour", "amount");
            Dataset<Row> scored = KelvinScores.of(Fixture.Table.RUN)
                    .alarm(0.05)
                    .closer(0.1) // as of a small file
                    .score(rows);
            assertThat(scored.columns())
                    .containsExactly(
                            "where", "id", "code", "hour", "amount", "f", "log_p", "quantile", "alarm", "oddest");
            List<Row> found = scored.collectAsList();
            assertEqual(found, expected, COLUMNS, 0);
            assertThat(found.stream().map(row -> row.<Long>getAs("id")))
                    .as("the rows stay in their order")
                    .isEqualTo(rows.select("id").as(Encoders.LONG()).collectAsList());
        }
    }

    /** As docs/spark.md has it. */
    @Test
    void threeLinesScoreADataFrame() {
        Dataset<Row> rows = Fixture.read(Fixture.csv("three.csv", 3, 60), true, 1);
        String run = Fixture.Table.RUN;
        Dataset<Row> scored = KelvinScores.of(run).score(rows);
        assertThat(scored.where("alarm or not alarm")
                        .select("amount", "log_p", "oddest")
                        .collectAsList())
                .hasSize(60);
    }

    private static Dataset<Row> table(Row... rows) {
        return SPARK.createDataFrame(List.of(rows), TABLE).coalesce(1);
    }

    private static final Row GOOD = RowFactory.create(12.0, 1000.0, 0.01f, "web");

    private static String refusal(Dataset<Row> rows) {
        try {
            List<Row> scored = KelvinScores.of(Fixture.Table.RUN).score(rows).collectAsList();
            throw new AssertionError("scored: " + scored);
        } catch (Exception e) { // Spark throws checked ones that it does not declare
            return Score.told(e).orElseThrow(() -> new AssertionError(e));
        }
    }

    @Test
    void badRowsAreNamed() {
        assertThat(refusal(table(GOOD, RowFactory.create(12.0, null, 0.01f, "web"))))
                .isEqualTo("row 2 of partition 0, column 'amount' is empty");
        assertThat(refusal(table(RowFactory.create(Double.NaN, 1000.0, 0.01f, "web"))))
                .isEqualTo("row 1 of partition 0, column 'hour' holds 'NaN', a missing value");
        assertThat(refusal(table(RowFactory.create(Double.NEGATIVE_INFINITY, 1000.0, 0.01f, "web"))))
                .isEqualTo("row 1 of partition 0, column 'hour' holds '-Infinity', which is infinite");
        assertThat(refusal(table(RowFactory.create(1e300, 1000.0, 0.01f, "web"))))
                .startsWith("row 1 of partition 0 has numbers too large for this model");
        assertThat(refusal(table(RowFactory.create(12.0, 1000.0, 0.01f, "moon"))))
                .startsWith("row 1 of partition 0, column 'where' holds the word 'moon'");
        assertThat(refusal(table(GOOD).withColumn("hour", functions.lit("noon"))))
                .isEqualTo("row 1 of partition 0, column 'hour' holds 'noon', which is no number");
    }

    @Test
    void badRowsMayStayWithoutScores() {
        Dataset<Row> rows = table(GOOD, RowFactory.create(12.0, null, 0.01f, "web"), GOOD);
        List<Row> scored = KelvinScores.of(Fixture.Table.RUN)
                .badRows(BadRows.NULL)
                .score(rows)
                .collectAsList();
        List<Row> alone = KelvinScores.of(Fixture.Table.RUN).score(table(GOOD)).collectAsList();
        assertThat(scored).hasSize(3);
        assertThat(scored.get(1).<String>getAs("problem")).isEqualTo("row 2 of partition 0, column 'amount' is empty");
        for (String name : List.of("f", "log_p", "quantile", "alarm", "oddest")) {
            assertThat(scored.get(1).<Object>getAs(name)).as(name).isNull();
        }
        for (int i : new int[] {0, 2}) {
            assertThat(scored.get(i).<Object>getAs("problem")).isNull();
            assertThat(scored.get(i).<Double>getAs("f")).isEqualTo(alone.get(0).<Double>getAs("f"));
        }
    }

    @Test
    void columnsThatDoNotFitAreRefusedBeforeTheJob() {
        KelvinScores scores = KelvinScores.of(Fixture.Table.RUN);
        assertThatThrownBy(() -> scores.score(table(GOOD).drop("hour", "where")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("there is no column 'hour', 'where', which the model needs; there are amount, code");
        assertThatThrownBy(() -> scores.score(table(GOOD).withColumn("hour", functions.current_timestamp())))
                .hasMessage("column 'hour' has the type timestamp; the model takes a number there: cast the column");
        assertThatThrownBy(() -> scores.score(table(GOOD).withColumn("F", functions.lit(1))))
                .hasMessageStartingWith("there is a column 'f' already; rename it");
        assertThat(scores.prefix("kelvin_")
                        .score(table(GOOD).withColumn("F", functions.lit(1)))
                        .columns())
                .contains("F", "kelvin_f", "kelvin_oddest");
        assertThatThrownBy(() -> scores.by(OodScore.MAX_P).score(table(GOOD))).hasMessageContaining("has no classes");
        assertThatThrownBy(() -> scores.columns("hour").score(table(GOOD)))
                .hasMessageContaining("found by the names that it was learnt with");
        assertThatThrownBy(() -> KelvinScores.of("nowhere/run").score(table(GOOD)))
                .hasMessageStartingWith("there is no run at ")
                .hasMessageContaining("--archives RUN.tar.gz#run");
        assertThatThrownBy(() -> scores.alarm(2)).hasMessage("alarm must be a share between 0 and 1, found 2");
    }

    // ---- points

    @Test
    void pointsScoresAreTheCommandLines() {
        String file = Fixture.points("points.csv", 4, 3000);
        double[][] expected = Fixture.commandLine(Fixture.Points.RUN, file);
        Dataset<Row> rows = Fixture.read(file, true, 1);
        KelvinScores scores = KelvinScores.of(Fixture.Points.RUN);
        assertEqual(scores.score(rows).collectAsList(), expected, List.of(), 0);
        Dataset<Row> array = rows.select(
                functions.array("x", "y").as("point"), functions.lit(3).as("id"));
        assertEqual(scores.score(array).collectAsList(), expected, List.of(), 0);
        Dataset<Row> more = rows.withColumn("id", functions.lit(3));
        assertThatThrownBy(() -> scores.score(more))
                .hasMessageStartingWith("the model takes a point of 2 values from each row: name the columns");
        assertEqual(scores.columns("x", "y").score(more).collectAsList(), expected, List.of(), 0);
        assertEqual(scores.score(Fixture.read(file, false, 1)).collectAsList(), expected, List.of(), 0);
    }

    /** A row's place in its batch changes the last bits of f: in the batches of one file they are the file's, wherever rows are. */
    @Test
    void rowsInManyPartitionsHaveTheBatchesOfOneFile() {
        String file = Fixture.points("parts.csv", 8, 5000);
        double[][] expected = Fixture.commandLine(Fixture.Points.RUN, file);
        List<Row> all = Fixture.read(file, true, 1).collectAsList();
        Dataset<Row> rows = Fixture.read(file, true, 7);
        KelvinScores scores = KelvinScores.of(Fixture.Points.RUN).columns("x", "y");
        Map<List<Object>, Double> exact = new HashMap<>();
        Dataset<Row> mixed = number(all).repartition(5, functions.col("y"));
        for (Row row : scores.inOneFilesBatches().score(mixed.orderBy("n")).collectAsList()) {
            exact.put(List.of(row.get(0), row.get(1)), row.<Double>getAs("f"));
        }
        List<Row> near = scores.score(rows).collectAsList();
        for (int i = 0; i < expected.length; i++) {
            assertThat(exact.get(List.of(all.get(i).get(0), all.get(i).get(1))))
                    .as("row " + i)
                    .isEqualTo(expected[i][1]);
            assertThat(near.get(i).<Double>getAs("f")).isCloseTo(expected[i][1], within(1e-5));
        }
    }

    private static Dataset<Row> number(List<Row> rows) {
        List<Row> numbered = new ArrayList<>();
        for (Row row : rows) {
            numbered.add(RowFactory.create(row.get(0), row.get(1), numbered.size()));
        }
        return SPARK.createDataFrame(numbered, rows.get(0).schema().add("n", DataTypes.IntegerType));
    }

    @Test
    void pointsThatCannotBeScoredAreNamed() {
        Dataset<Row> rows = SPARK.sql("select array(1.5D, cast('NaN' as double)) as point");
        assertThatThrownBy(() -> KelvinScores.of(Fixture.Points.RUN).score(rows).collectAsList())
                .hasStackTraceContaining(
                        "row 1 of partition 0, column 'point', value 1, holds NaN; points are finite numbers");
        Dataset<Row> three = SPARK.sql("select array(1, 2, 3) as point");
        assertThatThrownBy(
                        () -> KelvinScores.of(Fixture.Points.RUN).score(three).collectAsList())
                .hasStackTraceContaining("has 3 values; points of this model have 2");
    }

    // ---- images

    private static final StructType IMAGES =
            new StructType().add("name", DataTypes.StringType).add("pixels", DataTypes.BinaryType);

    private static Dataset<Row> images(List<byte[]> cells) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            rows.add(RowFactory.create("image" + i, cells.get(i)));
        }
        return SPARK.createDataFrame(rows, IMAGES).coalesce(1);
    }

    @Test
    void imagesScoresAreTheCommandLines() {
        int all = 1797;
        double[][] expected = Fixture.commandLine(Fixture.Classes.RUN, "digits");
        List<byte[]> pixels = Fixture.digits(all);
        KelvinScores scores = KelvinScores.of(Fixture.Classes.RUN).white(16);
        List<Row> scored = scores.score(images(pixels)).collectAsList();
        assertEqual(scored, expected, List.of(), 10);
        for (Row row : scored) {
            double likeliest = Stream.iterate(0, k -> k + 1)
                    .limit(10)
                    .mapToDouble(k -> row.<Double>getAs("p_" + k))
                    .max()
                    .orElseThrow();
            assertThat(row.<Double>getAs("p_" + row.<String>getAs("class"))).isEqualTo(likeliest);
        }
        List<Row> arrays = new ArrayList<>();
        for (byte[] image : pixels) {
            Integer[] numbers = new Integer[image.length];
            Arrays.setAll(numbers, i -> (int) image[i]);
            arrays.add(RowFactory.create((Object) numbers));
        }
        StructType schema = new StructType().add("image", DataTypes.createArrayType(DataTypes.IntegerType));
        assertEqual(
                scores.score(SPARK.createDataFrame(arrays, schema).coalesce(1)).collectAsList(),
                expected,
                List.of(),
                10);
    }

    /** Pictures as Spark reads files, and as the command line reads their folder. */
    @Test
    void picturesAreDecoded() throws IOException {
        Path folder = Files.createDirectories(Fixture.file("pictures"));
        List<byte[]> digits = Fixture.digits(40);
        for (int i = 0; i < digits.size(); i++) {
            BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_GRAY);
            for (int j = 0; j < 64; j++) {
                image.getRaster().setSample(j % 8, j / 8, 0, 15 * digits.get(i)[j]);
            }
            ImageIO.write(
                    image, "png", folder.resolve(String.format("%03d.png", i)).toFile());
        }
        double[][] expected = Fixture.commandLine(Fixture.Classes.RUN, folder.toString());
        Dataset<Row> files = SPARK.read()
                .format("binaryFile")
                .load(folder.toString())
                .coalesce(1)
                .sort("path");
        List<Row> scored = KelvinScores.of(Fixture.Classes.RUN).score(files).collectAsList();
        assertEqual(scored, expected, List.of(), 10);

        ByteArrayOutputStream large = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(16, 12, BufferedImage.TYPE_INT_RGB), "png", large);
        byte[] cut = Arrays.copyOf(large.toByteArray(), 60);
        List<Row> problems = KelvinScores.of(Fixture.Classes.RUN)
                .badRows(BadRows.NULL)
                .score(images(List.of(large.toByteArray(), cut, new byte[] {1, 2})))
                .collectAsList();
        assertThat(problems.stream().map(row -> row.<String>getAs("problem")))
                .containsExactly(
                        "row 1 of partition 0, column 'pixels' is 16 wide and 12 high; the model's images are 8 and 8",
                        "row 2 of partition 0, column 'pixels' ends too early: a part of it is missing",
                        "row 3 of partition 0, column 'pixels' is not a picture that Kelvin can read (PNG, JPEG, WebP)");
        assertThat(KelvinScores.of(Fixture.Classes.RUN)
                        .resize()
                        .score(images(List.of(large.toByteArray())))
                        .collectAsList()
                        .get(0)
                        .<Object>getAs("f"))
                .isNotNull();
    }

    // ---- tasks

    @Test
    void aModelIsLoadedOnceForAllTasks() {
        Dataset<Row> rows = Fixture.read(Fixture.csv("many.csv", 5, 640), true, 16);
        KelvinScores scores = KelvinScores.of(Fixture.Table.RUN);
        scores.score(rows).collectAsList();
        int before = LoadedModel.count();
        assertThat(scores.alarm(0.2).score(rows).collectAsList()).hasSize(640);
        assertThat(LoadedModel.count()).isEqualTo(before);
    }

    /** Fails the first time that a task of another partition than the first comes to its twentieth row. */
    private static Row failing(Row row) {
        TaskContext task = TaskContext.get();
        if (task.attemptNumber() == 0 && task.partitionId() > 0 && row.<Integer>getAs("n") % 100 == 20) {
            throw new IllegalStateException("this task is to fail once");
        }
        return row;
    }

    @Test
    void aTaskThatIsTriedAgainGivesTheSame() {
        Dataset<Row> rows = Fixture.read(Fixture.csv("again.csv", 6, 400), true, 4);
        List<Row> numbered = new ArrayList<>();
        StructType schema = rows.schema().add("n", DataTypes.IntegerType);
        for (Row row : rows.collectAsList()) {
            numbered.add(RowFactory.create(row.get(0), row.get(1), row.get(2), row.get(3), numbered.size()));
        }
        Dataset<Row> whole = SPARK.createDataFrame(numbered, schema).repartitionByRange(4, functions.col("n"));
        Dataset<Row> broken = whole.map((MapFunction<Row, Row>) KelvinScoresTest::failing, Encoders.row(schema));
        KelvinScores scores = KelvinScores.of(Fixture.Table.RUN).batch(32);
        assertThat(scores.score(broken).collectAsList())
                .isEqualTo(scores.score(whole).collectAsList());
    }

    /** An executor with another copy of a run must not score with it. */
    @Test
    void aRunThatChangesUnderTheJobIsRefused() throws IOException {
        Path run = copy(Path.of(Fixture.Points.RUN), Fixture.file("changing"));
        Dataset<Row> scored =
                KelvinScores.of(run.toString()).score(Fixture.read(Fixture.points("few.csv", 7, 10), true, 1));
        Path card = run.resolve(ModelCard.FILE);
        Files.writeString(card, Files.readString(card) + "\n");
        assertThatThrownBy(scored::collectAsList)
                .isInstanceOf(SparkException.class)
                .hasStackTraceContaining("is not the run that the driver read, or has changed since");
    }

    /** As spark-submit --archives sends it: found by its name, on every executor. */
    @Test
    void aRunMayBeSentAsAnArchive() throws IOException {
        Path run = Path.of(Fixture.Points.RUN);
        Path archive = Fixture.file("sent.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
                Stream<Path> files = Files.walk(run)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(new ZipEntry(run.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
        SPARK.sparkContext().addArchive(archive.toUri() + "#sent");
        Dataset<Row> rows = Fixture.read(Fixture.points("sent.csv", 9, 40), true, 2);
        assertThat(KelvinScores.of("sent").score(rows).collectAsList())
                .isEqualTo(KelvinScores.of(Fixture.Points.RUN).score(rows).collectAsList());
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        return to;
    }
}

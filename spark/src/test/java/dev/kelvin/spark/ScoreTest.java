package dev.kelvin.spark;

import static dev.kelvin.spark.Fixture.SPARK;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What spark-submit runs, and streams. */
class ScoreTest {
    private static final int USAGE = 2;
    private static final int REFUSED = 3;

    @TempDir
    private Path folder;

    private record Ended(int exit, String err, String out) {}

    private static Ended run(String... words) {
        SPARK.version(); // the session, which the command takes
        StringWriter err = new StringWriter();
        StringWriter out = new StringWriter();
        int exit = Score.commandLine()
                .setErr(new PrintWriter(err))
                .setOut(new PrintWriter(out))
                .execute(words);
        return new Ended(exit, err.toString().strip(), out.toString());
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private static double[] f(Dataset<Row> rows) {
        return rows.selectExpr("cast(f as double) as f").collectAsList().stream()
                .mapToDouble(row -> row.getDouble(0))
                .sorted()
                .toArray();
    }

    private static double[] f(double[][] scores) {
        return IntStream.range(0, scores.length)
                .mapToDouble(i -> scores[i][1])
                .sorted()
                .toArray();
    }

    @Test
    void filesAreScoredInTheirFormats() {
        String csv = Fixture.csv("files.csv", 10, 200);
        double[] expected = f(Fixture.commandLine(Fixture.Table.RUN, csv));
        Fixture.read(csv, true, 1).write().parquet(at("rows.parquet"));
        assertThat(run(Fixture.Table.RUN, at("rows.parquet"), at("a"), "--one-file"))
                .isEqualTo(new Ended(0, "", ""));
        assertThat(f(SPARK.read().parquet(at("a")))).containsExactly(expected);
        assertThat(run(
                        Fixture.Table.RUN,
                        csv,
                        at("b"),
                        "--from",
                        "csv",
                        "--to",
                        "json",
                        "--drop",
                        "code",
                        "--prefix=k_"))
                .isEqualTo(new Ended(0, "", ""));
        Dataset<Row> json = SPARK.read().json(at("b"));
        assertThat(json.columns()).contains("k_f", "k_oddest").doesNotContain("code", "f");
        assertThat(f(json.withColumnRenamed("k_f", "f"))).containsExactly(expected);
        Ended again = run(Fixture.Table.RUN, csv, at("b"), "--format", "csv");
        assertThat(again.exit()).isEqualTo(REFUSED);
        assertThat(again.err())
                .startsWith("kelvin: ")
                .contains("already exists")
                .hasLineCount(1);
        assertThat(run(Fixture.Table.RUN, csv, at("b"), "--format", "csv", "--overwrite")
                        .exit())
                .isZero();
    }

    @Test
    void mistakesAreToldInASentence() throws IOException {
        String csv = Fixture.csv("mistakes.csv", 11, 20);
        Files.writeString(Path.of(csv), "oops,12,web,0\n", java.nio.file.StandardOpenOption.APPEND);
        assertThat(run(Fixture.Table.RUN, csv, at("out"), "--format", "csv"))
                .isEqualTo(new Ended(
                        REFUSED,
                        "kelvin: row 21 of partition 0, column 'amount' holds 'oops', which is no number",
                        ""));
        assertThat(run(Fixture.Table.RUN, csv, at("with"), "--format", "csv", "--bad-rows", "null"))
                .isEqualTo(new Ended(0, "", ""));
        Dataset<Row> scored = SPARK.read().option("header", true).csv(at("with"));
        assertThat(scored.where("problem is not null").collectAsList()).hasSize(1);
        assertThat(run("nowhere", csv, at("x"), "--format", "csv").err()).startsWith("kelvin: there is no run at ");
        assertThat(run(Fixture.Table.RUN, at("nothing"), at("x")).exit()).isEqualTo(REFUSED);
        assertThat(run(Fixture.Table.RUN, csv).exit()).isEqualTo(USAGE);
        assertThat(run(Fixture.Table.RUN, csv, at("x"), "--alarm", "2"))
                .isEqualTo(new Ended(USAGE, "kelvin: alarm must be a share between 0 and 1, found 2\nsee --help", ""));
        assertThat(run(Fixture.Table.RUN, csv, at("x"), "--stream").err()).contains("--stream needs --checkpoint DIR");
        assertThat(run("--help").out()).contains("spark-submit --class dev.kelvin.spark.Score");
    }

    /** A stream's rows have the scores of the same rows in a file, and each is scored once. */
    @Test
    void aStreamOfFilesIsScoredAsTheyCome() throws Exception {
        String first = Fixture.csv("first.csv", 12, 100);
        String second = Fixture.csv("second.csv", 13, 150);
        Path in = Files.createDirectory(folder.resolve("in"));
        Files.copy(Path.of(first), in.resolve("1.csv"));
        String[] words = {
            Fixture.Table.RUN,
            in.toString(),
            at("scored"),
            "--from",
            "csv",
            "--to",
            "parquet",
            "--stream",
            "--once",
            "--checkpoint",
            at("state")
        };
        assertThat(run(words)).isEqualTo(new Ended(0, "", ""));
        double[] one = f(Fixture.commandLine(Fixture.Table.RUN, first));
        assertThat(f(SPARK.read().parquet(at("scored")))).containsExactly(one);
        Files.copy(Path.of(second), in.resolve("2.csv"));
        assertThat(run(words)).isEqualTo(new Ended(0, "", ""));
        double[] two = f(Fixture.commandLine(Fixture.Table.RUN, second));
        double[] both = IntStream.range(0, one.length + two.length)
                .mapToDouble(i -> i < one.length ? one[i] : two[i - one.length])
                .sorted()
                .toArray();
        assertThat(f(SPARK.read().parquet(at("scored")))).containsExactly(both);
    }

    /** A streaming DataFrame is scored by the same call. */
    @Test
    void aStreamingDataFrameIsScored() throws Exception {
        String csv = Fixture.points("stream.csv", 14, 80);
        Path in = Files.createDirectory(folder.resolve("points"));
        Files.copy(Path.of(csv), in.resolve("1.csv"));
        Dataset<Row> stream = SPARK.readStream()
                .option("header", true)
                .schema("x double, y double")
                .csv(in.toString());
        StreamingQuery query = KelvinScores.of(Fixture.Points.RUN)
                .score(stream)
                .writeStream()
                .format("memory")
                .queryName("scored_points")
                .option("checkpointLocation", at("checkpoint"))
                .trigger(Trigger.AvailableNow())
                .start();
        query.awaitTermination();
        assertThat(f(SPARK.table("scored_points"))).containsExactly(f(Fixture.commandLine(Fixture.Points.RUN, csv)));
        assertThat(List.of(SPARK.table("scored_points").columns())).contains("log_p", "quantile", "alarm");
    }
}

package dev.kelvin.spark;

import dev.kelvin.metric.OodScore;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.BackendException;
import dev.kelvin.tensor.TensorException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spark-submit --class dev.kelvin.spark.Score kelvin-spark.jar RUN IN OUT}. */
@Command(
        name = "spark-submit --class dev.kelvin.spark.Score kelvin-spark.jar",
        mixinStandardHelpOptions = true,
        description = {
            "Scores the rows of IN with a run's model and writes them, with their scores, to OUT.",
            "New columns: f, log_p, quantile, alarm; of a table oddest; of a model with classes",
            "p_CLASS of each and class. The numbers are those of 'kelvin score' (see --one-file)."
        },
        footer = {
            "",
            "Examples, after spark-submit --class dev.kelvin.spark.Score kelvin-spark.jar:",
            "  /runs/table new.parquet scored.parquet --alarm 0.001",
            "  /runs/table new.csv scored --from csv --bad-rows null",
            "  /runs/photos pictures/ scored --from binaryFile --drop content",
            "  /runs/table incoming/ scored/ --stream --checkpoint state/",
            "Exit codes: 0 done, 2 usage, 3 run, data, files or cluster, 70 internal error."
        })
public final class Score {
    private static final int USAGE = 2;
    private static final int REFUSED = 3;
    private static final int DEFECT = 70; // sysexits' EX_SOFTWARE: Kelvin itself is at fault

    /** How Spark tells what an executor threw: its class, a colon, and the message to the end of the line. */
    private static final Pattern TOLD =
            Pattern.compile("dev\\.kelvin\\.\\S*(?:InvalidInput|Setting|Backend|Tensor)Exception: ([^\\n]+)");

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "RUN",
            description = "the run's folder, which every executor can read, or the name of an archive that was sent"
                    + " with --archives")
    private String run;

    @Parameters(index = "1", paramLabel = "IN", description = "a file or folder of rows, wherever Spark reads from")
    private String in;

    @Parameters(index = "2", paramLabel = "OUT", description = "a folder that is not there yet")
    private String out;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "of IN and OUT: parquet, csv, json, orc, ... (default: ${DEFAULT-VALUE}); CSV has a header")
    private String format = "parquet";

    @Option(names = "--from", paramLabel = "FORMAT", description = "of IN, such as binaryFile for pictures")
    private Optional<String> from = Optional.empty();

    @Option(names = "--to", paramLabel = "FORMAT", description = "of OUT (default: IN's; of pictures parquet)")
    private Optional<String> to = Optional.empty();

    @Option(
            names = "--columns",
            split = ",",
            paramLabel = "NAME",
            description = "the columns of a point's values, or the one of arrays or images")
    private List<String> columns = List.of();

    @Option(names = "--drop", split = ",", paramLabel = "NAME", description = "columns that are not written")
    private List<String> drop = List.of();

    @Option(names = "--prefix", paramLabel = "WORD", description = "what the new columns' names begin with")
    private String prefix = "";

    @Option(
            names = "--alarm",
            paramLabel = "RATE",
            description = "the share of held-out samples whose f is an alarm (default: ${DEFAULT-VALUE})")
    private double alarm = 0.01;

    @Option(
            names = "--closer",
            paramLabel = "QUANTILE",
            description = "up to which the model itself finds the oddest column (default: the alarms')")
    private double closer;

    @Option(
            names = "--score",
            paramLabel = "SCORE",
            description = "f, max-p or gradient; these two get a column in_distribution (default: f)")
    private String by = "f";

    @Option(names = "--white", paramLabel = "N", description = "white in raw pixels (default: ${DEFAULT-VALUE})")
    private int white = 255;

    @Option(names = "--resize", description = "crop pictures of another size to a square, and resize them")
    private boolean resize;

    @Option(
            names = "--bad-rows",
            paramLabel = "fail|null",
            description = "a row that cannot be scored ends the job, or stays without scores and with a column"
                    + " problem (default: fail)")
    private BadRows badRows = BadRows.FAIL;

    @Option(names = "--batch", paramLabel = "N", description = "rows that are read together")
    private int batch;

    @Option(
            names = "--one-file",
            description = "form the batches of one file with all rows: to the last bit the numbers of 'kelvin score',"
                    + " at the price of a shuffle")
    private boolean oneFile;

    @Option(
            names = "--order-by",
            paramLabel = "NAME",
            description =
                    "sort the rows by a column first, such as a row's number: Spark reads files in an order of its own")
    private Optional<String> order = Optional.empty();

    @Option(names = "--device", paramLabel = "NAME", description = "cpu or cuda (default: ${DEFAULT-VALUE})")
    private String device = "cpu";

    @Option(names = "--overwrite", description = "replace OUT")
    private boolean overwrite;

    @Option(names = "--stream", description = "score new files of the folder IN as they come, until stopped")
    private boolean stream;

    @Option(names = "--once", description = "with --stream: score what is new since the last time, and end")
    private boolean once;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            description = "with --stream: where Spark keeps what it has done")
    private Optional<String> checkpoint = Optional.empty();

    private Score() {}

    /** Runs to the end; with an exit code other than 0 where something is wrong. */
    public static void main(String[] arguments) {
        int exit = commandLine().execute(arguments);
        if (exit != 0) {
            System.exit(exit);
        }
    }

    static CommandLine commandLine() {
        Score score = new Score();
        CommandLine line = new CommandLine(score);
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(parsed -> {
                    Integer help = CommandLine.executeHelpRequest(parsed);
                    return help == null ? score.work() : help;
                })
                .setParameterExceptionHandler((exception, words) -> {
                    line.getErr().println("kelvin: " + exception.getMessage());
                    line.getErr().println("see --help");
                    return USAGE;
                });
    }

    private int work() {
        PrintWriter err = spec.commandLine().getErr();
        try {
            KelvinScores scores = scores();
            SparkSession session =
                    SparkSession.builder().appName("kelvin score").getOrCreate();
            if (stream) {
                follow(session, scores);
            } else {
                write(scores.score(rows(session)));
            }
            return 0;
        } catch (ParameterException e) {
            throw e;
        } catch (Exception e) { // Spark throws checked ones that it does not declare
            Optional<String> told = told(e);
            err.println(told.map(words -> "kelvin: " + words)
                    .orElseGet(() -> "kelvin: internal error; please report it: " + e));
            if (told.isEmpty()) {
                e.printStackTrace(err);
            }
            err.flush();
            return told.isPresent() ? REFUSED : DEFECT;
        }
    }

    private KelvinScores scores() {
        OodScore score = Arrays.stream(OodScore.values())
                .filter(each -> each.option().equals(by.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() ->
                        new ParameterException(spec.commandLine(), "--score takes f, max-p or gradient, found " + by));
        if (stream && checkpoint.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--stream needs --checkpoint DIR, where Spark keeps what it has done");
        }
        if (stream && (oneFile || order.isPresent())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--one-file and --order-by take all rows at once, which a stream does not have");
        }
        if (!stream && (once || checkpoint.isPresent())) {
            throw new ParameterException(spec.commandLine(), "--once and --checkpoint are for --stream");
        }
        try {
            return scores(score);
        } catch (InvalidInputException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private KelvinScores scores(OodScore score) {
        KelvinScores scores = KelvinScores.of(run)
                .by(score)
                .alarm(alarm)
                .closer(closer)
                .columns(columns.toArray(String[]::new))
                .white(white)
                .badRows(badRows)
                .prefix(prefix)
                .batch(batch)
                .device(device);
        scores = resize ? scores.resize() : scores;
        return oneFile ? scores.inOneFilesBatches() : scores;
    }

    private String inFormat() {
        return from.orElse(format);
    }

    private String outFormat() {
        return to.orElse(inFormat().equalsIgnoreCase("binaryFile") ? "parquet" : inFormat());
    }

    private Dataset<Row> rows(SparkSession session) {
        Dataset<Row> rows =
                session.read().format(inFormat()).option("header", true).load(in);
        return order.isPresent() ? rows.orderBy(order.get()) : rows;
    }

    private void write(Dataset<Row> scored) {
        scored.drop(drop.toArray(String[]::new))
                .write()
                .format(outFormat())
                .option("header", true)
                .mode(overwrite ? SaveMode.Overwrite : SaveMode.ErrorIfExists)
                .save(out);
    }

    /** The files that are there already say what a row is: a stream must know it before. */
    private void follow(SparkSession session, KelvinScores scores) throws Exception {
        Dataset<Row> rows = session.readStream()
                .format(inFormat())
                .option("header", true)
                .schema(rows(session).schema())
                .load(in);
        DataStreamWriter<Row> writer = scores.score(rows)
                .drop(drop.toArray(String[]::new))
                .writeStream()
                .format(outFormat())
                .option("header", true)
                .option("checkpointLocation", checkpoint.orElseThrow())
                .option("path", out);
        (once ? writer.trigger(Trigger.AvailableNow()) : writer).start().awaitTermination();
    }

    /** What a user can mend, in a sentence; nothing where Kelvin is at fault. */
    static Optional<String> told(Throwable thrown) {
        for (Throwable each : Stream.iterate(thrown, cause -> cause != null, Throwable::getCause)
                .toList()) {
            if (each instanceof InvalidInputException
                    || each instanceof BackendException
                    || each instanceof TensorException) {
                return Optional.of(String.valueOf(each.getMessage()));
            }
        }
        String message = String.valueOf(thrown.getMessage());
        Matcher told = TOLD.matcher(message);
        if (told.find()) {
            return Optional.of(told.group(1));
        }
        boolean sparks = thrown instanceof AnalysisException
                || thrown instanceof SparkException
                || thrown instanceof StreamingQueryException
                || thrown instanceof java.io.IOException;
        return sparks ? message.lines().findFirst() : Optional.empty();
    }
}

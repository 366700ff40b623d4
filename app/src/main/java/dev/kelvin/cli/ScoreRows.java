package dev.kelvin.cli;

import dev.kelvin.AtomicFile;
import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.Rows;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Recipe;
import dev.kelvin.metric.Score;
import dev.kelvin.recipe.RunException;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.run.Scoring;
import dev.kelvin.tensor.Device;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code kelvin score RUN DATA}. */
@Command(
        name = "score",
        description = {
            "Writes what a run's model says of every image or point of DATA, a line each:",
            "its number from 0 on, f(x), a score that is higher for what is more like the",
            "training data and, of a model with classes, the likeliest class and p(y|x) of",
            "each. f is f itself, whatever the temperature of the chains."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  kelvin score runs/digits-jem digits --out scores.csv",
            "  kelvin score runs/digits-jem pictures/ --format jsonl --score max-p | head",
            "  kelvin score runs/rings points.csv"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class ScoreRows extends RunCommand {
    private static final String STDOUT = "-";

    @Parameters(
            index = "1",
            paramLabel = "DATA",
            description =
                    "a set's name or its files, as in data.images.set; for a model of the plane, points in an .npy or"
                            + " .csv file")
    private String set;

    @Option(names = "--out", paramLabel = "FILE", description = "where to; - or nothing is stdout")
    private String out = STDOUT;

    @Option(names = "--format", paramLabel = "FORMAT", description = "csv or jsonl (default: by FILE's name, or csv)")
    private Optional<Scoring.Format> format = Optional.empty();

    @Option(
            names = "--score",
            paramLabel = "SCORE",
            converter = ByName.class,
            description =
                    "what tells the data from others, in the column in_distribution: f, max-p or gradient, which is"
                            + " −‖∇f(x)‖ (default: f)")
    private Score by = Score.F;

    @Option(
            names = "--part",
            paramLabel = "PART",
            description =
                    "train or test, of a set that comes in two parts, or of the run's own set: what it was trained on, or what"
                            + " was kept back (default: test of two parts, all of one)")
    private Optional<ImageFiles.Part> part = Optional.empty();

    private int exitCode = Main.OK;

    /** A score's name as figures and documents have it. */
    static final class ByName implements ITypeConverter<Score> {
        @Override
        public Score convert(String value) {
            return Arrays.stream(Score.values())
                    .filter(score -> score.option().equals(value))
                    .findFirst()
                    .orElseThrow(
                            () -> new TypeConversionException("expected f, max-p or gradient, found '" + value + "'"));
        }
    }

    /** The model is enough: its training data need not be there. */
    @Override
    Experiment open(RunFolder folder, Recipe recipe, Device device) {
        return Files.exists(folder.provenance())
                ? Experiment.remembered(
                        recipe, device, Provenance.read(folder.provenance()).facts())
                : super.open(folder, recipe, device);
    }

    @Override
    void work(RunFolder folder, Experiment experiment, Runner runner, Device device, long step) throws Exception {
        boolean toStdout = out.equals(STDOUT);
        if (toStdout && json) {
            throw new ParameterException(
                    spec.commandLine(), "--json prints one object to stdout, so that the scores need --out FILE");
        }
        Scoring scoring = new Scoring(experiment, by, format.orElse(usual()));
        StopSignal stop = StopSignal.install(spec.commandLine().getErr(), "stopping; no file is written");
        Progress progress = new Progress(spec.commandLine().getErr(), 0);
        long began = System.nanoTime();
        long[] done = {0};
        try (Rows rows = experiment.data().rows(set, part)) {
            AtomicFile.Content content = stream -> {
                done[0] = scoring.write(rows, stream, n -> progress.rows(n, rows.count()), stop::requested);
                if (stop.requested() && !toStdout) {
                    throw new StoppedException();
                }
            };
            if (toStdout) {
                if (!printed(content)) {
                    return;
                }
            } else {
                write(Path.of(out), content);
            }
        } catch (StoppedException e) {
            stopped(stop);
            return;
        } finally {
            progress.end();
        }
        if (stop.requested()) {
            stopped(stop);
            return;
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        if (toStdout) {
            spec.commandLine()
                    .getErr()
                    .println(done[0] + " rows in " + Progress.duration(seconds) + ", " + Math.round(done[0] / seconds)
                            + "/s");
        } else {
            Output.print(spec.commandLine().getOut(), json, results(scoring, done[0], seconds, step));
        }
    }

    private void stopped(StopSignal stop) {
        exitCode = stop.exitCode();
        if (json) {
            Output.print(spec.commandLine().getOut(), true, Map.of("ended", "stopped"));
        }
    }

    /** To stdout; false where whoever reads it had enough, as head has. */
    private boolean printed(AtomicFile.Content content) throws IOException {
        try (OutputStream stream = new FileOutputStream(FileDescriptor.out)) {
            content.writeTo(stream);
            return true;
        } catch (IOException e) {
            if (!"Broken pipe".equals(e.getMessage())) {
                throw e;
            }
            return false;
        }
    }

    private Scoring.Format usual() {
        return out.endsWith(".jsonl") ? Scoring.Format.JSONL : Scoring.Format.CSV;
    }

    private static void write(Path file, AtomicFile.Content content) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new RunException(file + " is a folder; --out names a file");
        }
        if (parent != null) {
            Files.createDirectories(parent);
        }
        AtomicFile.write(file, content);
    }

    private Map<String, Object> results(Scoring scoring, long rows, double seconds, long step) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("rows", rows);
        results.put("seconds", seconds);
        results.put("rows_per_second", rows / seconds);
        results.put("checkpoint", step);
        results.put("in_distribution", by.words() + ": higher is more like the training data");
        if (json) {
            results.put("classes", List.copyOf(scoring.classes()));
        }
        results.put("file", out);
        return results;
    }

    @Override
    int exitCode() {
        return exitCode;
    }

    /** A signal came before the end. */
    private static final class StoppedException extends IOException {
        private static final long serialVersionUID = 1;
    }
}

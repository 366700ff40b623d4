package dev.kelvin.cli;

import dev.kelvin.cli.option.Choice;
import dev.kelvin.cli.option.Writing;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Output;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.cli.terminal.StopSignal;
import dev.kelvin.data.format.InputFile;
import dev.kelvin.data.format.Rows;
import dev.kelvin.dataset.ImageSets;
import dev.kelvin.dataset.ImageSettings;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.metric.OodScore;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.SampleKind;
import dev.kelvin.part.Words;
import dev.kelvin.run.LabelledScores;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.ScoreWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kelvin score RUN DATA}. */
@Command(
        name = "score",
        description = {
            "Writes what a run's model says of every row, image or point of DATA, a line each.",
            "A line has its number from 0 on; f(x), which is f itself, whatever the temperature of the",
            "chains; log p(x) where it is known; the quantile of f among held-out samples; 1 where",
            "that is an alarm; the column that makes a row of a table odd; and, of a model with",
            "classes, p(y|x) of each and the likeliest.",
            "Rows of a table that cannot be read are named and skipped, and the exit code is 3."
        },
        footer = {
            "",
            "Examples:",
            "  kelvin score runs/table new.csv --out scores.csv --alarm 0.001",
            "  zcat new.csv.gz | kelvin score runs/table - --out scores.csv",
            "  kelvin score runs/digits-jem digits --out scores.csv",
            "  kelvin score runs/digits-jem pictures/ --format jsonl --score max-p | head",
            "  kelvin score runs/rings points.csv"
        })
final class ScoreCommand extends ModelCommand implements Writing {
    private static final String STDOUT = "-";
    private static final long SMALL = 10_000_000; // bytes
    private static final double ODD = 0.1;

    @Parameters(
            index = "1",
            paramLabel = "DATA",
            description =
                    "for a model of a table, another one with the same columns, of which - is stdin; for images, a set's name or its files, as"
                            + " in data.images.set; for a model of the plane, points in an .npy or .csv file, or -")
    private String set;

    @Option(names = "--out", paramLabel = "FILE", description = "where to; - or nothing is stdout")
    private String out = STDOUT;

    @Option(names = "--format", paramLabel = "FORMAT", description = "csv, jsonl or npy (default: by FILE's name)")
    private Optional<ScoreWriter.Format> format = Optional.empty();

    @Option(
            names = "--score",
            paramLabel = "SCORE",
            converter = ByName.class,
            description = "f, max-p or gradient (−‖∇f(x)‖); these two get a column in_distribution (default: f)")
    private OodScore by = OodScore.F;

    @Option(
            names = "--alarm",
            paramLabel = "RATE",
            description =
                    "the share of held-out samples whose f is so low as to be an alarm (default: ${DEFAULT-VALUE})")
    private double alarm = 0.01;

    static final class ByName extends Choice<OodScore> {
        ByName() {
            super(List.of(OodScore.values()), OodScore::option);
        }
    }

    @Override
    public List<Path> written() {
        return out.equals(STDOUT) ? List.of() : List.of(Path.of(out));
    }

    @Override
    void work(RunFolder folder, Model model, Progress progress) throws Exception {
        boolean toStdout = out.equals(STDOUT);
        if (toStdout && json) {
            throw usage("--json prints one object to stdout, so that the scores need --out FILE");
        }
        if (!(alarm > 0 && alarm < 1)) {
            throw usage("--alarm takes a share between 0 and 1, found " + alarm);
        }
        warn(folder, model);
        ScoreWriter scoring =
                new ScoreWriter(model, new ScoreWriter.Settings(by, format.orElse(usual()), alarm, closer()));
        StopSignal stop = StopSignal.install(err(), "stopping; no file is written");
        if (InputFile.isStream(Path.of(set))) {
            stop.endAtOnce(this::leaveNothing);
        }
        progress.doing("scoring " + InputFile.named(Path.of(set)));
        long began = System.nanoTime();
        ScoreWriter.Written[] done = {ScoreWriter.Written.NOTHING};
        Rows.Problems problems;
        try (Rows rows = rows(folder, model)) {
            AtomicFile.Content content = stream -> {
                done[0] =
                        scoring.write(rows, stream, n -> progress.rows(n, rows.count(), rows.share()), stop::requested);
                if (stop.requested() && !toStdout) {
                    throw new InterruptedIOException();
                }
            };
            if (!toStdout) {
                write(Path.of(out), content);
            } else if (!printed(content)) {
                return;
            }
            problems = rows.problems();
        } catch (InterruptedIOException e) {
            stopped(stop);
            return;
        } finally {
            progress.close();
        }
        if (stop.requested()) {
            stopped(stop);
            return;
        }
        tell(problems);
        double seconds = (System.nanoTime() - began) / 1e9;
        print(results(model, scoring, done[0], problems, seconds), done[0], seconds);
    }

    /** Prints the results; beside scores on stdout, those that matter to people go to stderr. */
    private void print(Map<String, Object> results, ScoreWriter.Written written, double seconds) {
        if (out.equals(STDOUT)) {
            PrintWriter err = err();
            err.println(written.rows() + " rows in " + Progress.duration(seconds) + ", "
                    + Math.round(written.rows() / seconds) + "/s");
            results.keySet().retainAll(List.of("alarms", "auroc", "aupr", "thresholds"));
            Output.print(err, false, results);
        } else {
            print(results);
        }
    }

    /** Whoever waits for a stream, of which nothing may come, looks at no signal. */
    private void leaveNothing() {
        PrintWriter err = err();
        try {
            AtomicFile.removeTemporaries(Path.of(out));
            err.println("kelvin: stopped; no file was written");
        } catch (IOException e) {
            err.println("kelvin: stopped; can't remove " + e.getMessage());
        }
        err.flush();
    }

    /** The share of rows whose odd columns are looked for: more than the alarms where the file is small. */
    private double closer() throws IOException {
        Path file = Path.of(set);
        return Files.isRegularFile(file) && Files.size(file) <= SMALL ? Math.max(alarm, ODD) : alarm;
    }

    /** The samples to score: a set of images may be named as in recipes. */
    private Rows rows(RunFolder folder, Model model) throws IOException {
        if (model.range().isPresent()) {
            ImageSettings images =
                    (ImageSettings) dataOption.applied(folder.recipe(List.of())).data();
            return model.seen(set, ImageSets.rows(images, model.shape().get(0).intValue(), set));
        }
        return model.open(Path.of(set));
    }

    /** Says what scores lack, if they are compared with nothing, or with too few samples for an alarm. */
    private void warn(RunFolder folder, Model model) throws IOException {
        PrintWriter err = err();
        Optional<HeldOutReference> reference = model.card().reference();
        if (reference.isEmpty()) {
            Optional<HeldOutReference> known = ModelCard.read(folder.path()).reference();
            err.println("warning: "
                    + (known.isEmpty()
                            ? "the run has not been judged"
                            : "the run was judged at step " + known.get().step() + ", and step " + model.step()
                                    + " scores")
                    + ", so that log_p, quantile and alarm are left empty; judge it by: "
                    + Words.command("evaluate", folder.path()));
            return;
        }
        int heldOut = reference.get().heldOut().length;
        if (1.0 / (heldOut + 1) > alarm) {
            err.println("warning: " + heldOut + " held-out samples cannot resolve a false-alarm rate of "
                    + Words.number(alarm) + ", so that there is no alarm; the least that they can is "
                    + Words.number(1.0 / (heldOut + 1)));
        }
    }

    /** Rows that could not be read: the exit code says that there were some. */
    private void tell(Rows.Problems problems) {
        if (problems.count() == 0) {
            return;
        }
        problems.first().forEach(problem -> err().println("skipped: " + problem));
        if (problems.count() > problems.first().size()) {
            err().println("skipped: " + (problems.count() - problems.first().size()) + " more");
        }
        exitCode = ExitCode.RECIPE;
    }

    private void stopped(StopSignal stop) {
        exitCode = stop.exitCode();
        printStopped();
    }

    /** Writes to stdout; returns false where the reader, such as head, closed the pipe. */
    private boolean printed(AtomicFile.Content content) throws IOException {
        try (OutputStream stream = new FileOutputStream(FileDescriptor.out)) {
            content.writeTo(stream);
            return true;
        } catch (IOException e) {
            if ("Broken pipe".equals(e.getMessage())) {
                return false;
            }
            throw e;
        }
    }

    private ScoreWriter.Format usual() {
        return out.endsWith(".jsonl")
                ? ScoreWriter.Format.JSONL
                : out.endsWith(".npy") ? ScoreWriter.Format.NPY : ScoreWriter.Format.CSV;
    }

    private static void write(Path file, AtomicFile.Content content) throws IOException {
        Writing.makeFolderOf(file);
        AtomicFile.write(file, content);
    }

    private Map<String, Object> results(
            Model model, ScoreWriter scoring, ScoreWriter.Written written, Rows.Problems problems, double seconds) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("rows", written.rows());
        if (problems.count() > 0) {
            results.put("skipped", problems.count());
        }
        results.put("alarms", written.alarms());
        results.put("alarm_rate", alarm);
        addSeparation(model, written.labelled(), results);
        results.put("seconds", seconds);
        results.put("rows_per_second", written.rows() / seconds);
        results.put("checkpoint", model.step());
        if (by != OodScore.F) {
            results.put("in_distribution", by.words() + ": higher is more like the training data");
        }
        if (json) {
            results.put("classes", List.copyOf(scoring.classes()));
            results.put("problems", problems.first());
        }
        results.put("file", out);
        return results;
    }

    /** How well f separates the labels, if samples have any. */
    private void addSeparation(Model model, LabelledScores labelled, Map<String, Object> results) {
        Optional<String> normal =
                model.card().samples().rows().flatMap(SampleKind.Rows::normal).or(labelled::mostFrequent);
        if (normal.isEmpty() || !labelled.separates(normal.get())) {
            return;
        }
        LabelledScores.Separation separation = labelled.separation(normal.get());
        results.put("normal", normal.get());
        results.put("auroc", separation.figures().auroc());
        results.put("aupr", separation.figures().auprOut());
        List<Map<String, Double>> thresholds = separation.thresholds();
        results.put(
                "thresholds",
                json
                        ? thresholds
                        : thresholds.stream()
                                .map(each -> Words.say(
                                        "f <= %.4g: %.2g of the usual, %.3g of the others found, precision %.3g",
                                        each.values().toArray()))
                                .collect(Collectors.joining("; ")));
    }
}

package dev.kelvin.cli;

import dev.kelvin.experiment.WorkListener;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Tells people how training and judging go: on a terminal one line that renews itself, elsewhere a line now and then. */
final class Progress implements TrainListener, WorkListener {
    private static final long TERMINAL_NANOS = 200_000_000L;
    private static final long PLAIN_NANOS = 10_000_000_000L;

    /** Numbers that are for the metrics' file and curves only. */
    private static final Set<String> SILENT =
            Set.of(StepReport.POSITIVE, StepReport.NEGATIVE, StepReport.LEARNING_RATE, StepReport.GRADIENT_NORM);

    private final PrintWriter err;
    private final long iterations;
    private final int columns;
    private long firstStep;
    private long began = System.nanoTime();
    private long shown = began;
    private OptionalDouble score = OptionalDouble.empty();
    private String scoredBy = "score";
    private int width;

    /** On this process's terminal, if it has one. */
    Progress(PrintWriter err, long iterations) {
        this(err, iterations, Integer.getInteger("kelvin.columns", 0));
    }

    /** On a terminal of so many columns; 0 where there is none. */
    Progress(PrintWriter err, long iterations, int columns) {
        this.err = err;
        this.iterations = iterations;
        this.columns = columns;
    }

    @Override
    public void startedAt(long step) {
        firstStep = step;
        began = System.nanoTime();
        shown = began;
        if (step > 0 && step < iterations) {
            line("resuming from step " + step);
        }
    }

    @Override
    public void stepped(long step, StepReport report) {
        boolean last = step == iterations;
        if (last || due()) {
            shown = System.nanoTime();
            show(text(step, report, (shown - began) / 1e9), last);
        }
    }

    @Override
    public void at(String work, long done, long of) {
        if (due()) {
            shown = System.nanoTime();
            show(work + ": " + done + " of " + of, false);
        }
    }

    /** How far the reading of rows is, and how fast. */
    void rows(long done, OptionalLong of, OptionalDouble share) {
        if (due()) {
            shown = System.nanoTime();
            show(
                    String.format(
                            Locale.ROOT,
                            "%s%d%s rows  %.0f/s",
                            share.isPresent() ? String.format(Locale.ROOT, "%3.0f%%  ", 100 * share.getAsDouble()) : "",
                            done,
                            of.isPresent() ? " of " + of.getAsLong() : "",
                            done / Math.max((shown - began) / 1e9, 1e-9)),
                    false);
        }
    }

    private boolean due() {
        return System.nanoTime() - shown >= (columns > 0 ? TERMINAL_NANOS : PLAIN_NANOS);
    }

    /** What checkpoints' scores are called. */
    void scoredBy(String name) {
        scoredBy = name;
    }

    @Override
    public void scored(long step, OptionalDouble value) {
        score = value;
    }

    @Override
    public void wentBack(long brokenStep, long toStep, String why, int attempt, int attempts) {
        line("step " + brokenStep + ": " + why + ". Went back to checkpoint " + toStep + " with a new key (" + attempt
                + " of " + attempts + " tries)");
    }

    private String text(long step, StepReport report, double seconds) {
        double rate = (step - firstStep) / Math.max(seconds, 1e-9);
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%3d%%  step %d/%d  %.0f/s  %s left",
                100 * step / iterations,
                step,
                iterations,
                rate,
                duration((iterations - step) / Math.max(rate, 1e-9))));
        for (Map.Entry<String, Double> value : report.values().entrySet()) {
            if (!SILENT.contains(value.getKey())) {
                String name = value.getKey().equals(StepReport.GAP) ? "f₊−f₋" : value.getKey();
                text.append(String.format(Locale.ROOT, "  %s %.4g", name, value.getValue()));
            }
        }
        score.ifPresent(value -> text.append(String.format(Locale.ROOT, "  %s %.3g", scoredBy, value)));
        return text.toString();
    }

    private void show(String text, boolean last) {
        if (columns > 0) {
            text = text.substring(0, Math.min(text.length(), columns - 1)); // a line that wraps can't be renewed
            err.print("\r" + text + " ".repeat(Math.max(0, width - text.length())) + (last ? "\n" : ""));
            width = last ? 0 : text.length();
        } else {
            err.println(text);
        }
        err.flush();
    }

    /** A line of its own, after the one that renews itself. */
    void line(String text) {
        end();
        err.println(text);
        err.flush();
    }

    /** Ends the line that renews itself. */
    void end() {
        if (width > 0) {
            err.println();
            width = 0;
            err.flush();
        }
    }

    static String duration(double seconds) {
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d h", whole / 3600, whole % 3600 / 60);
    }
}

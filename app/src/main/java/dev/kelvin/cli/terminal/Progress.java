package dev.kelvin.cli.terminal;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.part.Words;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import java.io.PrintWriter;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.LongSupplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Tells people how work goes: on a terminal one line that renews itself, elsewhere a line now and then. Where nothing has
 * been said for two seconds, it says by itself what is being done and for how long.
 */
public final class Progress implements TrainListener, WorkListener, AutoCloseable {
    private static final long TERMINAL_NANOS = 200_000_000L;
    private static final long PLAIN_NANOS = 10_000_000_000L;
    private static final long SILENCE_NANOS = 2_000_000_000L;
    private static final long TICK_MILLIS = 500;
    private static final String TRAINING = "training";

    /** Numbers that are for the metrics' file and curves only. */
    private static final Set<String> SILENT =
            Set.of(StepReport.POSITIVE, StepReport.NEGATIVE, StepReport.LEARNING_RATE, StepReport.GRADIENT_NORM);

    /** How much is shown. */
    public enum Detail {
        /** Results, warnings and errors only. */
        QUIET,
        /** How far the work is. */
        USUAL,
        /** Each checkpoint, every figure and stack traces too. */
        VERBOSE;

        /** What was asked for before the verb or after it. */
        public static Detail of(CommandSpec spec) {
            return isOn(spec, "--quiet") ? QUIET : isOn(spec, "--verbose") ? VERBOSE : USUAL;
        }

        private static boolean isOn(CommandSpec spec, String option) {
            return Boolean.TRUE.equals(spec.root().findOption(option).getValue());
        }
    }

    private final PrintWriter err;
    private final Detail detail;
    private final int columns;
    private final LongSupplier nanos;
    private final Timer ticks = new Timer("progress", true);
    private long iterations;
    private long firstStep;
    private long began;
    private long shown;
    private String work = "";
    private long workBegan;
    private String kindOfWork = "";
    private boolean mentioned; // whether this kind of work was shown
    private boolean ticking; // whether the line that renews itself tells of the time only
    private OptionalDouble score = OptionalDouble.empty();
    private String scoredBy = "score";
    private int width;
    private boolean kept; // whether the line that renews itself stays when it ends

    /** Progress of a command, in the detail that its options ask for, on this process's terminal if it has one. */
    public static Progress of(CommandSpec spec) {
        Progress progress = new Progress(
                spec.commandLine().getErr(),
                Detail.of(spec),
                Integer.getInteger("kelvin.columns", 0),
                System::nanoTime);
        progress.ticks.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        progress.tick();
                    }
                },
                TICK_MILLIS,
                TICK_MILLIS);
        return progress;
    }

    /** Of a command that says nothing, beside another that does. */
    public static Progress silent(CommandSpec spec) {
        return new Progress(spec.commandLine().getErr(), Detail.QUIET, 0, System::nanoTime);
    }

    /** Progress on a terminal of this width, 0 where there is none, by this clock; whoever makes it calls {@link #tick}. */
    Progress(PrintWriter err, Detail detail, int columns, LongSupplier nanos) {
        this.err = err;
        this.detail = detail;
        this.columns = columns;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.shown = began;
        this.workBegan = began;
    }

    // ---- what is being done

    /** What is done from now on, such as "judging the model". */
    public synchronized void doing(String what) {
        doing(what, what);
        workBegan = nanos.getAsLong();
    }

    /** Work of the same kind goes on: its duration counts from where the kind began. */
    private void doing(String kind, String words) {
        if (!kind.equals(kindOfWork)) {
            kindOfWork = kind;
            workBegan = nanos.getAsLong();
            mentioned = false;
        }
        work = words;
    }

    /** Breaks the silence. */
    synchronized void tick() {
        long now = nanos.getAsLong();
        boolean renewing = columns > 0 && ticking;
        long silence = columns > 0 || !mentioned ? SILENCE_NANOS : PLAIN_NANOS;
        if (!work.isEmpty() && (renewing || now - Math.max(shown, workBegan) >= silence)) {
            show(work + " (" + duration((now - workBegan) / 1e9) + ")", false);
            ticking = true;
        }
    }

    @Override
    public synchronized void at(String what, long done, long of) {
        doing(what, what + ": " + done + " of " + of);
        if (due()) {
            show(work, false);
        }
    }

    /** How far the reading of rows is, and how fast. */
    public synchronized void rows(long done, OptionalLong of, OptionalDouble share) {
        doing("rows", done + (of.isPresent() ? " of " + of.getAsLong() : "") + " rows");
        if (due()) {
            String percent = share.isPresent() ? Words.say("%3.0f%%  ", 100 * share.getAsDouble()) : "";
            double rate = done / Math.max((nanos.getAsLong() - began) / 1e9, 1e-9);
            show(Words.say("%s%s  %.0f/s", percent, work, rate), false);
        }
    }

    private boolean due() {
        long silence = columns > 0 ? TERMINAL_NANOS : mentioned ? PLAIN_NANOS : SILENCE_NANOS;
        return nanos.getAsLong() - shown >= silence;
    }

    // ---- training

    /**
     * Training is going to begin.
     *
     * @param steps how many there are in all
     * @param scoresName what checkpoints are scored by
     */
    public synchronized void training(long steps, String scoresName) {
        iterations = steps;
        scoredBy = scoresName;
    }

    @Override
    public synchronized void startedAt(long step) {
        firstStep = step;
        began = nanos.getAsLong();
        shown = began;
        if (step > 0 && step < iterations) {
            tell("resuming from step " + step);
        }
        doing(TRAINING);
    }

    @Override
    public synchronized void stepped(long step, StepReport report) {
        boolean last = step == iterations;
        doing(TRAINING, "step " + (step + 1) + " of " + iterations);
        workBegan = nanos.getAsLong();
        if (last || due()) {
            show(text(step, report, (workBegan - began) / 1e9), true);
            if (last) {
                end();
            }
        }
    }

    @Override
    public synchronized void scored(long step, OptionalDouble value) {
        score = value;
        if (detail == Detail.VERBOSE) {
            line("step " + step + ": "
                    + (value.isPresent()
                            ? Words.say("%s %.4g", scoredBy, value.getAsDouble())
                            : "saving a checkpoint"));
        }
    }

    @Override
    public void wentBack(long brokenStep, long toStep, String why, int attempt, int attempts) {
        line("step " + brokenStep + ": " + why + ". Went back to checkpoint " + toStep + " with a new key (" + attempt
                + " of " + attempts + " tries)");
    }

    private String text(long step, StepReport report, double seconds) {
        double rate = (step - firstStep) / Math.max(seconds, 1e-9);
        StringBuilder text = new StringBuilder(Words.say(
                rate < 10 ? "%3d%%  step %d/%d  %.2g/s  %s left" : "%3d%%  step %d/%d  %.0f/s  %s left",
                100 * step / iterations,
                step,
                iterations,
                rate,
                duration((iterations - step) / Math.max(rate, 1e-9))));
        for (Map.Entry<String, Double> value : report.values().entrySet()) {
            if (!SILENT.contains(value.getKey())) {
                String name = value.getKey().equals(StepReport.GAP) ? "f₊−f₋" : value.getKey();
                text.append(Words.say("  %s %.4g", name, value.getValue()));
            }
        }
        score.ifPresent(value -> text.append(Words.say("  %s %.3g", scoredBy, value)));
        return text.toString();
    }

    // ---- lines

    private void show(String text, boolean keep) {
        if (detail == Detail.QUIET) {
            return;
        }
        if (columns > 0) {
            String fitting = text.substring(0, Math.min(text.length(), columns - 1)); // one that wraps can't be renewed
            err.print("\r" + fitting + " ".repeat(Math.max(0, width - fitting.length())));
            width = fitting.length();
            kept = keep;
        } else {
            err.println(text);
        }
        err.flush();
        shown = nanos.getAsLong();
        mentioned = true;
        ticking = false;
    }

    /** Prints a line, unless it is to be quiet. */
    public synchronized void tell(String text) {
        if (detail != Detail.QUIET) {
            line(text);
        }
    }

    /** Prints a line in any case. */
    public synchronized void line(String text) {
        end();
        err.println(text);
        err.flush();
        shown = nanos.getAsLong();
    }

    /** Ends the line that renews itself: a step's stays, a line on other work is wiped out. */
    public synchronized void end() {
        if (width > 0) {
            err.print(kept ? System.lineSeparator() : "\r" + " ".repeat(width) + "\r");
            width = 0;
            err.flush();
        }
    }

    /** Nothing is being done any more. */
    @Override
    public synchronized void close() {
        work = "";
        ticks.cancel();
        end();
    }

    /** A duration for people, such as 42 s or 3:05 min. */
    public static String duration(double seconds) {
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? Words.say("%d:%02d min", whole / 60, whole % 60)
                : Words.say("%d:%02d h", whole / 3600, whole % 3600 / 60);
    }
}

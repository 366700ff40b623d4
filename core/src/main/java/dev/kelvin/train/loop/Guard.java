package dev.kelvin.train.loop;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.train.StepReport;
import java.util.Locale;
import java.util.Optional;

/**
 * Watches the numbers. A step is bad when one of them is NaN or infinite, or when |f₊ − f₋| lies beyond the bound; one of
 * the first kind, or {@code patience} of the second in a row, break the run.
 */
public final class Guard {
    /** The bound on |f₊ − f₋|, how many steps it may be passed in a row, and how often a broken run may go back. */
    @Doc("divergence detection: a run that diverges goes back to its last good checkpoint")
    public record Settings(
            @Doc("the largest |f(positives) − f(negatives)|") @Default("1000")
            double bound,

            @Doc("consecutive iterations beyond it that count as divergence") @Default("50")
            int patience,

            @Doc("the number of times that a run may go back before it stops") @Default("3")
            int retries) {
        public Settings {
            Check.all(
                    () -> Check.positive("bound", bound),
                    () -> Check.atLeast("patience", patience, 1),
                    () -> Check.atLeast("retries", retries, 0));
        }
    }

    /** Below this share of accepted proposals chains hardly move any more. */
    private static final double HARDLY_ANY = 0.1;

    private final Settings settings;
    private int beyond;
    private long refusing = -1; // the first step of those in a row at which hardly any proposal was accepted
    private double accepted;

    /** With no bad step yet. */
    public Guard(Settings settings) {
        this.settings = settings;
    }

    /** Why the run is broken at this step, if it is; at the last step there is no patience left. */
    public Optional<String> check(long step, StepReport report, boolean last) {
        watchAcceptance(step, report);
        return broken(report, last).map(why -> why + refused());
    }

    /** A rate that is no number, as at the step that breaks, is ignored. */
    private void watchAcceptance(long step, StepReport report) {
        double rate = report.values().getOrDefault(StepReport.ACCEPTANCE, Double.NaN);
        if (rate >= HARDLY_ANY) {
            refusing = -1;
        } else if (rate >= 0) {
            refusing = refusing < 0 ? step : refusing;
            accepted = rate;
        }
    }

    private String refused() {
        return refusing < 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; acceptance had fallen below %.0f %% at step %d (%.2g %% at the last): the chains stood still",
                        100 * HARDLY_ANY,
                        refusing,
                        100 * accepted);
    }

    private Optional<String> broken(StepReport report, boolean last) {
        for (var value : report.values().entrySet()) {
            if (!Double.isFinite(value.getValue())) {
                return Optional.of(value.getKey() + " is " + (value.getValue().isNaN() ? "NaN" : "infinite"));
            }
        }
        beyond = Math.abs(report.gap()) > settings.bound ? beyond + 1 : 0;
        return beyond < (last ? 1 : settings.patience)
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "f of the positives minus f of the negatives is %.4g, beyond %.4g for %d steps",
                        report.gap(),
                        settings.bound,
                        beyond));
    }

    /** Whether the last step was good: only such a state may be saved. */
    public boolean calm() {
        return beyond == 0;
    }

    /** Forgets the bad steps, after going back. */
    public void reset() {
        beyond = 0;
        refusing = -1;
    }
}

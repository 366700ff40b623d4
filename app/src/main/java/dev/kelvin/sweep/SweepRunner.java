package dev.kelvin.sweep;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.run.Jobs;
import dev.kelvin.run.UnattendedRun;
import dev.kelvin.run.UnattendedRun.Outcome;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.TensorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Trains runs of a sweep, those that are over left out. One that diverges or fails stops no other.
 *
 * @param told a sentence at a time
 */
public record SweepRunner(Device device, Jobs jobs, UnattendedRun.Finishing finishing, Consumer<String> told) {
    /** Does all of these runs, or as many as there is time for before a stop. */
    public void train(List<SweepRun> runs) throws IOException {
        List<Jobs.Piece<Boolean>> pieces = new ArrayList<>();
        runs.forEach(run -> pieces.add(() -> train(run)));
        try {
            jobs.all(pieces);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it is over. */
    private boolean train(SweepRun run) throws IOException {
        try {
            Outcome outcome = new UnattendedRun(run.path(), run.recipe(), device, jobs, told, finishing).outcome();
            if (outcome instanceof Outcome.Unjudged unjudged) {
                return failed(run, "it can't be evaluated again: " + unjudged.why());
            }
            Files.deleteIfExists(run.failure());
            say(run, words(outcome));
            return outcome instanceof Outcome.Finished || outcome instanceof Outcome.Diverged;
        } catch (InvalidInputException | TensorException e) { // its settings or its data; a full disk stops all
            return failed(run, String.valueOf(e.getMessage()));
        }
    }

    private static String words(Outcome outcome) {
        if (outcome instanceof Outcome.Finished finished) {
            return finished.work();
        }
        if (outcome instanceof Outcome.Diverged diverged) {
            return diverged.work();
        }
        return outcome instanceof Outcome.Elsewhere ? "left to another process, which trains it" : "";
    }

    private boolean failed(SweepRun run, String why) throws IOException {
        Path file = run.failure();
        Files.createDirectories(file.resolveSibling("."));
        AtomicFile.write(file, why + "\n");
        say(run, "failed: " + why);
        return false;
    }

    private void say(SweepRun run, String what) {
        if (!what.isEmpty()) {
            told.accept(run.name() + ": " + what);
        }
    }
}

package dev.kelvin.run;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.train.loop.DivergedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ranks of a run that are threads of this process, beside the first, which is its caller's: each with its own experiment. */
public final class ThreadTeam implements AutoCloseable {
    private final List<Experiment> experiments;
    private final List<Thread> threads = new ArrayList<>();
    private Optional<Throwable> failure = Optional.empty();

    /** Takes over the experiments and closes them with itself. */
    public ThreadTeam(List<Experiment> experiments) {
        this.experiments = List.copyOf(experiments);
    }

    /** Begins to train. */
    public void start() {
        for (Experiment each : experiments) {
            Thread thread =
                    new Thread(() -> train(each), "kelvin-rank-" + each.ranks().rank());
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void train(Experiment experiment) {
        try {
            Runner.requireSame(experiment);
            Runner.follow(experiment, () -> false);
        } catch (DivergedException e) {
            // which the first rank tells
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
        } finally {
            experiment.ranks().close();
        }
    }

    private synchronized void failed(Throwable thrown) {
        failure = failure.or(() -> Optional.of(thrown));
    }

    /** Why a rank ended before the others, if one did. */
    public synchronized Optional<Throwable> failure() {
        return failure;
    }

    /** Waits for all, which end when the first rank leaves them. */
    @Override
    public void close() {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        experiments.forEach(Experiment::close);
    }
}

package dev.kelvin.cli.ranks;

import dev.kelvin.cli.option.RanksOption;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.StopSignal;
import dev.kelvin.distributed.LostRankException;
import dev.kelvin.distributed.ProcessRanks;
import dev.kelvin.distributed.Ranks;
import dev.kelvin.distributed.ThreadRanks;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.Runner;
import dev.kelvin.run.ThreadTeam;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rank that this process is of a run, with the threads or processes that it starts as the others. */
public final class RankTeam implements AutoCloseable {
    private final List<Ranks> threads; // those of this process; the first is its own
    private final Optional<LocalProcesses> processes;
    private Optional<ThreadTeam> others = Optional.empty();

    private RankTeam(List<Ranks> threads, Optional<LocalProcesses> processes) {
        this.threads = threads;
        this.processes = processes;
    }

    /** Meets the other processes, or starts them with this one's main class and words. */
    public static RankTeam of(RanksOption asked, Class<?> main, List<String> words) throws IOException {
        int count = asked.count();
        if (count == 1) {
            return new RankTeam(List.of(Ranks.ALONE), Optional.empty());
        }
        if (asked.starts()) {
            LocalProcesses started = new LocalProcesses(main, words, count, asked.timeout());
            return new RankTeam(List.of(started.first()), Optional.of(started));
        }
        return new RankTeam(
                asked.rank().isPresent()
                        ? List.of(ProcessRanks.join(
                                asked.rendezvous(), asked.rank().getAsInt(), count))
                        : ThreadRanks.of(count),
                Optional.empty());
    }

    /** This thread's own. */
    public Ranks own() {
        return threads.get(0);
    }

    /** Starts the other threads, each with an experiment of its own, and makes sure that all ranks train the same. */
    public void start(Experiment own, List<Device> devices) throws IOException {
        if (own().size() == 1) {
            return;
        }
        Recipe recipe = own.recipe();
        List<Experiment> experiments = new ArrayList<>();
        try {
            for (int i = 1; i < threads.size(); i++) {
                Device device = devices.get(i);
                experiments.add(new Experiment(recipe, device, Experiment.open(recipe, device), threads.get(i)));
            }
        } catch (RuntimeException | Error e) {
            experiments.forEach(Experiment::close);
            throw e;
        }
        ThreadTeam team = new ThreadTeam(experiments);
        others = Optional.of(team);
        team.start();
        Runner.requireSame(own);
    }

    /** Trains as a rank that is not the first, which does everything else; returns the exit code. */
    public static int follow(Experiment experiment) throws IOException {
        StopSignal stop = StopSignal.install(new PrintWriter(Writer.nullWriter()), "");
        try {
            Runner.requireSame(experiment);
            return Runner.follow(experiment, stop::requested) == Trainer.Outcome.FINISHED
                    ? ExitCode.OK
                    : ExitCode.INTERRUPTED;
        } catch (DivergedException e) {
            return ExitCode.DIVERGED;
        } catch (LostRankException e) {
            throw new UserException("rank " + experiment.ranks().rank() + " ends: " + e.getMessage());
        }
    }

    /** What to tell where another rank was lost: the failure of its thread, or how to go on. */
    public Exception told(LostRankException lost, String goOn) {
        Throwable cause = others.flatMap(ThreadTeam::failure).orElse(lost);
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof Exception known && !(known instanceof LostRankException)
                ? known
                : new UserException(lost.getMessage() + "; resume the run with: " + goOn);
    }

    /** Leaves the others, and waits until those that were started from here have ended. */
    @Override
    public void close() {
        processes.ifPresentOrElse(LocalProcesses::close, own()::close);
        others.ifPresent(ThreadTeam::close);
        others = Optional.empty();
    }
}

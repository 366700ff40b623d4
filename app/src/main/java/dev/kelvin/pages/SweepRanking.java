package dev.kelvin.pages;

import dev.kelvin.metric.figure.Better;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.sweep.SweepFolder;
import dev.kelvin.sweep.SweepPoint;
import dev.kelvin.sweep.SweepRun;
import dev.kelvin.sweep.SweepRun.State;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The points of a sweep by the median over their seeds of the figure that runs are ranked by.
 *
 * @param results of all runs
 * @param figure none where no figure with a better way was measured
 * @param points those with a finished run, the best first; after all others those with runs that diverged or failed
 */
public record SweepRanking(
        SweepFolder folder, List<SweepRun.Result> results, Optional<Figure> figure, List<Ranked> points) {
    public SweepRanking {
        results = List.copyOf(results);
        points = List.copyOf(points);
    }

    /** A point with its runs: those that are finished as a group. */
    public record Ranked(List<SweepRun.Result> all, ComparedRuns.Group finished) {
        /** Its settings. */
        public SweepPoint point() {
            return all.get(0).run().point();
        }

        /** How many runs of how many are finished. */
        public String count() {
            return finished.runs().size() + " of " + all.size();
        }

        private boolean isWhole() {
            return finished.runs().size() == all.size();
        }
    }

    /** Of a sweep as it is now. */
    public static SweepRanking of(SweepFolder folder) throws IOException {
        return of(folder, folder.results());
    }

    static SweepRanking of(SweepFolder folder, List<SweepRun.Result> results) {
        Optional<Figure> figure = compared(results).ranking();
        List<Ranked> points = results.stream()
                .collect(Collectors.groupingBy(
                        result -> result.run().point().number(), TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(own -> new Ranked(own, new ComparedRuns.Group(compared(own).runs())))
                .filter(point -> !point.finished().runs().isEmpty())
                .sorted(Comparator.comparing((Ranked point) -> !point.isWhole())
                        .thenComparingDouble(point -> figure.map(
                                        by -> badness(by, point.finished().median(by)))
                                .orElse(Double.NaN)))
                .toList();
        return new SweepRanking(folder, results, figure, points);
    }

    /** The finished runs, those of a point together. */
    private static ComparedRuns compared(List<SweepRun.Result> results) {
        return new ComparedRuns(results.stream()
                .filter(result -> result.state() == State.FINISHED)
                .map(SweepRanking::compared)
                .toList());
    }

    private static ComparedRuns.Run compared(SweepRun.Result result) {
        SweepRun run = result.run();
        return new ComparedRuns.Run(
                run.name(), result.figures(), result.notes(), run.point().values(), result.data());
    }

    /** What keeps points from being compared, in sentences. */
    List<String> remarks() {
        return compared(results).remarks();
    }

    /** Figures for people: the one to rank by, and the next few that are judged. */
    public List<Figure> shown() {
        return compared(results).shown();
    }

    /** How many runs are in a state. */
    public long count(State state) {
        return results.stream().filter(result -> result.state() == state).count();
    }

    /** All runs are over. */
    public boolean isComplete() {
        return results.stream().allMatch(result -> result.state().isOver());
    }

    /** How many runs there are and how they ended, in a clause. */
    public String ends() {
        String counts = Stream.of(State.values())
                .filter(state -> count(state) > 0)
                .map(state -> count(state) + " " + state)
                .collect(Collectors.joining(", "));
        return results.size() + (results.size() == 1 ? " run: " : " runs: ") + counts;
    }

    /** The best point; none where there is only one, while runs are missing, or where figures can't be compared. */
    public Optional<Ranked> best() {
        boolean comparable = points.size() > 1 && isComplete() && remarks().isEmpty();
        return figure.filter(by ->
                        comparable && !Double.isNaN(points.get(0).finished().median(by)))
                .map(by -> points.get(0));
    }

    /** Less is better; NaN, which comes last, where the figure is not known. */
    static double badness(Figure figure, double value) {
        return figure.better() == Better.HIGHER ? -value : value;
    }
}

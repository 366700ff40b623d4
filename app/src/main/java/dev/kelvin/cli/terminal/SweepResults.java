package dev.kelvin.cli.terminal;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.pages.ComparedRuns;
import dev.kelvin.pages.SweepRanking;
import dev.kelvin.part.Words;
import dev.kelvin.sweep.SweepFolder;
import dev.kelvin.sweep.SweepRun.State;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the command line prints of a sweep.
 *
 * @param resume the command that goes on with it
 */
public record SweepResults(SweepRanking ranking, String resume) {
    private static final int SHOWN = 5;

    /** Prints a few lines for people: the best points, what went wrong, and where the report is. */
    public void print(PrintWriter to) {
        to.println(ranking.ends());
        ranking.figure().ifPresent(figure -> print(to, figure));
        ranking.results().stream()
                .filter(result -> result.state() == State.FAILED || result.state() == State.DIVERGED)
                .limit(SHOWN)
                .forEach(result -> to.println(result.run().name() + " " + result.state() + ": " + result.why()));
        SweepFolder folder = ranking.folder();
        if (ranking.isComplete()) {
            to.println("Table: " + folder.table());
            to.println("Report: " + folder.report());
        } else {
            to.println("The report is written when all runs are over: " + resume);
        }
        to.flush();
    }

    private void print(PrintWriter to, Figure figure) {
        to.println(figure.title() + (figure.unit().isEmpty() ? "" : ", " + figure.unit()) + " ("
                + ComparedRuns.direction(figure) + ")");
        List<SweepRanking.Ranked> points =
                ranking.points().stream().limit(SHOWN).toList();
        int widest = points.stream()
                .mapToInt(point -> point.point().words().length())
                .max()
                .orElse(0);
        for (SweepRanking.Ranked point : points) {
            boolean best = ranking.best().filter(point::equals).isPresent();
            to.println(Words.say(
                            "  %-" + widest + "s  %s  %s",
                            point.point().words(),
                            point.finished().words(figure),
                            best ? "best" : "")
                    .stripTrailing());
        }
        if (ranking.points().size() > SHOWN) {
            to.println("  ... and " + (ranking.points().size() - SHOWN) + " more points");
        }
    }

    /** Everything, for programs. */
    public Map<String, Object> forPrograms() {
        Map<String, Object> results = new LinkedHashMap<>();
        SweepFolder folder = ranking.folder();
        results.put("ended", ranking.isComplete() ? "finished" : "unfinished");
        results.put("sweep", folder.path().toString());
        for (State state : State.values()) {
            results.put(state.toString(), ranking.count(state));
        }
        ranking.figure().ifPresent(figure -> {
            results.put("ranked_by", figure.name());
            results.put("better", figure.better().name().toLowerCase(Locale.ROOT));
            results.put(
                    "points",
                    ranking.points().stream().map(point -> facts(point, figure)).toList());
        });
        if (ranking.isComplete()) {
            results.put("table", folder.table().toString());
            results.put("report", folder.report().toString());
        }
        return results;
    }

    private static Map<String, Object> facts(SweepRanking.Ranked point, Figure figure) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("settings", point.point().values());
        facts.put("median", point.finished().median(figure));
        facts.put("range", point.finished().range(figure));
        facts.put(
                "runs",
                point.finished().runs().stream().map(ComparedRuns.Run::name).toList());
        return facts;
    }
}

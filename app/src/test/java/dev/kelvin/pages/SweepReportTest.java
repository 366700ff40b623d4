package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.sweep.Sweep;
import dev.kelvin.sweep.SweepFolder;
import dev.kelvin.sweep.SweepRun;
import dev.kelvin.sweep.SweepRun.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class SweepReportTest {
    private static SweepFolder folder(OptionalInt random, List<Long> seeds, String... set) {
        Sweep sweep = new Sweep("rings", List.of("train.batch=8"), List.of(set), seeds, random);
        return new SweepFolder(Path.of("somewhere"), sweep, sweep.points());
    }

    private static SweepRun.Result result(SweepRun run, String figure, double value) {
        return Double.isNaN(value)
                ? new SweepRun.Result(run, State.DIVERGED, Map.of(), Map.of(), "", "step 3: f is <NaN>")
                : new SweepRun.Result(run, State.FINISHED, Map.of(figure, value), Map.of(), "rings", "");
    }

    private static SweepRanking ranking(SweepFolder folder, String figure, ToDoubleFunction<SweepRun> value) {
        return SweepRanking.of(
                folder,
                folder.runs().stream()
                        .map(run -> result(run, figure, value.applyAsDouble(run)))
                        .toList());
    }

    private static double number(SweepRun run, String path) {
        return Double.parseDouble(run.point().values().get(path));
    }

    /** The KL is a² + seed / 10, and where b is y it is ten times that; a = 3 diverges there with seed 1. */
    private static double kl(SweepRun run) {
        double a = number(run, "x.a");
        boolean worse = run.point().values().get("x.b").equals("y");
        return worse && a == 3 && run.seed() == 1 ? Double.NaN : (a * a + run.seed() / 10.0) * (worse ? 10 : 1);
    }

    @Test
    void pointsAreRankedByTheirMedians() throws IOException {
        SweepRanking ranking = ranking(
                folder(OptionalInt.empty(), List.of(0L, 1L, 2L), "x.a=2,1,3", "x.b=y,x"), "kl", SweepReportTest::kl);
        assertThat(ranking.figure()).map(Figure::name).contains("kl");
        assertThat(ranking.points())
                .extracting(point -> point.point().words())
                .containsExactly("a 1, b x", "a 2, b x", "a 3, b x", "a 1, b y", "a 2, b y", "a 3, b y");
        assertThat(ranking.best().orElseThrow().finished().words(Figure.named("kl")))
                .isEqualTo("1.10 (1 to 1.20)");
        assertThat(ranking.points().get(5).count()).isEqualTo("2 of 3");
        assertThat(ranking.ends()).isEqualTo("18 runs: 17 finished, 1 diverged");
        assertThat(ranking.isComplete()).isTrue();

        String html = SweepReport.of(ranking).html();
        assertThat(html)
                .contains("The best by KL(data‖model) (lower is better) is a 1, b x: 1.10 (1 to 1.20).")
                .contains("href=\"4_a=1_b=x_seed=0/report.html\"") // of its best seed
                .contains("step 3: f is &lt;NaN&gt;")
                .contains("Parallel coordinates of all runs", "Points by the median of KL(data‖model)", "2 of 3")
                .doesNotContain("href=\"5_a=3_b=y_seed=1/"); // it has no report
        // the medians of a lie at 5.6, 22.1 and, without what diverged, 9.2; those of b at 4.1 and 40.5
        assertThat(html.indexOf("KL(data‖model) by b")).isPositive().isLessThan(html.indexOf("KL(data‖model) by a"));
    }

    /** A point of which a seed diverged comes last, however good its other seeds are. */
    @Test
    void aPointThatLostARunIsNotBest() {
        SweepRanking ranking = ranking(
                folder(OptionalInt.empty(), List.of(0L, 1L), "x.a=1,2"),
                "log_likelihood",
                run -> number(run, "x.a") == 2 && run.seed() == 1 ? Double.NaN : number(run, "x.a"));
        assertThat(ranking.points()).extracting(point -> point.point().words()).containsExactly("a 1", "a 2");
        SweepRanking whole = ranking(
                folder(OptionalInt.empty(), List.of(0L, 1L), "x.a=1,2"), "log_likelihood", run -> number(run, "x.a"));
        assertThat(whole.best().orElseThrow().point().words()).isEqualTo("a 2"); // higher is better
        List<SweepRun.Result> missing = new ArrayList<>(whole.results());
        missing.set(0, new SweepRun.Result(missing.get(0).run(), State.UNFINISHED, Map.of(), Map.of(), "", ""));
        assertThat(SweepRanking.of(whole.folder(), missing).best()).isEmpty();
    }

    @Test
    void drawnValuesAreShownInPartsOfTheirRange() throws IOException {
        SweepRanking ranking =
                ranking(folder(OptionalInt.of(8), List.of(0L), "x.a=1e-4..1e-1"), "kl", run -> number(run, "x.a"));
        String html = SweepReport.of(ranking).html();
        List<Double> drawn = ranking.results().stream()
                .map(result -> number(result.run(), "x.a"))
                .sorted()
                .toList();
        assertThat(html).contains(ranking.best().orElseThrow().point().words());
        assertThat(number(ranking.points().get(0).all().get(0).run(), "x.a")).isEqualTo(drawn.get(0));
        assertThat(html.split(" to 0\\.| to [0-9.]+e-", -1).length - 1).isGreaterThanOrEqualTo(4);
    }

    @Test
    void seedsAloneAndRunsWithoutFiguresHaveAReportToo() throws IOException {
        SweepRanking seeds = ranking(folder(OptionalInt.empty(), List.of(0L, 1L, 2L)), "kl", SweepRun::seed);
        assertThat(seeds.best()).isEmpty();
        assertThat(SweepReport.of(seeds).html())
                .contains("3 runs: 3 finished. KL(data‖model): 1 (0 to 2).", "href=\"seed=1/report.html\"")
                .doesNotContain("What each setting does");
        SweepRanking none = ranking(folder(OptionalInt.empty(), List.of(0L), "x.a=1,2"), "kl", run -> Double.NaN);
        assertThat(SweepReport.of(none).html())
                .contains("2 runs: 2 diverged. No figure of merit with a better way was measured.", "What went wrong");
    }
}

package dev.kelvin.pages;

import dev.kelvin.draw.Numbers;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.recipe.Asked;
import dev.kelvin.recipe.Moment;
import dev.kelvin.recipe.Rule;
import dev.kelvin.recipe.Study;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.run.StudyRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The claims of studies with their verdicts, the figures behind them, and the rules that decided, in words. */
final class ClaimTable {
    private ClaimTable() {}

    static TableBlock of(List<StudyReport.Measured> studies) {
        List<List<Cell>> rows = new ArrayList<>();
        for (StudyReport.Measured each : studies) {
            for (Study.Claim claim : each.study().claims()) {
                Spread spread = Spread.of(each.figures().statistics(claim));
                rows.add(List.of(
                        Cell.words(claim.says(), note(claim)),
                        verdict(each.figures().verdict(claim)),
                        Cell.words(spread.middle(), spread.range()),
                        Cell.words(words(claim.parsed()), claim.rule())));
            }
        }
        return new TableBlock(
                "A claim holds if its rule does with every seed, and does not hold if the rule fails with every seed, by more on"
                        + " average than the seeds differ. The statistic is the rule's left side: its median, and its range"
                        + " over the seeds.",
                List.of("Claim", "Verdict", "Statistic", "Rule"),
                rows);
    }

    private static String note(Study.Claim claim) {
        return claim.place()
                + claim.reported().map(text -> "; reported: " + text).orElse("")
                + claim.remark().map(text -> ". " + text).orElse("");
    }

    static Cell verdict(StudyRunner.Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> Cell.toned(Verdict.GOOD, "✓ " + verdict);
            case DOES_NOT_HOLD -> Cell.toned(Verdict.POOR, "✕ " + verdict);
            case UNDECIDED -> Cell.toned(Verdict.FAIR, "? " + verdict);
        };
    }

    /** A rule as a sentence: R-hat of gd ÷ R-hat of sgld is at least 10. */
    static String words(Rule rule) {
        return rule.words(ClaimTable::figure);
    }

    private static String figure(String name) {
        Asked asked = Asked.parse(name);
        return title(asked.figure()) + " of " + asked.run()
                + asked.moment().map(Moment::words).orElse("");
    }

    /** A figure's title, where it is declared. */
    static String title(String figure) {
        return Figure.find(figure).map(Figure::title).orElse(figure);
    }

    /**
     * A figure over the seeds, in words.
     *
     * @param middle the median of those that are known
     * @param range from the least to the most, and how many are not known; empty where all seeds agree
     */
    record Spread(String middle, String range) {
        static Spread of(double... values) {
            double[] known =
                    Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
            if (known.length == 0) {
                return new Spread("not known", "");
            }
            double least = known[0];
            double most = known[known.length - 1];
            String range = number(least).equals(number(most)) ? "" : number(least) + " to " + number(most);
            int unknown = values.length - known.length;
            String gaps = unknown == 0 ? "" : unknown + " of " + values.length + " not known";
            String separator = range.isEmpty() || gaps.isEmpty() ? "" : "; ";
            return new Spread(number(median(known)), range + separator + gaps);
        }

        /** Of those that are known; NaN if none is. */
        static double median(double... values) {
            double[] known =
                    Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
            if (known.length == 0) {
                return Double.NaN;
            }
            double low = known[(known.length - 1) / 2];
            double high = known[known.length / 2];
            return low == high ? low : low / 2 + high / 2;
        }

        private static String number(double value) {
            return Double.isInfinite(value) ? (value > 0 ? "∞" : "−∞") : Numbers.forPeople(value);
        }

        @Override
        public String toString() {
            return range.isEmpty() ? middle : middle + " (" + range + ")";
        }
    }
}

package dev.kelvin.report;

import dev.kelvin.draw.Numbers;
import dev.kelvin.metric.figure.Companion;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.report.TableBlock.Cell;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A figure of merit: its value, what it means to someone who has never met it, and what it says of this run.
 *
 * @param error the standard error or the spread of the value, where it has one
 */
public record Measure(String name, double value, OptionalDouble error, String unit, String meaning, Verdict verdict) {
    /** Without a unit. */
    public Measure(String name, double value, String meaning, Verdict verdict) {
        this(name, value, OptionalDouble.empty(), "", meaning, verdict);
    }

    /** What was measured, in declared order; a figure that goes with another, as its error does, stands beside that. */
    public static List<Measure> all(Map<String, Double> figures) {
        List<Figure> measured = Figure.ordered(figures.keySet());
        Set<String> beside = measured.stream()
                .flatMap(figure -> figure.companion().stream())
                .map(Companion::name)
                .collect(Collectors.toSet());
        return measured.stream()
                .filter(figure -> !beside.contains(figure.name()))
                .map(figure -> of(figure, figures))
                .toList();
    }

    /** One figure among those that were measured; NaN where it was not. */
    public static Measure of(Figure figure, Map<String, Double> figures) {
        Optional<Companion> companion = figure.companion().filter(other -> figures.containsKey(other.name()));
        OptionalDouble error = companion.stream()
                .filter(other -> other.how() == Companion.How.ERROR)
                .mapToDouble(other -> figures.getOrDefault(other.name(), Double.NaN))
                .findFirst();
        String beside = companion.map(other -> words(other, figures)).orElse("");
        return new Measure(
                figure.title(),
                figures.getOrDefault(figure.name(), Double.NaN),
                error,
                figure.unit(),
                figure.meaning() + beside,
                figure.verdict(figures));
    }

    /** What stands beside a figure: a number, or, of what stands after ± already, its meaning. */
    private static String words(Companion companion, Map<String, Double> figures) {
        Figure other = Figure.named(companion.name());
        return companion.how() == Companion.How.ERROR
                ? " ± is the " + lowerFirst(other.title()) + "."
                : " " + other.title() + ": " + Numbers.forPeople(figures.getOrDefault(other.name(), Double.NaN)) + ".";
    }

    private static String lowerFirst(String title) {
        return title.substring(0, 1).toLowerCase(Locale.ROOT) + title.substring(1);
    }

    /** The measure of one of several things, which its name then includes. */
    public Measure of(String which) {
        return new Measure(name + " of " + which, value, error, unit, meaning, verdict);
    }

    /** Without its verdict. */
    public Measure unjudged() {
        return new Measure(name, value, error, unit, meaning, Verdict.NONE);
    }

    /** The first few that have a verdict. */
    public static List<Measure> highlights(List<Measure> measures) {
        return measures.stream()
                .filter(measure -> measure.verdict != Verdict.NONE)
                .limit(4)
                .toList();
    }

    /** The value with its error and its unit, for people. */
    public String words() {
        return number() + (unit.isEmpty() ? "" : " " + unit);
    }

    /** The value with its error, to as many digits as the error leaves. */
    String number() {
        return error.isPresent() ? Numbers.withError(value, error.getAsDouble()) : Numbers.forPeople(value);
    }

    void writeChip(Html html) {
        html.open("li").element("span", name, "class", "name").element("b", words());
        if (verdict != Verdict.NONE) {
            Cell.of(verdict).write(html);
        }
        html.close("li");
    }
}

package dev.kelvin.report;

import dev.kelvin.draw.Numbers;
import dev.kelvin.metric.Companion;
import dev.kelvin.metric.Figure;
import dev.kelvin.metric.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A figure of merit: its value, what it means to someone who has never met it, and what it says of this run. */
public record Measure(String name, double value, String unit, String meaning, Verdict verdict) {
    /** Without a unit. */
    public Measure(String name, double value, String meaning, Verdict verdict) {
        this(name, value, "", meaning, verdict);
    }

    /**
     * Every figure that was measured, in declared order, with what its declaration says. One that only goes with another,
     * such as its error, is told there and has no measure of its own.
     */
    public static List<Measure> all(Map<String, Double> figures) {
        List<Figure> measured = Figure.ordered(figures.keySet());
        Set<String> told = measured.stream()
                .flatMap(figure -> figure.companion().stream())
                .map(Companion::name)
                .collect(Collectors.toSet());
        return measured.stream()
                .filter(figure -> !told.contains(figure.name()))
                .map(figure -> of(figure, figures))
                .toList();
    }

    /** One figure among those that were measured; NaN where it was not. */
    public static Measure of(Figure figure, Map<String, Double> figures) {
        String companion = figure.companion()
                .filter(other -> figures.containsKey(other.name()))
                .map(other -> words(other, figures.getOrDefault(other.name(), Double.NaN)))
                .orElse("");
        return new Measure(
                figure.title(),
                figures.getOrDefault(figure.name(), Double.NaN),
                figure.unit(),
                figure.meaning() + companion,
                figure.verdict(figures));
    }

    private static String words(Companion companion, double value) {
        return " " + Figure.named(companion.name()).title() + ": " + Numbers.forPeople(value) + ".";
    }

    /** The first few that have a verdict. */
    public static List<Measure> highlights(List<Measure> measures) {
        return measures.stream()
                .filter(measure -> measure.verdict != Verdict.NONE)
                .limit(4)
                .toList();
    }

    /** The value with its unit, for people. */
    public String words() {
        return Numbers.forPeople(value) + (unit.isEmpty() ? "" : " " + unit);
    }

    void writeChip(Html html) {
        html.open("li").element("span", name, "class", "name").element("b", words());
        VerdictMark.write(html, verdict);
        html.close("li");
    }
}

package dev.kelvin.recipe;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * When in training a rule asks for a figure, as in {@code mala.acceptance@start}: {@code start} and {@code end} are means over
 * the first and the last tenth of what training logged, {@code least} and {@code most} its extremes, and a number is a step.
 */
public record Moment(String word) {
    private static final List<String> WORDS = List.of("start", "end", "least", "most");
    private static final Pattern STEP = Pattern.compile("[1-9]\\d{0,8}");
    private static final int SHARE = 10; // one tenth

    /** The moment that a word after {@code @} names; empty if it names none. */
    static Optional<Moment> parse(String word) {
        return WORDS.contains(word) || STEP.matcher(word).matches() ? Optional.of(new Moment(word)) : Optional.empty();
    }

    /** A figure as training logged it. */
    public record Logged(long step, double value) {}

    /** The figure then, of all that was logged in the order of steps; NaN where nothing was, or not by that step. */
    public double of(List<Logged> curve) {
        int tenth = Math.max(1, curve.size() / SHARE);
        return switch (word) {
            case "start" -> mean(curve.subList(0, Math.min(tenth, curve.size())));
            case "end" -> mean(curve.subList(Math.max(0, curve.size() - tenth), curve.size()));
            case "least" -> curve.stream().mapToDouble(Logged::value).min().orElse(Double.NaN);
            case "most" -> curve.stream().mapToDouble(Logged::value).max().orElse(Double.NaN);
            default ->
                curve.stream()
                        .filter(each -> each.step() >= Long.parseLong(word))
                        .mapToDouble(Logged::value)
                        .findFirst()
                        .orElse(Double.NaN);
        };
    }

    private static double mean(List<Logged> some) {
        return some.stream().mapToDouble(Logged::value).average().orElse(Double.NaN);
    }

    /** In a sentence, after the figure's title. */
    public String words() {
        return switch (word) {
            case "start" -> " in the first tenth of training";
            case "end" -> " in the last tenth of training";
            case "least" -> " where it is least in training";
            case "most" -> " where it is greatest in training";
            default -> " at step " + word + " of training";
        };
    }
}

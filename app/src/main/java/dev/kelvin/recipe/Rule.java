package dev.kelvin.recipe;

import dev.kelvin.part.SettingException;
import dev.kelvin.yaml.ScalarText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A decision by figures, such as {@code gd.rhat / sgld.rhat >= 10} or {@code mala.rhat < sgld.rhat}: words and numbers
 * joined by {@code + - * /}, taken from left to right, on both sides of one comparison; everything apart by spaces. A figure
 * is that of one seed; {@code mean(gd.rhat)} and {@code sd(gd.rhat)} are its mean and standard deviation over all of them.
 */
public record Rule(List<String> left, String comparison, List<String> right) {
    private static final Map<String, BiPredicate<Double, Double>> COMPARISONS =
            Map.of("<", (a, b) -> a < b, "<=", (a, b) -> a <= b, ">", (a, b) -> a > b, ">=", (a, b) -> a >= b);

    private static final Pattern FIGURE = Pattern.compile("[a-zA-Z][\\w-]*\\.\\w+(\\.\\d+)?");
    private static final Pattern OVER_SEEDS = Pattern.compile("(mean|sd)\\((.*)\\)");

    public Rule {
        left = List.copyOf(left);
        right = List.copyOf(right);
    }

    /** The rule that a text states. */
    public static Rule parse(String text) {
        List<String> words = List.of(text.strip().split("\\s+"));
        List<String> comparisons =
                words.stream().filter(COMPARISONS::containsKey).toList();
        if (comparisons.size() == 1) {
            int at = words.indexOf(comparisons.get(0));
            List<String> left = words.subList(0, at);
            List<String> right = words.subList(at + 1, words.size());
            if (isExpression(left) && isExpression(right)) {
                return new Rule(left, comparisons.get(0), right);
            }
        }
        throw new SettingException(
                "rule", "must compare two expressions, such as 'gd.rhat / sgld.rhat >= 10', found '" + text + "'");
    }

    private static boolean isExpression(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            boolean fits = i % 2 == 0
                    ? FIGURE.matcher(figure(words.get(i))).matches()
                            || ScalarText.number(words.get(i)).isPresent()
                    : words.get(i).matches("[-+*/]");
            if (!fits) {
                return false;
            }
        }
        return words.size() % 2 == 1;
    }

    /** The figures that it asks for. */
    public List<String> names() {
        List<String> names = new ArrayList<>(left);
        names.addAll(right);
        names.removeIf(word -> !word.matches("[a-zA-Z].*"));
        names.replaceAll(Rule::figure);
        return names;
    }

    /** The figure that a word is about. */
    private static String figure(String word) {
        Matcher over = OVER_SEEDS.matcher(word);
        return over.matches() ? over.group(2) : word;
    }

    /** What a word says with one seed, given each figure with that seed alone and with every seed. */
    public static double value(String word, ToDoubleFunction<String> own, Function<String, double[]> all) {
        Matcher over = OVER_SEEDS.matcher(word);
        if (!over.matches()) {
            return own.applyAsDouble(word);
        }
        double[] values = all.apply(over.group(2));
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return over.group(1).equals("mean")
                ? mean
                : Math.sqrt(squares / (values.length - 1)); // of one seed not a number
    }

    /** The statistic: the left side. */
    public double statistic(ToDoubleFunction<String> figures) {
        return value(left, figures);
    }

    /** What the statistic is compared with. */
    public double bound(ToDoubleFunction<String> figures) {
        return value(right, figures);
    }

    /** Whether it holds; never with a figure that is not a number. */
    public boolean holds(ToDoubleFunction<String> figures) {
        BiPredicate<Double, Double> found = COMPARISONS.get(comparison);
        return found != null && found.test(statistic(figures), bound(figures));
    }

    private static double value(List<String> words, ToDoubleFunction<String> figures) {
        double value = operand(words.get(0), figures);
        for (int i = 1; i < words.size(); i += 2) {
            double next = operand(words.get(i + 1), figures);
            value = switch (words.get(i)) {
                case "+" -> value + next;
                case "-" -> value - next;
                case "*" -> value * next;
                default -> value / next;
            };
        }
        return value;
    }

    private static double operand(String word, ToDoubleFunction<String> figures) {
        return ScalarText.number(word).isPresent() ? Double.parseDouble(word) : figures.applyAsDouble(word);
    }

    @Override
    public String toString() {
        return String.join(" ", left) + " " + comparison + " " + String.join(" ", right);
    }
}

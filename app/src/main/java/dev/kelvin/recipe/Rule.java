package dev.kelvin.recipe;

import dev.kelvin.part.SettingException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A decision by figures, such as {@code gd.rhat / sgld.rhat >= 10} or {@code max(a.fid, b.fid) < c.fid}: one comparison of two
 * {@linkplain Expression expressions}.
 */
public record Rule(Expression left, String comparison, Expression right) {
    private static final Pattern COMPARISON = Pattern.compile("\\s(<=|>=|<|>)\\s");
    private static final Map<String, String> WORDS =
            Map.of("<", "is below", "<=", "is at most", ">", "is above", ">=", "is at least");

    /** The rule that a text states. */
    public static Rule parse(String text) {
        Matcher matcher = COMPARISON.matcher(text);
        if (matcher.find()) {
            String comparison = matcher.group(1);
            var left = Expression.parse(text.substring(0, matcher.start()));
            var right = Expression.parse(text.substring(matcher.end()));
            if (left.isPresent() && right.isPresent()) {
                return new Rule(left.get(), comparison, right.get());
            }
        }
        throw new SettingException(
                "rule",
                "must compare two expressions, such as 'gd.rhat / sgld.rhat >= 10' or 'max(a.fid, b.fid) < c.fid', found '"
                        + text + "'");
    }

    /** The figures that it asks for. */
    public List<String> names() {
        return Stream.concat(left.names(), right.names()).toList();
    }

    /** The statistic, its left side, with each seed. */
    public double[] statistics(Expression.Figures figures) {
        return IntStream.range(0, figures.seeds())
                .mapToDouble(seed -> left.with(figures, seed))
                .toArray();
    }

    /**
     * By how much it holds: positive where it does, with a seed; 0 is on the bound. NaN where a figure is not known.
     */
    public double margin(Expression.Figures figures, int seed) {
        double difference = left.with(figures, seed) - right.with(figures, seed);
        return comparison.startsWith("<") ? -difference : difference;
    }

    /** Whether it holds with a margin. */
    public boolean holds(double margin) {
        return comparison.endsWith("=") ? margin >= 0 : margin > 0;
    }

    /** Whether it has one value for all seeds: it asks for their means and deviations alone. */
    public boolean isOverSeeds() {
        return !left.variesWithSeed() && !right.variesWithSeed();
    }

    /** It as a sentence, with figures called by what the function says. */
    public String words(UnaryOperator<String> figures) {
        return left.words(figures) + " " + WORDS.get(comparison) + " " + right.words(figures);
    }
}

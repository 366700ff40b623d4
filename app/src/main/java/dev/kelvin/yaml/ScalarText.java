package dev.kelvin.yaml;

import dev.kelvin.part.Words;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Words, numbers and truth values, as YAML 1.2's core schema writes them, as text and back. */
public final class ScalarText {
    private static final Pattern DECIMAL = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

    /** The most digits of a number; a million of them would take half a minute to read. */
    private static final int LONGEST = 400;

    private static final int SHOWN = 40;

    /** What is below is not why something is too large. */
    private static final long LARGE = 1000;

    private static final Kind NUMBER = new Kind("a number", ScalarText::number, Double.NaN);
    private static final Kind LONG = new Kind("a whole number", ScalarText::whole, Long.MIN_VALUE);
    private static final Kind INT = new Kind(
            "a whole number",
            text -> whole(text).filter(n -> n == n.intValue()).map(Long::intValue),
            Integer.MIN_VALUE);

    /** Of each type that is written as one plain word. */
    static final Map<Class<?>, Kind> KINDS = Map.of(
            double.class, NUMBER,
            Double.class, NUMBER,
            long.class, LONG,
            Long.class, LONG,
            int.class, INT,
            Integer.class, INT,
            boolean.class, new Kind("true or false", ScalarText::truth, false));

    private ScalarText() {}

    /**
     * What a plain word is for.
     *
     * @param takes what messages call it
     * @param standIn a value that no check lets pass
     */
    record Kind(String takes, Function<String, Optional<?>> reader, Object standIn) {}

    /** What a word means for a setting of the type; null if nothing. */
    static @Nullable Object value(Class<?> type, Node.Scalar node) {
        if (type == String.class) {
            return node.text();
        }
        if (type.isEnum()) {
            return Settings.constants(type).get(node.text());
        }
        Kind kind = node.plain() ? KINDS.get(type) : null;
        return kind == null ? null : kind.reader.apply(node.text()).orElse(null);
    }

    /** What was found, for messages. */
    static String describe(Node node) {
        if (!(node instanceof Node.Scalar scalar)) {
            return node instanceof Node.Items ? "a list" : "a map";
        }
        if (scalar.isNothing()) {
            return "nothing";
        }
        if (scalar.plain() && number(scalar.text()).isPresent()) {
            return "the number " + scalar.text();
        }
        if (scalar.plain() && DECIMAL.matcher(scalar.text()).matches()) {
            return "a number of " + scalar.text().length() + " digits, "
                    + scalar.text().substring(0, SHOWN) + "...";
        }
        return scalar.plain() && truth(scalar.text()).isPresent()
                ? scalar.text()
                : "the text " + Words.quote(scalar.text());
    }

    /** The number that a text writes, if it writes one. */
    public static Optional<Double> number(String text) {
        if (isDecimal(text)) {
            return Optional.of(Double.valueOf(text));
        }
        if (text.matches("[-+]?\\.(inf|Inf|INF)")) {
            return Optional.of(text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
        }
        if (text.matches("\\.(nan|NaN|NAN)")) {
            return Optional.of(Double.NaN);
        }
        return based(text).map(Long::doubleValue);
    }

    /** Whether one of these sizes, of those that are large, is written in the text, alone or among others. */
    public static boolean holds(String text, List<Long> sizes) {
        return Stream.of(text.split("[^0-9a-zA-Z.+]+"))
                .flatMap(word -> whole(word).stream())
                .anyMatch(number -> number >= LARGE && sizes.contains(number));
    }

    /** A whole number that fits in a long, also one written as 1e4 or 20.0. */
    static Optional<Long> whole(String text) {
        if (isDecimal(text)) {
            try {
                return Optional.of(new BigDecimal(text).longValueExact());
            } catch (ArithmeticException | NumberFormatException e) { // a fraction, too large, or 1e99999999999
                return Optional.empty();
            }
        }
        return based(text);
    }

    private static boolean isDecimal(String text) {
        return text.length() <= LONGEST && DECIMAL.matcher(text).matches();
    }

    static Optional<Boolean> truth(String text) {
        boolean truth = text.matches("true|True|TRUE");
        return truth || text.matches("false|False|FALSE") ? Optional.of(truth) : Optional.empty();
    }

    /** The shortest text that Java reads back as the same number: 1, 0.05, 1e-4. */
    static String format(double value) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
        }
        return Double.toString(value).replace("E", "e").replaceFirst("\\.0(?=e|$)", "");
    }

    private static Optional<Long> based(String text) {
        if (text.matches("0x[0-9a-fA-F]{1,15}")) {
            return Optional.of(Long.valueOf(text.substring(2), 16));
        }
        return text.matches("0o[0-7]{1,20}") ? Optional.of(Long.valueOf(text.substring(2), 8)) : Optional.empty();
    }
}

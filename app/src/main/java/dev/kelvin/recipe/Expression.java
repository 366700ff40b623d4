package dev.kelvin.recipe;

import dev.kelvin.yaml.ScalarText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One side of a {@link Rule}: numbers and figures joined by {@code + - * /} with the usual precedence, parentheses, and
 * functions. {@code max}, {@code min} and {@code argmax} (the place of the greatest, from 1) choose among what they are given,
 * with one seed; {@code mean} and {@code sd} are taken over the seeds.
 */
public sealed interface Expression {
    /** What one seed's figures are called, such as {@code gd.rhat}, and of how many seeds there are figures. */
    interface Figures {
        /** A figure with a seed; NaN where it is not known. */
        double of(String name, int seed);

        /** The number of seeds. */
        int seeds();
    }

    /** Its value with a seed. */
    double with(Figures figures, int seed);

    /** The names of the figures that it asks for. */
    Stream<String> names();

    /** Whether a figure of a single seed is asked for outside of {@code mean} and {@code sd}, so that it varies with the seed. */
    boolean variesWithSeed();

    /** It as a phrase, with figures called by what the function says. */
    String words(UnaryOperator<String> figures);

    /** A number. */
    record Constant(String text) implements Expression {
        @Override
        public double with(Figures figures, int seed) {
            return Double.parseDouble(text);
        }

        @Override
        public Stream<String> names() {
            return Stream.empty();
        }

        @Override
        public boolean variesWithSeed() {
            return false;
        }

        @Override
        public String words(UnaryOperator<String> figures) {
            return text;
        }
    }

    /** A figure of a run or of chains, {@code RUN.FIGURE}. */
    record Named(String name) implements Expression {
        @Override
        public double with(Figures figures, int seed) {
            return figures.of(name, seed);
        }

        @Override
        public Stream<String> names() {
            return Stream.of(name);
        }

        @Override
        public boolean variesWithSeed() {
            return true;
        }

        @Override
        public String words(UnaryOperator<String> figures) {
            return figures.apply(name);
        }
    }

    /** Two joined by a sign. */
    record Joined(Expression left, String sign, Expression right, boolean bracketed) implements Expression {
        @Override
        public double with(Figures figures, int seed) {
            double a = left.with(figures, seed);
            double b = right.with(figures, seed);
            return switch (sign) {
                case "+" -> a + b;
                case "-" -> a - b;
                case "*" -> a * b;
                default -> a / b;
            };
        }

        @Override
        public Stream<String> names() {
            return Stream.concat(left.names(), right.names());
        }

        @Override
        public boolean variesWithSeed() {
            return left.variesWithSeed() || right.variesWithSeed();
        }

        @Override
        public String words(UnaryOperator<String> figures) {
            String typeset = switch (sign) {
                case "*" -> "×";
                case "/" -> "÷";
                case "-" -> "−";
                default -> sign;
            };
            String phrase = left.words(figures) + " " + typeset + " " + right.words(figures);
            return bracketed ? "(" + phrase + ")" : phrase;
        }
    }

    /** A function of one or more. */
    record Called(String function, List<Expression> arguments) implements Expression {
        private static final Set<String> OVER_SEEDS = Set.of("mean", "sd");
        private static final Set<String> AMONG = Set.of("max", "min", "argmax", "abs");

        /** Whether a function of this name takes this number of arguments. */
        static boolean exists(String function, int arguments) {
            return (OVER_SEEDS.contains(function) || function.equals("abs"))
                    ? arguments == 1
                    : AMONG.contains(function) && arguments > 1;
        }

        @Override
        public double with(Figures figures, int seed) {
            double[] values = OVER_SEEDS.contains(function)
                    ? IntStream.range(0, figures.seeds())
                            .mapToDouble(each -> arguments.get(0).with(figures, each))
                            .toArray()
                    : arguments.stream()
                            .mapToDouble(each -> each.with(figures, seed))
                            .toArray();
            if (Arrays.stream(values).anyMatch(Double::isNaN)) {
                return Double.NaN;
            }
            return switch (function) {
                case "mean" -> mean(values);
                case "sd" -> deviation(values);
                case "abs" -> Math.abs(values[0]);
                case "min" -> Arrays.stream(values).min().orElseThrow();
                case "max" -> Arrays.stream(values).max().orElseThrow();
                default -> 1 + IntStream.range(0, values.length).reduce(0, (a, b) -> values[b] > values[a] ? b : a);
            };
        }

        private static double mean(double... values) {
            return Arrays.stream(values).average().orElse(Double.NaN);
        }

        /** The standard deviation of a sample; NaN of one value. */
        static double deviation(double... values) {
            double mean = mean(values);
            return Math.sqrt(
                    Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1));
        }

        @Override
        public Stream<String> names() {
            return arguments.stream().flatMap(Expression::names);
        }

        @Override
        public boolean variesWithSeed() {
            return !OVER_SEEDS.contains(function) && arguments.stream().anyMatch(Expression::variesWithSeed);
        }

        @Override
        public String words(UnaryOperator<String> figures) {
            String list = arguments.stream().map(each -> each.words(figures)).collect(Collectors.joining("; "));
            return switch (function) {
                case "mean" -> "the mean over the seeds of " + list;
                case "sd" -> "the deviation over the seeds of " + list;
                case "abs" -> "the size of " + list;
                case "min" -> "the least of (" + list + ")";
                case "max" -> "the greatest of (" + list + ")";
                default -> "the place of the greatest of (" + list + ")";
            };
        }
    }

    /** The expression that a text states; empty if it states none. */
    static Optional<Expression> parse(String text) {
        return new Parser(text).whole();
    }

    /** Reads from left to right; what does not fit leaves it empty. */
    final class Parser {
        private static final Pattern TOKEN = Pattern.compile(
                "\\s*([a-zA-Z][\\w-]*\\.\\w+(?:\\.\\d+)?(?:@\\w+)?|[a-z]+(?=\\()|[(),]|[-+*/](?=\\s)|[^\\s(),]+)");

        private final List<String> tokens = new ArrayList<>();
        private int at;

        private Parser(String text) {
            Matcher matcher = TOKEN.matcher(text);
            while (matcher.lookingAt()) {
                tokens.add(matcher.group(1));
                matcher.region(matcher.end(), text.length());
            }
        }

        private Optional<Expression> whole() {
            return sum().filter(read -> at == tokens.size());
        }

        private Optional<Expression> sum() {
            return chain(List.of("+", "-"), this::product);
        }

        private Optional<Expression> product() {
            return chain(List.of("*", "/"), this::operand);
        }

        /** Operands joined by signs of one precedence. */
        private Optional<Expression> chain(List<String> signs, Reader operand) {
            Optional<Expression> read = operand.read();
            while (read.isPresent() && signs.contains(next())) {
                Expression left = read.get();
                String sign = tokens.get(at++);
                read = operand.read().map(right -> new Joined(left, sign, right, false));
            }
            return read;
        }

        private Optional<Expression> operand() {
            String token = next();
            at++;
            if (token.equals("(")) {
                return sum().filter(inner -> taken(")")).map(Parser::bracketed);
            }
            if (next().equals("(")) {
                return call(token);
            }
            return ScalarText.number(token).isPresent()
                    ? Optional.of(new Constant(token))
                    : Optional.of(token)
                            .filter(name -> name.matches("[a-zA-Z].*\\..*"))
                            .map(Named::new);
        }

        private static Expression bracketed(Expression inner) {
            return inner instanceof Joined sum ? new Joined(sum.left, sum.sign, sum.right, true) : inner;
        }

        private Optional<Expression> call(String function) {
            List<Expression> arguments = new ArrayList<>();
            do {
                at++; // the parenthesis or the comma
                sum().ifPresent(arguments::add);
            } while (next().equals(","));
            return taken(")") && Called.exists(function, arguments.size())
                    ? Optional.of(new Called(function, List.copyOf(arguments)))
                    : Optional.empty();
        }

        private boolean taken(String token) {
            boolean there = next().equals(token);
            at++;
            return there;
        }

        private String next() {
            return at < tokens.size() ? tokens.get(at) : "";
        }

        private interface Reader {
            Optional<Expression> read();
        }
    }
}

package dev.kelvin.metric.figure;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Citing;
import dev.kelvin.part.Words;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/**
 * The declaration of a figure of merit: what it is called, what it means, which way is better and which values are good.
 * Each is declared once, beside its metric, and registered; reports, studies, comparisons and JSON read it from here.
 *
 * <pre>
 * public static final Figure KL =
 *         Figure.of("kl", "KL(data‖model)", "nats").meaning("Nats lost when ...; 0 is perfect.").lower(0.1, 0.5);
 * </pre>
 *
 * <p>A family is declared once for many figures: its name ends in {@code _*}, and each {@code *} in the title, the meaning
 * and the companion's name stands for the rest of the name.
 *
 * @param name in JSON and in the rules of studies
 * @param title for people
 * @param unit of the value; empty where it has none
 * @param meaning a sentence or two for a reader who has never met it
 * @param good where {@link Better#LOWER} values are good below it, where {@link Better#HIGHER} from it on, and the lower
 *     end where they are {@link Better#INSIDE}; NaN where none is called good
 * @param poor where lower values are poor from it on, where higher below it, and the upper end of an interval; NaN where
 *     the figure is not judged
 * @param fair how far beyond an interval's ends values are fair; none where they are poor from there on
 * @param cites the works that it is from
 */
public record Figure(
        String name,
        String title,
        String unit,
        String meaning,
        Better better,
        double good,
        double poor,
        Optional<Fair> fair,
        Optional<Companion> companion,
        List<String> cites)
        implements Declaration, Citing {
    private static final String ANY = "*";

    /** From here to there values are not poor, although they may not be good. */
    public record Fair(double low, double high) {}

    /** Of all figures by name, in the order in which they were registered; made when the first one is looked up. */
    private static final class Declared {
        static final Map<String, Figure> ALL = all();

        private static Map<String, Figure> all() {
            Map<String, Figure> all = new LinkedHashMap<>();
            for (Declaration part : Catalogue.instances(Declaration.class)) {
                for (Figure figure : part.figures()) {
                    Figure other = all.put(figure.name, figure);
                    if (other != null && !other.equals(figure)) {
                        throw new IllegalStateException("two figures are called '" + figure.name + "': " + other.title
                                + " and " + figure.title);
                    }
                }
            }
            return all;
        }
    }

    /** A figure without a unit and without a better way; the methods below make others of it. */
    public static Figure of(String name, String title) {
        return of(name, title, "");
    }

    /** A figure without a better way; the methods below make others of it. */
    public static Figure of(String name, String title, String unit) {
        if (!name.matches("[a-z][a-z0-9_]*(_\\*)?")) {
            throw new IllegalArgumentException("a figure's name is made of lower-case letters, digits and underscores,"
                    + " with _* at the end for a family; found " + Words.quote(name));
        }
        return undeclared(name, title, unit);
    }

    private static Figure undeclared(String name, String title, String unit) {
        return new Figure(
                name,
                title,
                unit,
                "",
                Better.NEITHER,
                Double.NaN,
                Double.NaN,
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** Returns a copy with a meaning: a sentence or two for a reader who has never met it. */
    public Figure meaning(String sentences) {
        return new Figure(name, title, unit, sentences, better, good, poor, fair, companion, cites);
    }

    // ---- which way is better

    /** Lower is better: good below {@code good}, poor from {@code poor} on, fair between. */
    public Figure lower(double good, double poor) {
        return judgedBy(Better.LOWER, good, poor);
    }

    /** Lower is better, and nothing is called good or poor. */
    public Figure lower() {
        return judgedBy(Better.LOWER, Double.NaN, Double.NaN);
    }

    /** Lower is better: poor from {@code limit} on, otherwise not worth a word. */
    public Figure below(double limit) {
        return judgedBy(Better.LOWER, Double.NaN, limit);
    }

    /** Higher is better: good from {@code good} on, poor below {@code poor}, fair between. */
    public Figure higher(double good, double poor) {
        return judgedBy(Better.HIGHER, good, poor);
    }

    /** Higher is better, and nothing is called good or poor. */
    public Figure higher() {
        return judgedBy(Better.HIGHER, Double.NaN, Double.NaN);
    }

    /** Higher is better: poor below {@code limit}, otherwise not worth a word. */
    public Figure atLeast(double limit) {
        return judgedBy(Better.HIGHER, Double.NaN, limit);
    }

    /** Good from {@code low} to {@code high}, poor outside. */
    public Figure inside(double low, double high) {
        return judgedBy(Better.INSIDE, low, high);
    }

    /** Of an interval: fair beyond it, from {@code low} to {@code high}, and poor outside of both. */
    public Figure fair(double low, double high) {
        return new Figure(
                name, title, unit, meaning, better, good, poor, Optional.of(new Fair(low, high)), companion, cites);
    }

    /** The nearer to 0, the better. */
    public Figure nearZero() {
        return judgedBy(Better.NEAR_ZERO, Double.NaN, Double.NaN);
    }

    private Figure judgedBy(Better way, double newGood, double newPoor) {
        return new Figure(name, title, unit, meaning, way, newGood, newPoor, fair, companion, cites);
    }

    /** Judged by how far it lies above another figure. */
    public Figure above(Figure floor) {
        return with(new Companion(floor.name, Companion.How.DIFFERENCE));
    }

    /** Judged by its share of another figure. */
    public Figure shareOf(Figure reference) {
        return with(new Companion(reference.name, Companion.How.RATIO));
    }

    /** Shown with its standard error or spread, which is another figure. */
    public Figure withError(Figure error) {
        return with(new Companion(error.name, Companion.How.ERROR));
    }

    private Figure with(Companion newCompanion) {
        return new Figure(name, title, unit, meaning, better, good, poor, fair, Optional.of(newCompanion), cites);
    }

    /** From these works, by their keys as in {@link dev.kelvin.part.Cites}. */
    public Figure citing(String... works) {
        return new Figure(name, title, unit, meaning, better, good, poor, fair, companion, List.of(works));
    }

    // ---- what a value says

    /** What a value says that needs no other; of a figure that is judged by another, nothing. NaN is poor. */
    public Verdict verdict(double value) {
        return verdict(Map.of(name, value));
    }

    /** Its value among those that were measured; NaN where it was not. */
    public double value(Map<String, Double> figures) {
        return figures.getOrDefault(name, Double.NaN);
    }

    /** What this figure's value among these says; nothing where it, or the one that it is judged by, was not measured. */
    public Verdict verdict(Map<String, Double> figures) {
        Double value = figures.get(name);
        if (value == null || Double.isNaN(poor)) {
            return Verdict.NONE;
        }
        return value.isNaN() ? Verdict.POOR : graded(judged(figures));
    }

    /** Whether its value among these is poor. */
    public boolean isPoor(Map<String, Double> figures) {
        return verdict(figures) == Verdict.POOR;
    }

    private Verdict graded(OptionalDouble judged) {
        if (judged.isEmpty()) {
            return Verdict.NONE;
        }
        double value = judged.getAsDouble();
        boolean isGood = switch (better) {
            case LOWER -> value < good;
            case HIGHER -> value >= good;
            default -> value >= good && value <= poor;
        };
        boolean isPoor = switch (better) {
            case LOWER -> value >= poor;
            case HIGHER -> value < poor;
            default -> !isGood && !isFair(value);
        };
        return isGood ? Verdict.GOOD : isPoor ? Verdict.POOR : Double.isNaN(good) ? Verdict.NONE : Verdict.FAIR;
    }

    private boolean isFair(double value) {
        return fair.filter(band -> value >= band.low && value <= band.high).isPresent();
    }

    /**
     * The number that is compared with what is good and poor: the value, its excess over its companion or its share of
     * it; empty where that was not measured or is not a number.
     */
    public OptionalDouble judged(Map<String, Double> figures) {
        Double value = figures.get(name);
        if (value == null) {
            return OptionalDouble.empty();
        }
        double found = companion
                .map(other -> other.judged(value, figures.getOrDefault(other.name(), Double.NaN)))
                .orElse(value);
        return Double.isNaN(found) ? OptionalDouble.empty() : OptionalDouble.of(found);
    }

    /** The best of several runs' values; empty where no way is better, or fewer than two differ. */
    public OptionalDouble best(double... values) {
        double[] known = Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
        DoubleUnaryOperator badness = switch (better) {
            case LOWER -> v -> v;
            case HIGHER -> v -> -v;
            case NEAR_ZERO -> Math::abs;
            case INSIDE -> v -> Math.max(0, Math.max(good - v, v - poor));
            case NEITHER -> v -> 0;
        };
        double least = Arrays.stream(known).map(badness).min().orElse(0);
        double most = Arrays.stream(known).map(badness).max().orElse(0);
        return least < most
                ? Arrays.stream(known)
                        .filter(v -> badness.applyAsDouble(v) == least)
                        .findFirst()
                : OptionalDouble.empty();
    }

    // ---- all figures

    @Override
    public List<Figure> figures() {
        return List.of(this);
    }

    /** The public constants of these classes that are figures, in the order in which they are declared. */
    public static List<Figure> declaredIn(Class<?>... types) {
        return Stream.of(types)
                .flatMap(type -> Stream.of(type.getFields()))
                .filter(constant -> constant.getType() == Figure.class)
                .map(Figure::value)
                .toList();
    }

    private static Figure value(Field constant) {
        try {
            return (Figure) constant.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(constant + " belongs to a class that is not public", e);
        }
    }

    /** Every declared figure, families among them, in the order in which people want to see them. */
    public static List<Figure> all() {
        return List.copyOf(Declared.ALL.values());
    }

    /** The figure that is so called: one declared by this name, or the member of the family with the longest name. */
    public static Optional<Figure> find(String name) {
        return declaredAs(name)
                .map(declared -> Objects.requireNonNull(Declared.ALL.get(declared)))
                .map(figure -> figure.isFamily() ? figure.member(name) : figure);
    }

    /** The declared figure, or one that has nothing but its name: files of other versions may have such. */
    public static Figure named(String name) {
        return find(name).orElseGet(() -> undeclared(name, name, ""));
    }

    /** The figures of these names in declared order, a family's members in the names' order, undeclared ones last. */
    public static List<Figure> ordered(Collection<String> names) {
        List<String> declared = List.copyOf(Declared.ALL.keySet());
        return names.stream()
                .distinct()
                .sorted(Comparator.comparingInt(name -> {
                    int place = declared.indexOf(declaredAs(name).orElse(""));
                    return place < 0 ? declared.size() : place;
                }))
                .map(Figure::named)
                .toList();
    }

    /** The name of the declaration: the figure's own, or its family's. */
    private static Optional<String> declaredAs(String name) {
        return Declared.ALL.containsKey(name)
                ? Optional.of(name)
                : Declared.ALL.values().stream()
                        .filter(figure -> figure.holds(name))
                        .map(Figure::name)
                        .max(Comparator.comparingInt(String::length));
    }

    /** Whether it is declared for all names of a kind. */
    public boolean isFamily() {
        return name.endsWith(ANY);
    }

    /** Whether a name is of this family. */
    private boolean holds(String member) {
        return isFamily() && member.length() >= name.length() && member.startsWith(stem());
    }

    private String stem() {
        return name.substring(0, name.length() - ANY.length());
    }

    private Figure member(String member) {
        String rest = member.substring(stem().length());
        String words = rest.replace('_', ' ');
        return new Figure(
                member,
                title.replace(ANY, words),
                unit,
                meaning.replace(ANY, words),
                better,
                good,
                poor,
                fair,
                companion.map(other -> new Companion(other.name().replace(ANY, rest), other.how())),
                cites);
    }
}

package dev.kelvin.model;

import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.Words;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Cells that samples keep to, as a user says them: {@code amount=100}, or several in one text, {@code amount=100,hour=3}. */
final class GivenCells {
    private static final String OPTION = "--given ";

    private static final Map<Kind, String> REFUSED = Map.of(
            Kind.LABEL,
            "that column is the label, which the model has never seen as an input; of a model with classes --class says it",
            Kind.CONSTANT,
            "all training rows have the same value there, so the model knows no other",
            Kind.UNUSED,
            "that column is not an input of the model");

    private final Schema schema;
    private final double[] inputs;
    private final Set<String> seen = new HashSet<>();

    private GivenCells(Schema schema) {
        this.schema = schema;
        this.inputs = new double[schema.width()];
        Arrays.fill(inputs, Double.NaN);
    }

    /** A row's inputs in the table's own units, NaN where nothing is given. */
    static double[] parse(Schema schema, List<String> texts) {
        GivenCells given = new GivenCells(schema);
        texts.stream()
                .flatMap(text -> Stream.of(text.split(",(?=[^,=]+=)", -1)))
                .forEach(given::add);
        if (given.seen.size() == schema.used().size()) {
            throw new InvalidInputException(
                    "--given names all columns of the table, and leaves none to be sampled; 'kelvin score' says how likely such a row is");
        }
        return given.inputs;
    }

    private void add(String text) {
        Column column = column(text);
        String value = text.substring(Math.min(text.length(), column.name().length() + 1))
                .strip();
        if (!seen.add(column.name())) {
            throw new InvalidInputException(OPTION + "says what " + Words.quote(column.name()) + " is twice");
        }
        int at = first(column);
        if (column.kind() == Kind.ONE_HOT) {
            int word = column.words().indexOf(value);
            if (word < 0) {
                throw new InvalidInputException(
                        OPTION + Words.unknown(Words.quote(column.name()), "word ", value, "it has", column.words()));
            }
            Arrays.fill(inputs, at, at + column.inputs(), 0);
            inputs[at + word] = 1;
            return;
        }
        inputs[at] = number(column, value);
    }

    private static double number(Column column, String value) {
        double number;
        try {
            number = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            number = Double.NaN;
        }
        if (!Double.isFinite(number)) {
            throw new InvalidInputException(OPTION + column.name() + " takes a number such as "
                    + Words.number(column.low()) + ", in the table's units; found " + Words.quote(value));
        }
        return number;
    }

    /** The column that is named: a name may have an equals sign itself. */
    private Column column(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text.strip() : text.substring(0, equals).strip();
        Column found = schema.columns().stream()
                .filter(column -> text.startsWith(column.name() + "="))
                .max(Comparator.comparingInt(column -> column.name().length()))
                .orElseThrow(() -> new InvalidInputException(
                        equals < 0
                                ? "--given takes COLUMN=VALUE, such as "
                                        + schema.used().get(0).name() + "="
                                        + Words.number(schema.used().get(0).high()) + "; found " + Words.quote(text)
                                : OPTION + Words.unknown("the table", "column ", name, "it has", names())));
        String refused = REFUSED.get(found.kind());
        if (refused != null) {
            throw new InvalidInputException(OPTION + found.name() + ": " + refused);
        }
        return found;
    }

    private List<String> names() {
        return schema.used().stream().map(Column::name).toList();
    }

    /** The place of a column's first input. */
    private int first(Column wanted) {
        return schema.used().stream()
                .takeWhile(column -> !column.equals(wanted))
                .mapToInt(Column::inputs)
                .sum();
    }
}

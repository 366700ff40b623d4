package dev.kelvin.spark;

import dev.kelvin.data.table.Schema;
import dev.kelvin.model.SampleKind;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.Words;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/**
 * Which columns of a DataFrame hold a model's samples, found when the job is planned: what does not fit is refused before it runs.
 *
 * @param places their places, in the order in which the model takes them
 * @param names their names
 * @param array whether the one column holds an array of all values
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SampleColumns(int[] places, List<String> names, boolean array) implements Serializable {
    private static final int NAMED = 20;

    SampleColumns {
        names = List.copyOf(names);
    }

    /** Of samples of this kind; the columns that a caller names, if there are any. */
    static SampleColumns of(StructType schema, SampleKind kind, List<String> named) {
        if (kind instanceof SampleKind.Rows rows) {
            return rows(schema, rows.schema(), named);
        }
        return kind.images().isPresent() ? images(schema, kind, named) : points(schema, kind, named);
    }

    private static SampleColumns rows(StructType schema, Schema table, List<String> named) {
        if (!named.isEmpty()) {
            throw new InvalidInputException(
                    "columns are named for points and images; those of a table are found by the names that it was learnt with");
        }
        List<String> wanted = table.used().stream().map(Schema.Column::name).toList();
        requireThere(schema, wanted);
        for (Schema.Column column : table.used()) {
            boolean words = column.kind() == Schema.Kind.ONE_HOT;
            requireType(
                    schema,
                    column.name(),
                    type -> isNumber(type) || type instanceof StringType || (words && type instanceof BooleanType),
                    words ? "a word" : "a number");
        }
        return new SampleColumns(places(schema, wanted), wanted, false);
    }

    private static SampleColumns points(StructType schema, SampleKind kind, List<String> named) {
        int width = kind.width();
        List<String> found = named.isEmpty() ? usual(schema, width) : named;
        requireThere(schema, found);
        boolean array = found.size() == 1 && isNumbers(type(schema, found.get(0)));
        if (!array && found.size() != width) {
            throw unclear(schema, kind);
        }
        if (!array) {
            found.forEach(name ->
                    requireType(schema, name, type -> isNumber(type) || type instanceof StringType, "a number"));
        }
        return new SampleColumns(places(schema, found), found, array);
    }

    /** The only array of numbers, otherwise all columns of numbers, otherwise those of text, as CSV is read. */
    private static List<String> usual(StructType schema, int width) {
        List<String> arrays = named(schema, SampleColumns::isNumbers);
        List<String> numbers = named(schema, SampleColumns::isNumber);
        List<String> texts = named(schema, StringType.class::isInstance);
        if (arrays.size() == 1) {
            return arrays;
        }
        return numbers.isEmpty() && texts.size() == width ? texts : numbers;
    }

    private static SampleColumns images(StructType schema, SampleKind kind, List<String> named) {
        List<String> bytes = named(schema, BinaryType.class::isInstance);
        List<String> found =
                !named.isEmpty() ? named : bytes.size() == 1 ? bytes : named(schema, SampleColumns::isNumbers);
        requireThere(schema, found);
        if (found.size() != 1) {
            throw unclear(schema, kind);
        }
        String name = found.get(0);
        requireType(
                schema,
                name,
                type -> type instanceof BinaryType || isNumbers(type),
                "the bytes of a picture or an array of pixels");
        return new SampleColumns(places(schema, found), found, isNumbers(type(schema, name)));
    }

    private static InvalidInputException unclear(StructType schema, SampleKind kind) {
        return new InvalidInputException("the model takes " + kind.words() + " from each row: name "
                + (kind.images().isPresent()
                        ? "the column that holds the bytes of a picture or an array of pixels"
                        : "the columns that hold its values, or the one that holds an array of them")
                + " (columns, --columns); there are " + shown(schema));
    }

    // ---- of schemas

    private static void requireThere(StructType schema, List<String> wanted) {
        List<String> names = List.of(schema.fieldNames());
        List<String> lacking =
                wanted.stream().filter(name -> !names.contains(name)).toList();
        if (!lacking.isEmpty()) {
            throw new InvalidInputException("there is no column "
                    + lacking.stream().map(Words::quote).collect(Collectors.joining(", "))
                    + ", which the model needs; there are " + shown(schema));
        }
        wanted.stream()
                .filter(name -> names.indexOf(name) != names.lastIndexOf(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new InvalidInputException(
                            "there are two columns named " + Words.quote(name) + "; rename one");
                });
    }

    private static void requireType(StructType schema, String name, Predicate<DataType> fits, String expected) {
        DataType type = type(schema, name);
        if (!fits.test(type)) {
            throw new InvalidInputException("column " + Words.quote(name) + " has the type " + type.simpleString()
                    + "; the model takes " + expected + " there: cast the column"
                    + (type.typeName().equals("vector") ? " by vector_to_array" : ""));
        }
    }

    private static String shown(StructType schema) {
        String names = Arrays.stream(schema.fieldNames()).limit(NAMED).collect(Collectors.joining(", "));
        int all = schema.fieldNames().length;
        return all == 0 ? "none" : all > NAMED ? names + ", ... " + all + " in all" : names;
    }

    private static List<String> named(StructType schema, Predicate<DataType> type) {
        return Arrays.stream(schema.fields())
                .filter(field -> type.test(field.dataType()))
                .map(field -> field.name())
                .toList();
    }

    private static DataType type(StructType schema, String name) {
        return schema.apply(name).dataType();
    }

    private static boolean isNumber(DataType type) {
        return type instanceof NumericType;
    }

    private static boolean isNumbers(DataType type) {
        return type instanceof ArrayType array && isNumber(array.elementType());
    }

    private static int[] places(StructType schema, List<String> names) {
        return names.stream().mapToInt(schema::fieldIndex).toArray();
    }

    /** What a sentence calls the column of a value. */
    String at(int column) {
        return "column " + Words.quote(names.get(column));
    }

    /** The number of columns. */
    int count() {
        return places.length;
    }

    /** All columns, by their places among these. */
    IntStream each() {
        return IntStream.range(0, places.length);
    }
}

package dev.kelvin.data.table;

import dev.kelvin.part.Words;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table's columns as they were when it was learnt from: what a file must have to be scored, and what each of a model's
 * inputs is. It is written into checkpoints as JSON.
 *
 * @param header whether the columns' names were in the file; others are x1, x2, ...
 * @param columns all columns of the file, in its order
 * @param classes the labels that occurred, in their order; empty where there is no label
 * @param trainOn the label of the rows that were learnt from, where not all were
 * @param unknownWord what becomes of a word that did not occur
 */
public record Schema(
        boolean header,
        List<Column> columns,
        List<String> classes,
        Optional<String> trainOn,
        TableColumns.UnknownWord unknownWord) {
    /** What a column is to the model. */
    public enum Kind {
        /** A number, as it is. */
        NUMERIC,
        /** A column of 0 and 1 for each word. */
        ONE_HOT,
        /** Dropped, because all rows have the same value. */
        CONSTANT,
        /** The label, which is never an input. */
        LABEL,
        /** Not read. */
        UNUSED
    }

    /**
     * A column of the file.
     *
     * @param name its name
     * @param kind what it is to the model
     * @param words a text column's words in the order of their inputs; of a constant one of text its only word
     * @param fill what a missing cell becomes: a number, or the place of a word; empty where missing cells are refused
     * @param low the lowest number of the rows that were learnt from, 0 where it has none
     * @param high the highest
     */
    public record Column(String name, Kind kind, List<String> words, Optional<Double> fill, double low, double high) {
        public Column {
            words = List.copyOf(words);
        }

        /** A column that is no input, or the label. */
        static Column apart(String name, Kind kind) {
            return new Column(name, kind, List.of(), Optional.empty(), 0, 0);
        }

        /** How many inputs of a model it is. */
        public int inputs() {
            return switch (kind) {
                case NUMERIC -> 1;
                case ONE_HOT -> words.size();
                case CONSTANT, LABEL, UNUSED -> 0;
            };
        }
    }

    public Schema {
        columns = List.copyOf(columns);
        classes = List.copyOf(classes);
    }

    /** How many inputs a model of this table has. */
    public int width() {
        return columns.stream().mapToInt(Column::inputs).sum();
    }

    /** The columns that are inputs, in the file's order. */
    public List<Column> used() {
        return columns.stream().filter(column -> column.inputs() > 0).toList();
    }

    /** The inputs' names: a column's, or COLUMN=WORD. */
    public List<String> inputs() {
        return used().stream()
                .flatMap(column -> column.kind == Kind.NUMERIC
                        ? Stream.of(column.name)
                        : column.words.stream().map(word -> column.name + "=" + Words.oneLine(word)))
                .toList();
    }

    /** For each input the place of its column among the used ones, so that what is said of inputs can be said of columns. */
    public int[] owners() {
        List<Column> used = used();
        return IntStream.range(0, used.size())
                .flatMap(i -> IntStream.generate(() -> i).limit(used.get(i).inputs()))
                .toArray();
    }

    /** The label's column. */
    public Optional<Column> label() {
        return columns.stream().filter(column -> column.kind == Kind.LABEL).findFirst();
    }

    /** The columns that were dropped because all rows have the same value. */
    public List<Column> constant() {
        return columns.stream().filter(column -> column.kind == Kind.CONSTANT).toList();
    }

    /** The names of these columns. */
    static List<String> names(List<Column> columns) {
        return columns.stream().map(Column::name).toList();
    }
}

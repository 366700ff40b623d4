package dev.kelvin.data.table;

import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.Words;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Where in a file that is to be scored the columns of a schema are.
 *
 * @param header whether the first row has names
 * @param cells how many cells a row has
 * @param used the places of the used columns, in the schema's order
 * @param label the place of the labels; −1 where there are none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Places(boolean header, int cells, int[] used, int label) {
    static Places of(TableSource source, Schema schema) throws UnreadableFileException {
        List<String> first = source.first();
        boolean named = source.names().isEmpty()
                && ((schema.header() && first.containsAll(Schema.names(schema.used()))) || !isRow(first, schema));
        return named && schema.header() ? byName(source, schema) : byPlace(source, schema, named);
    }

    private static Places byName(TableSource source, Schema schema) throws UnreadableFileException {
        List<String> names = source.first();
        List<String> wanted = Schema.names(schema.used());
        List<String> lacking =
                wanted.stream().filter(name -> !names.contains(name)).toList();
        if (!lacking.isEmpty()) {
            throw new UnreadableFileException(
                    source.path(),
                    "has no column " + lacking.stream().map(Words::quote).collect(Collectors.joining(", "))
                            + ", which the model needs; it has " + String.join(", ", TableLayout.shown(names)));
        }
        List<String> twice = wanted.stream()
                .filter(name -> names.indexOf(name) != names.lastIndexOf(name))
                .toList();
        if (!twice.isEmpty()) {
            throw new UnreadableFileException(
                    source.path(), "has two columns named " + Words.quote(twice.get(0)) + "; rename one");
        }
        return new Places(
                true,
                names.size(),
                wanted.stream().mapToInt(names::indexOf).toArray(),
                schema.label().map(column -> names.indexOf(column.name())).orElse(-1));
    }

    /** As many columns as the table had, or all but the label. */
    private static Places byPlace(TableSource source, Schema schema, boolean named) throws UnreadableFileException {
        int found = source.first().size();
        int all = schema.columns().size();
        List<Column> there = without(schema, found);
        if (there.size() != found) {
            throw new UnreadableFileException(
                    source.path(),
                    "has " + found + (found == 1 ? " column" : " columns") + "; the model was learnt from " + all
                            + (schema.label().isPresent() ? ", the label among them" : "")
                            + ", and without names they are found by their places");
        }
        return new Places(
                named,
                found,
                IntStream.range(0, found).filter(i -> there.get(i).inputs() > 0).toArray(),
                IntStream.range(0, found)
                        .filter(i -> there.get(i).kind() == Kind.LABEL)
                        .findFirst()
                        .orElse(-1));
    }

    /** The schema's columns that a file without names has. */
    private static List<Column> without(Schema schema, int found) {
        boolean lacksLabel =
                schema.label().isPresent() && found == schema.columns().size() - 1;
        return lacksLabel
                ? schema.columns().stream()
                        .filter(column -> column.kind() != Kind.LABEL)
                        .toList()
                : schema.columns();
    }

    /** Whether the cells may be a row of such a table: numbers where it has numbers. */
    private static boolean isRow(List<String> cells, Schema schema) {
        List<Column> there = without(schema, cells.size());
        boolean noNames = !new HashSet<>(cells).containsAll(Schema.names(schema.used()));
        return there.size() == cells.size()
                ? noNames
                        && IntStream.range(0, cells.size())
                                .allMatch(i -> there.get(i).kind() != Kind.NUMERIC || TableLayout.isValue(cells.get(i)))
                : cells.stream().allMatch(TableLayout::isValue);
    }
}

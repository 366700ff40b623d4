package dev.kelvin.data.table;

import dev.kelvin.data.table.TableColumns.Header;
import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Where in a file the columns are that settings name.
 *
 * @param header whether the first row has names
 * @param names of all columns
 * @param used the places of those that are learnt from, ascending
 * @param label the place of the labels; −1 where there are none
 * @param remarks what may be wrong with it, a sentence each
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TableLayout(boolean header, List<String> names, int[] used, int label, List<String> remarks) {
    static TableLayout of(TableSource source, TableColumns settings) throws UnreadableFileException {
        List<String> first = source.first();
        if (first.size() > TableSource.MOST_COLUMNS) {
            throw new UnreadableFileException(
                    source.path(),
                    "has " + first.size() + " columns; at most " + TableSource.MOST_COLUMNS + " are read");
        }
        boolean own = !source.names().isEmpty();
        long numbers = first.stream().filter(TableLayout::isNumber).count();
        boolean header = !own
                && switch (settings.header()) {
                    case AUTO -> !isData(source.start());
                    case PRESENT -> true;
                    case ABSENT -> false;
                };
        List<String> names = own ? source.names() : named(header ? first : Collections.nCopies(first.size(), ""));
        requireOnce(source, names);
        List<String> remarks = own || settings.header() != Header.AUTO ? List.of() : remarks(first, header, numbers);
        int label = label(source, settings, names);
        return new TableLayout(header, names, used(source, settings, names, label), label, remarks);
    }

    /** Whether the first row is one like the others: of numbers, or with numbers and with a word that comes again. */
    private static boolean isData(List<List<String>> start) {
        List<String> first = start.get(0);
        return first.stream().allMatch(TableLayout::isValue)
                || (first.stream().anyMatch(TableLayout::isNumber)
                        && IntStream.range(0, first.size())
                                .filter(i -> !isValue(first.get(i)))
                                .anyMatch(i -> start.stream()
                                        .skip(1)
                                        .anyMatch(row ->
                                                i < row.size() && row.get(i).equals(first.get(i)))));
    }

    static boolean isNumber(String cell) {
        return !Double.isNaN(TableSource.number(cell));
    }

    /** Whether a cell is what a row of numbers may have. An empty cell is, if it stands beside a number. */
    static boolean isValue(String cell) {
        return isNumber(cell) || TableSource.isMissing(cell) || CellProblem.isInfinite(0, cell);
    }

    /** A column without a name is x and its number. */
    private static List<String> named(List<String> cells) {
        return IntStream.range(0, cells.size())
                .mapToObj(i -> cells.get(i).isEmpty() ? "x" + (i + 1) : cells.get(i))
                .toList();
    }

    private static void requireOnce(TableSource source, List<String> names) throws UnreadableFileException {
        for (int i = 0; i < names.size(); i++) {
            int before = names.indexOf(names.get(i));
            if (before < i) {
                throw new UnreadableFileException(
                        source.path(),
                        "has two columns named " + Words.quote(names.get(i)) + ", the " + (before + 1) + ". and the "
                                + (i + 1) + ".; rename one");
            }
        }
    }

    private static List<String> remarks(List<String> first, boolean header, long numbers) {
        if (header && numbers > 0) {
            return List.of("The first row was taken for the columns' names, though " + numbers + " of its "
                    + first.size() + " cells are numbers; set header: absent if it is data.");
        }
        boolean counted = first.size() > 2
                && IntStream.range(0, first.size()).allMatch(i -> first.get(i).equals(Integer.toString(i)));
        return !header && counted
                ? List.of("The first row is 0, 1, 2, ..., and was taken for data; set header: present if it counts the"
                        + " columns.")
                : List.of();
    }

    private static int label(TableSource source, TableColumns settings, List<String> names) {
        Optional<String> wanted = settings.label();
        if (wanted.isPresent()) {
            return place(source, "label", wanted.get(), names);
        }
        return source.names().contains(TableSource.LABELS) ? source.names().indexOf(TableSource.LABELS) : -1;
    }

    private static int[] used(TableSource source, TableColumns settings, List<String> names, int label) {
        settings.exclude().forEach(name -> place(source, "exclude", name, names));
        int[] used = settings.columns().isEmpty()
                ? IntStream.range(0, names.size())
                        .filter(i -> i != label && !settings.exclude().contains(names.get(i)))
                        .filter(i -> source.names().isEmpty() || !names.get(i).equals(TableSource.LABELS))
                        .toArray()
                : settings.columns().stream()
                        .mapToInt(name -> place(source, "columns", name, names))
                        .sorted()
                        .toArray();
        if (used.length == 0) {
            throw new SettingException(
                    settings.exclude().isEmpty() ? "label" : "exclude",
                    "leaves no column of " + source.path().getFileName() + " to learn from");
        }
        return used;
    }

    private static int place(TableSource source, String setting, String name, List<String> names) {
        int place = names.indexOf(name);
        if (place < 0) {
            throw new SettingException(
                    setting,
                    "names " + Words.quote(name) + ", and " + source.path().getFileName() + " has no such column"
                            + Words.nearest(name, names)
                                    .map(near -> "; did you mean '" + near + "'?")
                                    .orElse("")
                            + " (it has " + String.join(", ", shown(names)) + ")");
        }
        return place;
    }

    /** Not more names than a sentence bears. */
    static List<String> shown(List<String> names) {
        int most = 20;
        if (names.size() <= most) {
            return names;
        }
        List<String> shown = new ArrayList<>(names.subList(0, most));
        shown.add("... " + names.size() + " in all");
        return shown;
    }
}

package dev.kelvin.data.table;

import dev.kelvin.data.table.TableColumns.Header;
import dev.kelvin.data.table.TableColumns.Missing;
import dev.kelvin.data.table.TableColumns.Text;
import dev.kelvin.data.table.TableColumns.UnknownWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Small tables and settings for tests. */
public final class Tables {
    private Tables() {}

    public static final TableColumns ONE_HOT = settings(Missing.REFUSE, Text.ONE_HOT, UnknownWord.REFUSE);
    public static final TableColumns MEAN = settings(Missing.MEAN, Text.REFUSE, UnknownWord.REFUSE);
    public static final TableColumns MEDIAN = settings(Missing.MEDIAN, Text.REFUSE, UnknownWord.REFUSE);

    public static TableColumns settings(Missing missing, Text text, UnknownWord unknown) {
        return new TableColumns(
                List.of(), List.of(), Optional.empty(), Optional.empty(), missing, text, unknown, Header.AUTO);
    }

    public static TableColumns only(String... columns) {
        return named(List.of(columns), List.of());
    }

    public static TableColumns without(String... columns) {
        return named(List.of(), List.of(columns));
    }

    private static TableColumns named(List<String> columns, List<String> exclude) {
        return new TableColumns(
                columns,
                exclude,
                Optional.empty(),
                Optional.empty(),
                Missing.REFUSE,
                Text.REFUSE,
                UnknownWord.REFUSE,
                Header.AUTO);
    }

    public static TableColumns label(String name) {
        return new TableColumns(
                List.of(),
                List.of(),
                Optional.of(name),
                Optional.empty(),
                Missing.REFUSE,
                Text.REFUSE,
                UnknownWord.REFUSE,
                Header.AUTO);
    }

    public static TableColumns trainOn(String label, String word) {
        return new TableColumns(
                List.of(),
                List.of(),
                Optional.of(label),
                Optional.of(word),
                Missing.REFUSE,
                Text.REFUSE,
                UnknownWord.REFUSE,
                Header.AUTO);
    }

    public static TableColumns header(Header header) {
        return new TableColumns(
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Missing.REFUSE,
                Text.REFUSE,
                UnknownWord.REFUSE,
                header);
    }

    public static NumberTable read(Path folder, String text, TableColumns settings) throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        return TableReader.read(file, settings, TableProgress.NONE);
    }

    /** All rows, one after the other. */
    public static double[] all(NumberTable table) {
        return table.inputs(rows(table));
    }

    public static int[] rows(NumberTable table) {
        return IntStream.range(0, table.rows()).toArray();
    }

    /** Numbers as a CSV file with names a, b, ... */
    public static String csv(int width, double... values) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < width; i++) {
            text.append(i == 0 ? "" : ",").append((char) ('a' + i));
        }
        for (int i = 0; i < values.length; i++) {
            text.append(i % width == 0 ? "\n" : ",").append(values[i]);
        }
        return text.append('\n').toString();
    }
}

package dev.kelvin.data.table.file;

import dev.kelvin.data.format.InputFile;
import dev.kelvin.io.UnreadableFileException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** A table's rows from front to back, one at a time, as cells that may be asked for their number or their text. */
public interface TableSource extends Closeable {
    /** More inputs than any network here is for, and a matrix of as many rows and columns still fits into memory. */
    int MOST_COLUMNS = 4096;

    /** Characters of a row: a longer one is no row of a table that a model could learn from. */
    int LONGEST_LINE = 1 << 24;

    /** The name of an npz file's labels. */
    String LABELS = "y";

    /** What stands for a value that is not there, in small letters. */
    Set<String> MISSING = Set.of("", "nan", "na", "n/a", "null", "none", "?");

    /** The file, as messages call it. */
    Path path();

    /** The cells of the first rows, which {@link #next} gives again; none where there is no row at all. */
    List<List<String>> start();

    /**
     * The first row's cells.
     *
     * @throws UnreadableFileException if there is no row
     */
    default List<String> first() throws UnreadableFileException {
        if (start().isEmpty()) {
            throw new UnreadableFileException(path(), "is empty: it has no row");
        }
        return start().get(0);
    }

    /** The columns' names where the format has them; empty where the first row may hold them. */
    default List<String> names() {
        return List.of();
    }

    /** How many rows there are, where the format says so. */
    default OptionalLong count() {
        return OptionalLong.empty();
    }

    /** Goes to the next row; false after the last. The first row is the first that this goes to. */
    boolean next() throws IOException;

    /** How many cells the row has. */
    int cells();

    /** The cell's number; NaN where it has none or is NaN. */
    double number(int cell);

    /** The cell's text without spaces around it. */
    String text(int cell);

    /** The line on which the row begins, from 1; 0 where the format has no lines. */
    default long line() {
        return 0;
    }

    /** The share of the file that has been read; nothing where it is a stream, whose size is not known. */
    OptionalDouble share();

    /** Opens a file, or a stream, by what it holds, not by its name. */
    static TableSource open(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new UnreadableFileException(path, "is a folder; a table is one CSV, .npy or .npz file");
        }
        InputFile input = InputFile.open(path);
        try {
            return open(input);
        } catch (IOException e) {
            input.close();
            throw input.unreadable(e);
        } catch (RuntimeException e) {
            input.close();
            throw e;
        }
    }

    private static TableSource open(InputFile input) throws IOException {
        if (input.atEnd()) {
            throw new UnreadableFileException(input.path(), "is empty");
        }
        if (input.begins(0x93, 'N', 'U', 'M', 'P', 'Y')) {
            return NpySource.npy(input);
        }
        if (input.begins('P', 'K')) {
            return NpySource.npz(input);
        }
        if (input.begins('P', 'A', 'R', '1')) {
            throw new UnreadableFileException(input.path(), "is a Parquet file; save the table as CSV or .npy");
        }
        if (input.begins(0xFF, 0xFE) || input.begins(0xFE, 0xFF)) {
            throw new UnreadableFileException(input.path(), "is text in UTF-16; save it as UTF-8");
        }
        return new CsvSource(input);
    }

    /** The number that a text is; NaN where it is none. */
    static double number(String text) {
        return Decimal.parse(text);
    }

    /** Whether this text stands for a value that is not there. */
    static boolean isMissing(String text) {
        return text.length() <= 4 && MISSING.contains(text.toLowerCase(Locale.ROOT));
    }
}

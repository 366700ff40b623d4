package dev.kelvin.data.table;

import dev.kelvin.data.table.Schema.Kind;
import dev.kelvin.data.table.TableColumns.Missing;
import dev.kelvin.data.table.TableColumns.Text;
import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads a table to be learnt from, once, from front to back. The first cell that cannot be a number ends it with a
 * sentence that names row and column: what is learnt from must be whole.
 */
public final class TableReader {
    /** More words than these are names or numbers of things, of which a model learns nothing. */
    static final int MOST_WORDS = 100;

    /** More labels than these are measurements, not classes. */
    static final int MOST_CLASSES = 1000;

    private static final int TOLD_EVERY = 1 << 14; // rows

    private final TableSource source;
    private final TableColumns settings;
    private final TableLayout layout;
    private final List<double[]> cells = new ArrayList<>();
    private final WordCodes[] words; // a text column's; of a column that is none, without a word
    private final boolean[] decided; // whether a column has had a cell that is not missing
    private final WordCodes classes = new WordCodes();
    private final List<Integer> labels = new ArrayList<>();

    private TableReader(TableSource source, TableColumns settings) throws IOException {
        this.source = source;
        this.settings = settings;
        this.layout = TableLayout.of(source, settings);
        int width = layout.used().length;
        words = new WordCodes[width];
        Arrays.setAll(words, i -> new WordCodes());
        decided = new boolean[width];
    }

    /**
     * Reads a file.
     *
     * @throws UnreadableFileException if it is no table that can be learnt from, with row and column
     * @throws SettingException if a setting names a column or a label that is not there
     */
    public static NumberTable read(Path path, TableColumns settings, TableProgress progress) throws IOException {
        try (TableSource source = TableSource.open(path)) {
            return new TableReader(source, settings).read(progress);
        }
    }

    private NumberTable read(TableProgress progress) throws IOException {
        if (layout.header()) {
            source.next();
        }
        while (source.next()) {
            double[] values = new double[layout.used().length];
            cells.add(values);
            if (source.cells() != layout.names().size()) {
                throw wrong(where() + " "
                        + CellProblem.cells(source.cells(), layout.names().size())
                        + (layout.header() ? ", as many as the header has" : ", as many as row 1 has"));
            }
            for (int i = 0; i < values.length; i++) {
                values[i] = cell(i, layout.used()[i]);
            }
            if (layout.label() >= 0) {
                addLabel();
            }
            if (cells.size() % TOLD_EVERY == 0) {
                progress.at(cells.size(), source.share());
            }
        }
        progress.at(cells.size(), source.share());
        return table();
    }

    private double cell(int i, int cell) throws UnreadableFileException {
        boolean text = words[i].size() > 0;
        double number = text ? Double.NaN : source.number(cell);
        if (Double.isFinite(number)) {
            decided[i] = true;
            return number;
        }
        String found = source.text(cell);
        if (TableSource.isMissing(found)) {
            if (settings.missing() == Missing.REFUSE) {
                throw wrong(where(cell) + " " + CellProblem.of(number, found)
                        + "; set missing: mean or median to fill it, or exclude the column");
            }
            return Double.NaN;
        }
        if (!text && CellProblem.isInfinite(number, found)) {
            throw wrong(where(cell) + " " + CellProblem.of(number, found));
        }
        if (settings.text() == Text.REFUSE || (decided[i] && !text)) {
            throw wrong(where(cell) + " " + CellProblem.of(number, found)
                    + (decided[i]
                            ? ", in a column of numbers"
                            : "; set text: one-hot to learn from words, or exclude the column"));
        }
        decided[i] = true;
        int code = words[i].code(found);
        if (code >= MOST_WORDS) {
            throw wrong(where(cell) + " is the column's " + (code + 1) + "th different word; at most " + MOST_WORDS
                    + " become one-hot: exclude the column");
        }
        return code;
    }

    private void addLabel() throws UnreadableFileException {
        String found = source.text(layout.label());
        labels.add(TableSource.isMissing(found) ? WordCodes.NONE : classes.code(WordCodes.word(found)));
        if (classes.size() > MOST_CLASSES) {
            throw wrong(where(layout.label()) + " is the " + classes.size() + "th different label; at most "
                    + MOST_CLASSES + " classes are supported");
        }
    }

    private NumberTable table() throws UnreadableFileException {
        int rows = cells.size();
        if (rows < 2) {
            throw wrong(
                    rows == 0
                            ? (layout.header() ? "has a header and no rows" : "has no rows")
                            : "has one row; a density is learnt from two or more");
        }
        int[] places = classes.places();
        int[] sorted = labels.stream()
                .mapToInt(label -> label < 0 ? WordCodes.NONE : places[label])
                .toArray();
        boolean[] learnt = learnt(rows);
        List<Schema.Column> columns = new ArrayList<>();
        for (int cell = 0; cell < layout.names().size(); cell++) {
            int i = Arrays.binarySearch(layout.used(), cell);
            String name = layout.names().get(cell);
            columns.add(
                    i >= 0
                            ? column(i, name, learnt)
                            : Schema.Column.apart(name, cell == layout.label() ? Kind.LABEL : Kind.UNUSED));
        }
        int[] used = IntStream.range(0, layout.used().length)
                .filter(i -> columns.get(layout.used()[i]).kind() != Kind.CONSTANT)
                .toArray();
        if (used.length == 0) {
            throw wrong(
                    layout.used().length == 1
                            ? "has one column to learn from, and it is constant"
                            : "has " + layout.used().length + " columns to learn from, and all are constant");
        }
        Schema schema =
                new Schema(layout.header(), columns, classes.sorted(), settings.trainOn(), settings.unknownWord());
        return new NumberTable(source.path(), schema, cells, used, sorted, layout.remarks());
    }

    /** Which rows are learnt from. */
    private boolean[] learnt(int rows) {
        boolean[] learnt = new boolean[rows];
        Arrays.fill(learnt, true);
        Optional<String> only = settings.trainOn();
        if (only.isPresent()) {
            int count = 0;
            for (int i = 0; i < rows; i++) {
                learnt[i] = labels.get(i) >= 0 && classes.word(labels.get(i)).equals(only.get());
                count += learnt[i] ? 1 : 0;
            }
            if (count < 2) {
                throw new SettingException(
                        "trainOn",
                        "is " + Words.quote(only.get()) + ", the label of " + (count == 1 ? "one row" : "no row")
                                + " in column " + Words.quote(layout.names().get(layout.label()))
                                + "; two or more are needed (it has "
                                + String.join(", ", TableLayout.shown(classes.sorted())) + ")");
            }
        }
        return learnt;
    }

    private Schema.Column column(int i, String name, boolean[] learnt) throws UnreadableFileException {
        ColumnSummary summary = ColumnSummary.of(cells, i, learnt, words[i], settings.missing());
        if (summary.values() == 0) {
            throw wrong("column " + Words.quote(name) + " has no value at all in the rows to learn from; exclude it");
        }
        Kind kind = summary.low() == summary.high() ? Kind.CONSTANT : words[i].size() > 0 ? Kind.ONE_HOT : Kind.NUMERIC;
        return new Schema.Column(name, kind, words[i].sorted(), summary.fill(), summary.low(), summary.high());
    }

    private String where() {
        return CellProblem.row(cells.size(), source.line());
    }

    private String where(int cell) {
        return where() + ", column " + Words.quote(layout.names().get(cell));
    }

    private UnreadableFileException wrong(String problem) {
        return new UnreadableFileException(source.path(), problem);
    }
}

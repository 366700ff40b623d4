package dev.kelvin.data.table.file;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.kelvin.data.format.InputFile;
import dev.kelvin.io.UnreadableFileException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/** The rows of a CSV file, which FastCSV splits into cells. Blank lines are skipped. */
final class CsvSource implements TableSource {
    private static final int LOOKED_AT = 20; // rows, to tell names from data
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputFile input;
    private final Iterator<Row> rows;
    private final Deque<Row> ahead = new ArrayDeque<>();
    private final List<List<String>> start;
    private Row row = new Row(0, List.of(), false);
    private long line; // on which the row begins that is read

    /** The rows of an input, which is closed with them. */
    CsvSource(InputFile input) throws IOException {
        this.input = input;
        int most = Separator.LOOKED_AT + BYTE_ORDER_MARK.length;
        PushbackInputStream in = new PushbackInputStream(input.unpacked(), most);
        byte[] first = in.readNBytes(most);
        requireText(first);
        int mark = BYTE_ORDER_MARK.length;
        int begin = first.length >= mark && Arrays.equals(first, 0, mark, BYTE_ORDER_MARK, 0, mark) ? mark : 0;
        in.unread(first, begin, first.length - begin);
        char separator = Separator.of(Arrays.copyOfRange(first, begin, first.length));
        Handler handler = new Handler(separator == ' ');
        rows = CsvReader.builder()
                .fieldSeparator(separator)
                .trimWhitespacesAroundQuotes(separator != ' ')
                .allowUnclosedQuote(false)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(LONGEST_LINE)
                .build(handler, new InputStreamReader(in, StandardCharsets.UTF_8))
                .iterator();
        while (ahead.size() < LOOKED_AT && read()) {
            ahead.add(row);
        }
        start = ahead.stream().map(Row::cells).toList();
    }

    private void requireText(byte[] first) throws UnreadableFileException {
        for (int i = 0; i < first.length && first[i] != '\n'; i++) {
            if (first[i] >= 0 && first[i] < ' ' && "\t\r\f".indexOf(first[i]) < 0) {
                throw wrong("is no text: byte " + i + " is " + first[i]
                        + "; a table is a CSV, .npy or .npz file (save a spreadsheet as CSV)");
            }
        }
    }

    /** A row's cells, without spaces around them. */
    private record Row(long line, List<String> cells, boolean quoted) {
        boolean isBlank() {
            return cells.isEmpty()
                    || (cells.size() == 1 && !quoted && cells.get(0).isEmpty());
        }
    }

    /** Puts the cells that FastCSV finds into a row; between spaces there are none. */
    private final class Handler extends AbstractBaseCsvCallbackHandler<Row> {
        private final boolean spaces;
        private List<String> cells = List.of();
        private int length;
        private boolean quotes;

        Handler(boolean spaces) {
            this.spaces = spaces;
        }

        @Override
        protected void handleBegin(long number) {
            line = number;
            cells = new ArrayList<>();
            length = 0;
            quotes = false;
        }

        @Override
        protected void handleField(int place, char[] buffer, int offset, int count, boolean quoted) {
            length += count + 1;
            if (length > LONGEST_LINE) {
                throw new UncheckedIOException(tooLong());
            }
            if (count > 0 || !spaces) {
                cells.add(new String(buffer, offset, count).strip());
                quotes |= quoted;
            }
        }

        @Override
        protected Row buildRecord() {
            return new Row(line, cells, quotes);
        }
    }

    private boolean read() throws UnreadableFileException {
        try {
            while (rows.hasNext()) {
                row = rows.next();
                if (!row.isBlank()) {
                    return true;
                }
            }
            return false;
        } catch (UncheckedIOException e) {
            throw UnreadableFileException.of(path(), Objects.requireNonNull(e.getCause()));
        } catch (CsvParseException e) {
            String problem = String.valueOf(e.getMessage());
            throw problem.startsWith("Unclosed")
                    ? wrong("opens a quote on line " + line + " that is never closed")
                    : problem.startsWith("Unexpected")
                            ? wrong("has quotes on line " + line + " that cannot be read")
                            : tooLong();
        }
    }

    private UnreadableFileException tooLong() {
        return wrong("has a row on line " + line + " that does not end within " + LONGEST_LINE
                + " characters; rows of a table are shorter, unless a quote is not closed");
    }

    private UnreadableFileException wrong(String problem) {
        return new UnreadableFileException(path(), problem);
    }

    @Override
    public Path path() {
        return input.path();
    }

    @Override
    public List<List<String>> start() {
        return start;
    }

    @Override
    public boolean next() throws IOException {
        if (ahead.isEmpty()) {
            return read();
        }
        row = ahead.remove();
        return true;
    }

    @Override
    public int cells() {
        return row.cells.size();
    }

    @Override
    public double number(int cell) {
        return Decimal.parse(row.cells.get(cell));
    }

    @Override
    public String text(int cell) {
        return row.cells.get(cell);
    }

    @Override
    public long line() {
        return row.line;
    }

    @Override
    public OptionalDouble share() {
        return input.share();
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}

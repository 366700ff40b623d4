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
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** The rows of a CSV file, which FastCSV splits into cells. Blank lines are skipped. */
final class CsvSource implements TableSource {
    private static final int LOOKED_AT = 20; // rows, to tell names from data
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputFile input;
    private final Iterator<Row> rows;
    private final Deque<Row> ahead = new ArrayDeque<>();
    private final List<List<String>> start;
    private Row row = new Row(0, 0);
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
        start = ahead.stream().map(Row::texts).toList();
    }

    private void requireText(byte[] first) throws UnreadableFileException {
        for (int i = 0; i < first.length && first[i] != '\n'; i++) {
            if (first[i] >= 0 && first[i] < ' ' && "\t\r\f".indexOf(first[i]) < 0) {
                throw wrong("is no text: byte " + i + " is " + first[i]
                        + "; a table is a CSV, .npy or .npz file (save a spreadsheet as CSV)");
            }
        }
    }

    /** A row's cells, without spaces around them, one after the other; text is made of those that are asked for it. */
    private static final class Row {
        private final long line;
        private char[] text;
        private int[] ends = new int[16];
        private int cells;
        private boolean quoted;

        Row(long line, int expected) {
            this.line = line;
            text = new char[expected];
        }

        void add(char[] buffer, int offset, int count) {
            int from = offset;
            int to = offset + count;
            while (from < to && Character.isWhitespace(buffer[from])) {
                from++;
            }
            while (from < to && Character.isWhitespace(buffer[to - 1])) {
                to--;
            }
            int begin = begin(cells);
            int end = begin + to - from;
            if (end > text.length) {
                text = Arrays.copyOf(text, 2 * end);
            }
            if (cells == ends.length) {
                ends = Arrays.copyOf(ends, 2 * cells);
            }
            System.arraycopy(buffer, from, text, begin, to - from);
            ends[cells++] = end;
        }

        int begin(int cell) {
            return cell == 0 ? 0 : ends[cell - 1];
        }

        double number(int cell) {
            return Decimal.parse(text, begin(cell), ends[cell]);
        }

        String text(int cell) {
            return new String(text, begin(cell), ends[cell] - begin(cell));
        }

        List<String> texts() {
            return IntStream.range(0, cells).mapToObj(this::text).toList();
        }

        boolean isBlank() {
            return cells == 0 || (cells == 1 && !quoted && ends[0] == 0);
        }
    }

    /** Puts the cells that FastCSV finds into a row; between spaces there are none. */
    private final class Handler extends AbstractBaseCsvCallbackHandler<Row> {
        private final boolean spaces;
        private Row filled = new Row(0, 0);
        private int length;

        Handler(boolean spaces) {
            this.spaces = spaces;
        }

        @Override
        protected void handleBegin(long number) {
            line = number;
            filled = new Row(number, length);
            length = 0;
        }

        @Override
        protected void handleField(int place, char[] buffer, int offset, int count, boolean quoted) {
            length += count + 1;
            if (length > LONGEST_LINE) {
                throw new UncheckedIOException(tooLong());
            }
            if (count > 0 || !spaces) {
                filled.add(buffer, offset, count);
                filled.quoted |= quoted;
            }
        }

        @Override
        protected Row buildRecord() {
            return filled;
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
        return row.cells;
    }

    @Override
    public double number(int cell) {
        return row.number(cell);
    }

    @Override
    public String text(int cell) {
        return row.text(cell);
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

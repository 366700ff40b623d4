package dev.kelvin.data.table.file;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import dev.kelvin.data.format.InputFile;
import dev.kelvin.io.UnreadableFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a CSV file. Cells of plain lines are numbers read from the bytes where they lie; records with quotes go
 * through FastCSV, which knows what stands in them.
 */
final class CsvSource implements TableSource {
    private static final int LOOKED_AT = 20; // rows, to tell names from data

    private final Path path;
    private final CsvRecords records;
    private final CsvReaderBuilder quotes;
    private final List<List<String>> start = new ArrayList<>();

    private int[] from = new int[16];
    private int[] to = new int[16];
    private int cells;
    private List<String> texts = List.of(); // the cells of a record with quotes; empty for another

    private CsvSource(InputFile input, CsvRecords records) throws IOException {
        this.path = input.path();
        this.records = records;
        records.separator(Separator.of(records.beginning(Separator.LOOKED_AT), records.newline()));
        quotes = CsvReader.builder()
                .fieldSeparator((char) records.separator())
                .trimWhitespacesAroundQuotes(records.separator() != ' ')
                .maxBufferSize(2 * LONGEST_LINE);
        records.hold();
        while (start.size() < LOOKED_AT && next()) {
            start.add(strings());
        }
        records.rewind();
    }

    /** The rows of an input, which is closed with them. */
    static CsvSource open(InputFile input) throws IOException {
        return new CsvSource(input, CsvRecords.open(input));
    }

    private List<String> strings() {
        List<String> strings = new ArrayList<>();
        for (int i = 0; i < cells; i++) {
            strings.add(text(i));
        }
        return strings;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public List<List<String>> start() {
        return start;
    }

    @Override
    public List<String> names() {
        return List.of();
    }

    @Override
    public boolean next() throws IOException {
        if (!records.next()) {
            return false;
        }
        texts = List.of();
        cells = 0;
        if (records.quoted()) {
            if (!simpleQuotes()) {
                quotedCells();
            }
        } else if (records.separator() == ' ') {
            spacedCells();
        } else {
            plainCells();
        }
        return true;
    }

    private void plainCells() {
        byte[] bytes = records.bytes();
        byte separator = records.separator();
        int end = records.end();
        int begin = records.start();
        for (int at = begin; at < end; at++) {
            if (bytes[at] == separator) {
                add(begin, at);
                begin = at + 1;
            }
        }
        add(begin, end);
    }

    /** Between cells may be many spaces, and some at the ends of the line. */
    private void spacedCells() {
        byte[] bytes = records.bytes();
        int end = records.end();
        int at = records.start();
        while (at < end) {
            while (at < end && isSpace(bytes[at])) {
                at++;
            }
            int begin = at;
            while (at < end && !isSpace(bytes[at])) {
                at++;
            }
            if (at > begin) {
                add(begin, at);
            }
        }
    }

    private static boolean isSpace(byte value) {
        return value == ' ' || value == '\r';
    }

    private void add(int begin, int end) {
        if (cells == from.length) {
            from = Arrays.copyOf(from, 2 * cells);
            to = Arrays.copyOf(to, 2 * cells);
        }
        from[cells] = begin;
        to[cells++] = end;
    }

    /** Cells of which some are all in quotes, without quotes inside; false if there are others. */
    private boolean simpleQuotes() {
        byte[] bytes = records.bytes();
        byte separator = records.separator();
        int end = records.end();
        if (separator == ' ') {
            return false;
        }
        if (end > records.start() && bytes[end - 1] == '\r') {
            end--;
        }
        int at = records.start();
        while (true) {
            boolean quoted = at < end && bytes[at] == '"';
            int begin = quoted ? at + 1 : at;
            int stop = begin;
            while (stop < end && bytes[stop] != '"' && (quoted || bytes[stop] != separator)) {
                stop++;
            }
            at = quoted ? stop + 1 : stop;
            if ((quoted ? stop == end : stop < end && bytes[stop] == '"') || (at < end && bytes[at] != separator)) {
                return false;
            }
            add(begin, stop);
            if (at >= end) {
                return true;
            }
            at++;
        }
    }

    private void quotedCells() throws UnreadableFileException {
        cells = 0;
        String text =
                new String(records.bytes(), records.start(), records.end() - records.start(), StandardCharsets.UTF_8);
        try {
            texts = quotes.ofSingleCsvRecord(text.stripTrailing()).getFields();
        } catch (RuntimeException e) {
            throw new UnreadableFileException(path, "has quotes on line " + records.line() + " that cannot be read");
        }
        if (records.separator() == ' ') {
            texts = texts.stream().filter(cell -> !cell.isEmpty()).toList();
        }
        cells = texts.size();
    }

    @Override
    public int cells() {
        return cells;
    }

    @Override
    public double number(int cell) {
        if (texts.isEmpty()) {
            return Decimal.parse(records.bytes(), from[cell], to[cell]);
        }
        return TableSource.number(texts.get(cell));
    }

    @Override
    public String text(int cell) {
        return texts.isEmpty()
                ? new String(records.bytes(), from[cell], to[cell] - from[cell], StandardCharsets.UTF_8).strip()
                : texts.get(cell).strip();
    }

    @Override
    public long line() {
        return records.line();
    }

    @Override
    public long bytesRead() {
        return records.bytesRead();
    }

    @Override
    public long bytesTotal() {
        return records.bytesTotal();
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}

package dev.kelvin.data.table;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import dev.kelvin.UnreadableFileException;
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
    private final Path path;
    private final CsvRecords records;
    private final CsvReaderBuilder quotes;
    private final List<String> first;
    private boolean again; // the first record has been read and is still to be gone to

    private int[] from = new int[16];
    private int[] to = new int[16];
    private int cells;
    private List<String> texts = List.of(); // the cells of a record with quotes; empty for another

    private CsvSource(Path path, CsvRecords records) throws IOException {
        this.path = path;
        this.records = records;
        records.separator(Separator.of(records.beginning(Separator.LOOKED_AT), records.newline()));
        quotes = CsvReader.builder()
                .fieldSeparator((char) records.separator())
                .trimWhitespacesAroundQuotes(records.separator() != ' ')
                .maxBufferSize(2 * CsvRecords.LONGEST);
        again = advance();
        first = again ? strings() : List.of();
    }

    static CsvSource open(Path path) throws IOException {
        CsvRecords records = CsvRecords.open(path);
        try {
            return new CsvSource(path, records);
        } catch (IOException | RuntimeException e) {
            records.close();
            throw e;
        }
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
    public List<String> first() {
        return first;
    }

    @Override
    public List<String> names() {
        return List.of();
    }

    @Override
    public boolean next() throws IOException {
        if (again) {
            again = false;
            return true;
        }
        return advance();
    }

    private boolean advance() throws IOException {
        if (!records.next()) {
            return false;
        }
        if (records.quoted()) {
            quotedCells();
        } else {
            texts = List.of();
            cells = 0;
            if (records.separator() == ' ') {
                spacedCells();
            } else {
                plainCells();
            }
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

    private void quotedCells() throws UnreadableFileException {
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
        byte[] bytes = texts.get(cell).getBytes(StandardCharsets.UTF_8);
        return Decimal.parse(bytes, 0, bytes.length);
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

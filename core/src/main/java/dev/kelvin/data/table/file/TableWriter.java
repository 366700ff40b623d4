package dev.kelvin.data.table.file;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.kelvin.io.AtomicFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Writes rows of cells as CSV, quoted where they must be. */
public final class TableWriter {
    private final CsvWriter csv;

    private TableWriter(CsvWriter csv) {
        this.csv = csv;
    }

    /** Adds rows to a file that is being written. */
    @FunctionalInterface
    public interface Content {
        /** Adds every row. */
        void writeTo(TableWriter rows) throws IOException;
    }

    /** Writes a file, atomically: readers find the old one or the new one. */
    public static void write(Path file, Content content) throws IOException {
        AtomicFile.write(file, out -> {
            OutputStreamWriter text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text);
            try {
                content.writeTo(new TableWriter(csv));
                csv.flush();
            } catch (UncheckedIOException e) {
                throw new IOException(file + " cannot be written: " + e.getMessage(), e);
            }
            text.flush();
        });
    }

    /** Adds a row. */
    public void add(List<String> cells) {
        csv.writeRecord(cells);
    }
}

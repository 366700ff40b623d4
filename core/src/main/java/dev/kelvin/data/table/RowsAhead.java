package dev.kelvin.data.table;

import dev.kelvin.tensor.Parallel;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The blocks of {@link TableRows} in the same order, of which another thread reads the next one already, so that reading and
 * scoring have a processor each.
 */
public final class RowsAhead implements Closeable {
    private final TableRows rows;
    private CompletableFuture<Optional<RowBlock>> next;

    private RowsAhead(TableRows rows) {
        this.rows = rows;
        this.next = CompletableFuture.supplyAsync(this::read);
    }

    /** Opens a file and begins to read it. */
    public static RowsAhead open(Path path, Schema schema) throws IOException {
        return new RowsAhead(TableRows.open(path, schema, false));
    }

    private Optional<RowBlock> read() {
        try {
            return rows.next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the file has the column of labels. */
    public boolean labelled() {
        return rows.labelled();
    }

    /** The next rows; nothing after the last. What went wrong with reading is thrown here, after the rows before it. */
    public Optional<RowBlock> next() throws IOException {
        try {
            Optional<RowBlock> block = Parallel.join(next);
            if (block.isPresent()) {
                next = CompletableFuture.supplyAsync(this::read);
            }
            return block;
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        next.exceptionally(failure -> Optional.empty()).join(); // it reads from what is closed next
        rows.close();
    }
}

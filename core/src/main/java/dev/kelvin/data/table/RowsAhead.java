package dev.kelvin.data.table;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of {@link TableRows} in the same order, read on a thread of their own some blocks ahead, so that reading and
 * scoring have a processor each.
 */
public final class RowsAhead implements Closeable {
    private static final int AHEAD = 4; // blocks

    private final TableRows rows;
    private final BlockingQueue<Item> items = new ArrayBlockingQueue<>(AHEAD);
    private final Thread thread;
    private boolean ended;

    /** A block, or why there is none. */
    private record Item(Optional<RowBlock> block, @Nullable Throwable problem) {}

    private RowsAhead(TableRows rows) {
        this.rows = rows;
        this.thread = new Thread(this::read, "kelvin-table");
        thread.setDaemon(true);
    }

    /** Opens a file and begins to read it. */
    public static RowsAhead open(Path path, Schema schema) throws IOException {
        RowsAhead ahead = new RowsAhead(TableRows.open(path, schema));
        ahead.thread.start();
        return ahead;
    }

    private void read() {
        try {
            Item item;
            do {
                item = item();
                items.put(item);
            } while (item.block.isPresent());
        } catch (InterruptedException e) {
            // closed before the end: the rest is not wanted
        }
    }

    private Item item() {
        try {
            return new Item(rows.next(), null);
        } catch (IOException | RuntimeException | Error e) {
            return new Item(Optional.empty(), e);
        }
    }

    /** The size of the file. */
    public long bytesTotal() {
        return rows.bytesTotal();
    }

    /** Whether the file has the column of labels. */
    public boolean labelled() {
        return rows.labelled();
    }

    /** The next rows; nothing after the last. What went wrong with reading is thrown here, after the rows before it. */
    public Optional<RowBlock> next() throws IOException {
        if (ended) {
            return Optional.empty();
        }
        try {
            Item item = items.take();
            ended = item.block.isEmpty();
            if (item.problem instanceof IOException problem) {
                throw problem;
            }
            if (item.problem instanceof RuntimeException problem) {
                throw problem;
            }
            if (item.problem instanceof Error problem) {
                throw problem;
            }
            return item.block;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for rows", e);
        }
    }

    @Override
    public void close() throws IOException {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) { // it reads from what is closed next
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        rows.close();
    }
}

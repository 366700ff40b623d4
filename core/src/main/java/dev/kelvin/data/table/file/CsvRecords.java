package dev.kelvin.data.table.file;

import dev.kelvin.data.format.InputFile;
import dev.kelvin.io.UnreadableFileException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The records of a CSV file as bytes in a buffer. A record is a line, or several where a newline stands in quotes; quotes
 * are such only at a cell's beginning. Blank lines are skipped. Not more than one record and one piece of the file are in
 * memory.
 */
final class CsvRecords implements Closeable {
    private static final int NOTHING = Integer.MAX_VALUE;
    private static final int PIECE = 1 << 18;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final Path path;
    private final InputFile file;
    private final InputStream in;

    private byte[] buffer = new byte[PIECE];
    private int limit; // of the bytes that have been read
    private boolean ended; // no more can be read
    private byte separator = ',';
    private byte newline = '\n';

    private int held = NOTHING; // from where on bytes are kept, to be read again
    private long heldLine;

    private int start; // of the record
    private int end;
    private int following; // where the next record begins
    private boolean quoted;
    private long line;
    private long nextLine = 1;

    private CsvRecords(InputFile file, InputStream in) {
        this.path = file.path();
        this.file = file;
        this.in = in;
    }

    static CsvRecords open(InputFile file) throws IOException {
        CsvRecords records = new CsvRecords(file, file.unpacked());
        records.begin();
        return records;
    }

    /** Reads the first piece, so that it can be looked at. */
    private void begin() throws IOException {
        while (!ended && limit < PIECE) {
            fill();
        }
        if (limit >= BYTE_ORDER_MARK.length
                && buffer[0] == BYTE_ORDER_MARK[0]
                && buffer[1] == BYTE_ORDER_MARK[1]
                && buffer[2] == BYTE_ORDER_MARK[2]) {
            following = BYTE_ORDER_MARK.length;
        }
        boolean returns = false;
        for (int i = following; i < limit; i++) {
            if (buffer[i] >= 0 && buffer[i] < ' ' && "\t\n\r\f".indexOf(buffer[i]) < 0) {
                throw wrong("is no text: byte " + i + " is " + buffer[i]
                        + "; a table is a CSV, .npy or .npz file (save a spreadsheet as CSV)");
            }
            if (buffer[i] == '\n') {
                return;
            }
            returns |= buffer[i] == '\r';
        }
        if (returns) {
            newline = '\r'; // lines of old
        }
    }

    /** A copy of what the file begins with. */
    byte[] beginning(int most) {
        return Arrays.copyOfRange(buffer, following, Math.min(limit, following + most));
    }

    void separator(byte found) {
        separator = found;
    }

    byte separator() {
        return separator;
    }

    byte newline() {
        return newline;
    }

    /** Keeps what is read from here on, until {@link #rewind}. */
    void hold() {
        held = following;
        heldLine = nextLine;
    }

    /** Goes back to where {@link #hold} was called. */
    void rewind() {
        following = held;
        nextLine = heldLine;
        held = NOTHING;
    }

    /** Goes to the next record that is not blank. */
    boolean next() throws IOException {
        try {
            while (scan()) {
                if (!blank()) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        }
    }

    private boolean scan() throws IOException {
        start = following;
        quoted = false;
        line = nextLine;
        int at = start;
        while (true) {
            byte[] bytes = buffer;
            int most = limit;
            byte stop = newline;
            while (at < most && bytes[at] != stop && bytes[at] != '"') {
                at++;
            }
            if (at == most) {
                if (ended) {
                    end = at;
                    following = at;
                    return at > start;
                }
                at -= more();
            } else if (bytes[at] == stop) {
                end = at;
                following = at + 1;
                nextLine++;
                return true;
            } else {
                at = opens(at) ? closing(at + 1) : at + 1;
            }
        }
    }

    /** Whether a quote stands at a cell's beginning, spaces aside. */
    private boolean opens(int quote) {
        int at = quote - 1;
        while (at >= start && buffer[at] == ' ' && separator != ' ') {
            at--;
        }
        return at < start || buffer[at] == separator;
    }

    /** The place after the quote that closes; two quotes are one that is meant. */
    private int closing(int from) throws IOException {
        quoted = true;
        int at = from;
        while (true) {
            if (at + 1 >= limit && !ended) {
                at -= more();
            } else if (at >= limit) {
                throw wrong("opens a quote on line " + line + " that is never closed");
            } else if (buffer[at] != '"') {
                nextLine += buffer[at] == newline ? 1 : 0;
                at++;
            } else if (at + 1 < limit && buffer[at + 1] == '"') {
                at += 2;
            } else {
                return at + 1;
            }
        }
    }

    /** Reads on; gives how far the bytes of this record moved to the front. */
    private int more() throws IOException {
        int moved = Math.min(start, held);
        System.arraycopy(buffer, moved, buffer, 0, limit - moved);
        limit -= moved;
        start -= moved;
        held -= held == NOTHING ? 0 : moved;
        if (limit - start > TableSource.LONGEST_LINE) {
            throw wrong((quoted ? "opens a quote on line " + line + " that is not closed" : "has no newline")
                    + " within " + TableSource.LONGEST_LINE + " bytes" + (quoted ? "" : " on line " + line)
                    + "; rows of a table are shorter lines");
        }
        if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        fill();
        return moved;
    }

    private void fill() throws IOException {
        int count = in.read(buffer, limit, buffer.length - limit);
        if (count < 0) {
            ended = true;
        } else {
            limit += count;
        }
    }

    private boolean blank() {
        int at = start;
        while (at < end && (buffer[at] == ' ' || buffer[at] == '\r')) {
            at++;
        }
        return at == end;
    }

    UnreadableFileException wrong(String problem) {
        return new UnreadableFileException(path, problem);
    }

    // ---- the record

    byte[] bytes() {
        return buffer;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** Whether one of its cells is in quotes. */
    boolean quoted() {
        return quoted;
    }

    long line() {
        return line;
    }

    long bytesRead() {
        return file.count();
    }

    long bytesTotal() {
        return file.size();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

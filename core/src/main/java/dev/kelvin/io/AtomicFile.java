package dev.kelvin.io;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Writes files so that a reader, or a machine that lost its power, finds the old one or the new one, never a part. */
public final class AtomicFile {
    private static final int BUFFER = 1 << 16;
    private static final Path OPEN_FILES = Path.of("/proc");

    /** Distinguishes the temporary names of this process: its threads may write the same file at the same time. */
    private static final AtomicLong WRITES = new AtomicLong();

    private AtomicFile() {}

    /** Writes a file's bytes to the stream that it is given. */
    @FunctionalInterface
    public interface Content {
        /** Writes the whole content. */
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes to a temporary name, syncs, renames. On failure the temporary file is removed and the old file stays. A pipe or a
     * device, which has no content to keep, is written to as it is, and so is what a process has open, such as /dev/stdout.
     */
    public static void write(Path file, Content content) throws IOException {
        if (Files.exists(file) && !Files.isDirectory(file) && (!Files.isRegularFile(file) || isOpen(file))) {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
                content.writeTo(out);
            }
            return;
        }
        Path temporary = temporary(file);
        try {
            try (FileChannel channel = FileChannel.open(
                            temporary,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
                    NamedOutput to = new NamedOutput(channel, file);
                    OutputStream out = new BufferedOutputStream(to, BUFFER)) {
                content.writeTo(out);
                out.flush();
                to.sync();
            }
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            syncFolder(file.toAbsolutePath().resolveSibling("."));
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Whether this is a name in /proc for an open file, or a link to one: a file in its place would hide the stream for good. */
    private static boolean isOpen(Path file) throws IOException {
        Path folder = file.toAbsolutePath().resolveSibling(".").toRealPath();
        return folder.startsWith(OPEN_FILES)
                || (Files.isSymbolicLink(file)
                        && folder.resolve(Files.readSymbolicLink(file)).startsWith(OPEN_FILES));
    }

    /** Where one write of a file goes before it has the file's name. */
    private static Path temporary(Path file) {
        return file.resolveSibling(temporaries(file) + WRITES.incrementAndGet());
    }

    private static String temporaries(Path file) {
        return file.getFileName() + ".tmp" + ProcessHandle.current().pid() + "-";
    }

    /** Removes this process's temporary files of a file: for a process that ends in the middle of a write. */
    public static void removeTemporaries(Path file) throws IOException {
        Path folder = file.toAbsolutePath().resolveSibling(".");
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> siblings = Files.list(folder)) {
            for (Path sibling : (Iterable<Path>) siblings::iterator) {
                if (sibling.getFileName().toString().startsWith(temporaries(file))) {
                    Files.deleteIfExists(sibling);
                }
            }
        }
    }

    /** Names the file where it can't be written: the system says "No space left on device" alone. */
    private static final class NamedOutput extends FilterOutputStream {
        private final FileChannel channel;
        private final Path file;

        NamedOutput(FileChannel channel, Path file) {
            super(Channels.newOutputStream(channel));
            this.channel = channel;
            this.file = file;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                throw named(e);
            }
        }

        void sync() throws IOException {
            try {
                channel.force(true);
            } catch (IOException e) {
                throw named(e);
            }
        }

        private FileSystemException named(IOException problem) {
            return new FileSystemException(file.toString(), null, problem.getMessage());
        }
    }

    /** The new name is safe only when the folder is; systems that can't sync a folder need not. */
    private static void syncFolder(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Windows does not open folders
        }
    }

    /** Writes UTF-8 text. */
    public static void write(Path file, String text) throws IOException {
        write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }
}

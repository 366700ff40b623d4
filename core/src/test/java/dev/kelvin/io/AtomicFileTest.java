package dev.kelvin.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class AtomicFileTest {
    private static final int THREADS = 8;
    private static final Path HANDLES = Path.of("/proc/self/fd");

    @TempDir
    Path folder;

    @Test
    void writesAndReplaces() throws IOException {
        Path file = folder.resolve("a.txt");
        AtomicFile.write(file, "one");
        AtomicFile.write(file, "größer");
        assertThat(file).content(StandardCharsets.UTF_8).isEqualTo("größer");
        assertThat(folder).isDirectoryContaining(path -> path.equals(file));
        assertThat(names()).containsExactly("a.txt");
    }

    @Test
    void aFailureKeepsTheOldFileAndLeavesNothingBehind() throws IOException {
        Path file = folder.resolve("a.txt");
        AtomicFile.write(file, "old");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(new byte[1 << 20]);
                    throw new IOException("disk full");
                }))
                .hasMessage("disk full");
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("a.txt");
    }

    /** As /dev/stdout is where a shell sends it to a file: a rename would put a file in the place of the link. */
    @Test
    void aLinkToAnOpenFileStays() throws IOException {
        Path open = folder.resolve("open.txt");
        try (OutputStream stream = Files.newOutputStream(open);
                Stream<Path> handles = Files.exists(HANDLES) ? Files.list(HANDLES) : Stream.empty()) {
            Optional<Path> handle =
                    handles.filter(each -> open.equals(target(each))).findFirst();
            Assumptions.assumeTrue(handle.isPresent(), "no /proc here");
            Path link = Files.createSymbolicLink(folder.resolve("link"), handle.get());
            AtomicFile.write(link, "through the link");
            AtomicFile.write(handle.get(), "through the handle");
            assertThat(link).isSymbolicLink();
            stream.flush();
        }
        assertThat(open).hasContent("through the handle");
        assertThat(names()).containsExactlyInAnyOrder("link", "open.txt");
    }

    private static @Nullable Path target(Path handle) {
        try {
            return Files.readSymbolicLink(handle);
        } catch (IOException e) {
            return null; // of the listing itself
        }
    }

    @Test
    void readersSeeTheOldFileUntilTheNewOneIsWhole() throws IOException {
        Path file = folder.resolve("a.txt");
        AtomicFile.write(file, "old");
        AtomicFile.write(file, out -> {
            out.write(new byte[1 << 20]);
            assertThat(file).hasContent("old");
        });
        assertThat(file).hasSize(1 << 20);
    }

    /** As the runs of a study do; the barrier keeps all writes open until the last has begun. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void threadsMayWriteTheSameFileAtTheSameTime() throws Exception {
        Path file = folder.resolve("a.txt");
        CyclicBarrier allWrite = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            Callable<Void> writer = () -> {
                AtomicFile.write(file, out -> {
                    out.write("whole".getBytes(StandardCharsets.UTF_8));
                    await(allWrite);
                });
                return null;
            };
            for (Future<Void> written : threads.invokeAll(Collections.nCopies(THREADS, writer))) {
                written.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(file).hasContent("whole");
        assertThat(names()).containsExactly("a.txt");
    }

    private static void await(CyclicBarrier barrier) throws IOException {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IOException(e);
        }
    }

    @Test
    void aProcessThatEndsRemovesItsTemporaryFilesOnly() throws IOException {
        Path file = folder.resolve("a.txt");
        Files.writeString(folder.resolve("a.txt.tmp0-1"), "another process's");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    assertThat(names()).hasSize(2);
                    AtomicFile.removeTemporaries(file);
                    assertThat(names()).containsExactly("a.txt.tmp0-1");
                    throw new IOException("ended");
                }))
                .hasMessage("ended");
        assertThat(names()).containsExactly("a.txt.tmp0-1");
        AtomicFile.removeTemporaries(folder.resolve("none/a.txt")); // a folder that was not made yet
    }

    /** A rename would put a file in its place: of root's /dev/null too. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeIsWrittenToAndStays() throws Exception {
        Path fifo = folder.resolve("fifo");
        try {
            assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                    .isZero();
        } catch (IOException e) {
            Assumptions.abort("this system has no mkfifo");
        }
        FutureTask<String> reader = new FutureTask<>(() -> Files.readString(fifo));
        Thread thread = new Thread(reader);
        thread.setDaemon(true);
        thread.start();
        AtomicFile.write(fifo, "for whoever reads");
        assertThat(reader.get()).isEqualTo("for whoever reads");
        assertThat(names()).containsExactly("fifo");
    }

    @Test
    void aMissingFolderIsAnError() {
        assertThatThrownBy(() -> AtomicFile.write(folder.resolve("none/a.txt"), "x"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none");
    }

    private java.util.List<String> names() throws IOException {
        try (java.util.stream.Stream<Path> files = Files.list(folder)) {
            return files.map(path -> String.valueOf(path.getFileName())).toList();
        }
    }
}

package dev.kelvin.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file under a temporary name beside it and renames it, so that no reader ever meets half a file. */
final class AtomicFile {
    private AtomicFile() {}

    static void write(Path file, byte[] bytes) throws IOException {
        // Not createTempFile: its files are readable by their owner only, and a report is there to be shared.
        String unique = ProcessHandle.current().pid() + "-" + System.nanoTime();
        Path temporary = file.resolveSibling("." + file.getFileName() + "." + unique + ".tmp");
        try {
            Files.write(temporary, bytes);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}

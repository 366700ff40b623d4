package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** NumPy's npz: a zip of npy files, of which each entry is an array. */
public final class Npz {
    private Npz() {}

    /** The entries that are arrays, {@code x.npy}, in the order of their names. */
    public static List<String> names(ZipFile zip) {
        return zip.stream()
                .map(ZipEntry::getName)
                .filter(name -> name.endsWith(".npy"))
                .sorted()
                .toList();
    }

    /** An array, in the current scope. Nothing is allocated for a size that cannot be. */
    public static Tensor entry(Path path, ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        long size = entry.getSize();
        long packed = entry.getCompressedSize();
        if (size < 0 || packed < 0 || packed > Files.size(path) || size / ByteSource.MOST_UNPACKED > packed) {
            throw new UnreadableFileException(
                    path, name + " says that it unpacks from " + packed + " to " + size + " bytes, which cannot be");
        }
        try (InputStream bytes = zip.getInputStream(entry);
                CheckedInputStream checked = new CheckedInputStream(bytes, new CRC32())) {
            Tensor array = Npy.read(path, name, checked, size);
            if (checked.read() >= 0) {
                throw new UnreadableFileException(path, name + " unpacks to more bytes than it says");
            }
            if (checked.getChecksum().getValue() != entry.getCrc()) {
                throw new UnreadableFileException(path, name + " is damaged: its checksum differs");
            }
            return array;
        }
    }
}

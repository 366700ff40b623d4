package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TensorException;
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

/**
 * NumPy's npz: a zip of npy files, of which each entry is an array.
 *
 * @param names the entries that are arrays, {@code x.npy}, in the order of their names
 */
public record Npz(Path path, ZipFile zip, List<String> names) {
    /** What is to be done with an open file. */
    @FunctionalInterface
    public interface Reader<T> {
        /** What it makes of the file's arrays. */
        T read(Npz file) throws IOException;
    }

    /** Opens a file, reads of it what is wanted, and closes it. */
    public static <T> T read(Path path, Reader<T> reader) throws IOException {
        try (ZipFile zip = new ZipFile(path.toFile())) {
            List<String> names = zip.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".npy"))
                    .sorted()
                    .toList();
            return reader.read(new Npz(path, zip, names));
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        } catch (TensorException e) {
            throw new UnreadableFileException(path, "cannot be held in memory: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new UnreadableFileException(path, "has an entry whose name cannot be read: " + e.getMessage());
        }
    }

    /** An array, in the current scope. Nothing is allocated for a size that cannot be. */
    public Tensor array(String name) throws IOException {
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

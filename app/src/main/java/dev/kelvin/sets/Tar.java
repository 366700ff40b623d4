package dev.kelvin.sets;

import dev.kelvin.yaml.UserException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Unpacks a .tar.gz whose entries lie in one folder, as CIFAR's do: the plain files, without that folder. */
final class Tar {
    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE_DIGITS = 11;
    private static final int TYPE_AT = 156;
    private static final int OCTAL = 8;

    private Tar() {}

    static void unpack(Path archive, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (InputStream in = new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)))) {
            byte[] header = new byte[BLOCK];
            while (in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
                long size = size(archive, header);
                boolean plain = header[TYPE_AT] == '0' || header[TYPE_AT] == 0;
                String name = text(header, 0, NAME);
                Path to = folder.resolve(name.substring(name.lastIndexOf('/') + 1));
                byte[] content = in.readNBytes(Math.toIntExact(size)); // CIFAR's files are of 31 MB at the most
                if (content.length < size) {
                    throw new EOFException();
                }
                if (plain) {
                    Files.write(to, content);
                }
                in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
            }
        } catch (EOFException e) {
            throw new UserException(archive + " is cut short");
        }
    }

    private static long size(Path archive, byte[] header) {
        String digits = text(header, SIZE_AT, SIZE_DIGITS).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, OCTAL);
        } catch (NumberFormatException e) {
            throw new UserException(archive + " is not a tar archive: a size in it is '" + digits + "'");
        }
    }

    private static String text(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.US_ASCII);
    }
}

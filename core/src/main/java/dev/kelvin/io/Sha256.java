package dev.kelvin.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** SHA-256 checksums in lower-case hexadecimal. */
public final class Sha256 {
    private final MessageDigest digest = digest();

    /** Adds bytes to the sum. */
    public Sha256 add(ByteBuffer bytes) {
        digest.update(bytes);
        return this;
    }

    /** The sum of all that was added, in lower-case hexadecimal; begins anew. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The checksum of bytes. */
    public static String of(byte[] bytes) {
        return new Sha256().add(ByteBuffer.wrap(bytes)).hex();
    }

    /** The checksum of a file. */
    public static String of(Path file) throws IOException {
        return of(List.of(file));
    }

    /** The checksum of files, one after the other. */
    public static String of(List<Path> files) throws IOException {
        Sha256 sum = new Sha256();
        for (Path file : files) {
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), sum.digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
        }
        return sum.hex();
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

package dev.kelvin.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;

/** SHA-256 checksums in lower-case hexadecimal. */
public final class Sha256 {
    private Sha256() {}

    /** The checksum of bytes. */
    public static String of(byte[] bytes) {
        return of(digest -> digest.update(bytes));
    }

    /** The checksum of a file. */
    public static String of(Path file) throws IOException {
        MessageDigest digest = digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The checksum of what {@code content} gives the digest. */
    public static String of(Consumer<MessageDigest> content) {
        MessageDigest digest = digest();
        content.accept(digest);
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

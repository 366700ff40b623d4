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

/** Checksums in hexadecimal. */
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

    /** The sum of bytes, in lower-case hexadecimal. */
    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }

    /** The sum of a file, in lower-case hexadecimal. */
    public static String of(Path file) throws IOException {
        MessageDigest digest = digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
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

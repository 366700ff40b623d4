package dev.kelvin.sets;

import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Brings a file over HTTP: to a name ending in {@code .part} beside its place, on from there if an earlier try left
 * something, and to its place once its checksum is right.
 */
public final class Download {
    private static final int BUFFER = 1 << 16;
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int NOTHING_LEFT = 416;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A listener to the progress of files. */
    @FunctionalInterface
    public interface Progress {
        /** Called for every piece that arrives; the total is negative where the server does not say. */
        void at(String file, long bytes, long total);
    }

    private Download() {}

    /** Fetches to a file that is not there yet; one that is there with the right checksum is left alone. */
    public static void get(URI from, Path to, String md5, Progress progress) throws IOException {
        if (Files.exists(to) && md5(to).equals(md5)) {
            return;
        }
        Files.createDirectories(to.toAbsolutePath().getParent());
        Path part = to.resolveSibling(to.getFileName() + ".part");
        fetch(from, part, progress);
        String found = md5(part);
        if (!found.equals(md5)) {
            Files.delete(part);
            throw new UserException(from + " is not the file that was expected: its MD5 is " + found + " instead of "
                    + md5 + ". Nothing was kept; try again, or another address with --from");
        }
        Files.move(part, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void fetch(URI from, Path part, Progress progress) throws IOException {
        long have = Files.exists(part) ? Files.size(part) : 0;
        HttpClient client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(PATIENCE)
                .build();
        HttpRequest.Builder request = HttpRequest.newBuilder(from).timeout(PATIENCE);
        if (have > 0) {
            request.header("Range", "bytes=" + have + "-");
        }
        HttpResponse<InputStream> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserException("stopped while fetching " + from);
        } catch (IOException e) {
            throw new UserException(
                    from + " can't be reached: " + (e.getMessage() == null ? "is the network there?" : e.getMessage()));
        }
        try (InputStream body = response.body()) {
            int status = response.statusCode();
            if (status == NOTHING_LEFT) {
                return; // all of it is there; the checksum decides
            }
            if (status != OK && status != PARTIAL) {
                throw new UserException(from + " answered with status " + status);
            }
            long begin = status == PARTIAL ? have : 0; // a server may not know ranges
            long length = response.headers().firstValueAsLong("Content-Length").orElse(-1);
            copy(body, part, begin, length < 0 ? -1 : begin + length, progress);
        }
    }

    private static void copy(InputStream body, Path part, long begin, long total, Progress progress)
            throws IOException {
        StandardOpenOption how = begin > 0 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        try (OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            byte[] buffer = new byte[BUFFER];
            String file = part.getFileName().toString().replaceFirst("\\.part$", "");
            long done = begin;
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                out.write(buffer, 0, n);
                done += n;
                progress.at(file, done, total);
            }
        } catch (IOException e) {
            throw new UserException("the connection broke (" + e.getMessage()
                    + "); what was fetched is kept; resume with the same" + " command");
        }
    }

    /** The sum of a file, in hexadecimal digits. */
    static String md5(Path file) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}

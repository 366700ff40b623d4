package dev.kelvin.sets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadTest {
    private static final byte[] CONTENT = new byte[300_000];

    static {
        new Random(1).nextBytes(CONTENT);
    }

    @TempDir
    private Path folder;

    private HttpServer server;
    private final List<String> ranges = new ArrayList<>();

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ranged", exchange -> {
            String range = exchange.getRequestHeaders().getFirst("Range");
            ranges.add(String.valueOf(range));
            int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
            if (from >= CONTENT.length) {
                exchange.sendResponseHeaders(416, -1);
                exchange.close();
                return;
            }
            exchange.sendResponseHeaders(range == null ? 200 : 206, CONTENT.length - from);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(CONTENT, from, CONTENT.length - from);
            }
        });
        server.createContext("/plain", exchange -> {
            exchange.sendResponseHeaders(200, CONTENT.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(CONTENT);
            }
        });
        server.createContext("/broken", exchange -> {
            exchange.sendResponseHeaders(200, CONTENT.length);
            exchange.getResponseBody().write(CONTENT, 0, CONTENT.length / 2);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private Path file() {
        return folder.resolve("set").resolve("file.bin");
    }

    private Path part() {
        return file().resolveSibling("file.bin.part");
    }

    private String md5() throws IOException {
        Path file = folder.resolve("expected");
        Files.write(file, CONTENT);
        return Download.md5(file);
    }

    @Test
    void bringsAFileAndTellsHowFarItIs() throws IOException {
        List<Long> seen = new ArrayList<>();
        Download.get(at("/ranged"), file(), md5(), (file, bytes, total) -> {
            assertThat(total).isEqualTo(CONTENT.length);
            seen.add(bytes);
        });
        assertThat(file()).hasBinaryContent(CONTENT);
        assertThat(part()).doesNotExist();
        assertThat(seen).isSorted().last().isEqualTo((long) CONTENT.length);
    }

    @Test
    void whatIsThereIsLeftAlone() throws IOException {
        Download.get(at("/ranged"), file(), md5(), (file, bytes, total) -> {});
        Download.get(at("/ranged"), file(), md5(), (file, bytes, total) -> {});
        assertThat(ranges).hasSize(1);
    }

    @Test
    void goesOnWhereItWas() throws IOException {
        Files.createDirectories(folder.resolve("set"));
        Files.write(part(), Arrays.copyOf(CONTENT, 100_000));
        Download.get(at("/ranged"), file(), md5(), (file, bytes, total) -> {});
        assertThat(file()).hasBinaryContent(CONTENT);
        assertThat(ranges).containsExactly("bytes=100000-");
    }

    @Test
    void aServerThatKnowsNoRangesSendsAllAgain() throws IOException {
        Files.createDirectories(folder.resolve("set"));
        Files.write(part(), Arrays.copyOf(CONTENT, 100_000));
        Download.get(at("/plain"), file(), md5(), (file, bytes, total) -> {});
        assertThat(file()).hasBinaryContent(CONTENT);
    }

    @Test
    void whatWasWholeAlreadyIsOnlyChecked() throws IOException {
        Files.createDirectories(folder.resolve("set"));
        Files.write(part(), CONTENT);
        Download.get(at("/ranged"), file(), md5(), (file, bytes, total) -> {});
        assertThat(file()).hasBinaryContent(CONTENT);
    }

    @Test
    void aBrokenConnectionKeepsWhatCame() {
        assertThatThrownBy(() -> Download.get(at("/broken"), file(), md5(), (file, bytes, total) -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("resume with the same command");
        assertThat(part()).exists();
        assertThat(file()).doesNotExist();
    }

    @Test
    void anotherFileIsRefusedAndNotKept() {
        assertThatThrownBy(() -> Download.get(at("/plain"), file(), "00", (file, bytes, total) -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is not the file that was expected");
        assertThat(part()).doesNotExist();
        assertThat(file()).doesNotExist();
    }

    @Test
    void aMissingFileOrServerIsSaid() throws IOException {
        assertThatThrownBy(() -> Download.get(at("/nothing"), file(), "00", (file, bytes, total) -> {}))
                .hasMessageContaining("status 404");
        try (Socket silent = new Socket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // and does not listen
            URI nobody = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            assertThatThrownBy(() -> Download.get(nobody, file(), "00", (file, bytes, total) -> {}))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("can't be reached");
        }
    }
}

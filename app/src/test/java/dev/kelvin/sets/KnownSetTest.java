package dev.kelvin.sets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownSetTest {
    @TempDir
    private Path folder;

    private HttpServer server;
    private final Map<String, byte[]> served = new ConcurrentHashMap<>();

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] content = served.get(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(content == null ? 404 : 200, content == null ? -1 : content.length);
            if (content != null) {
                exchange.getResponseBody().write(content);
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private URI base() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private KnownSet set(Map<String, byte[]> contents) throws IOException {
        List<KnownSet.File> files = new ArrayList<>();
        for (String name : contents.keySet().stream().sorted().toList()) {
            Path file = Files.write(folder.resolve("expected"), contents.get(name));
            files.add(new KnownSet.File(name, Download.md5(file)));
            served.put("/" + name, contents.get(name));
        }
        String place = folder.resolve("sets/tiny").toString(); // an absolute path is its own place under any root
        return new KnownSet("tiny", "two files", "free", base().toString(), 1, place, "", files);
    }

    /** Whoever stops after the first file has a folder, but not the set. */
    @Test
    void isThereOnceAllFilesAre() throws IOException {
        KnownSet set = set(Map.of("a.gz", new byte[] {1}, "b.gz", new byte[] {2}));
        byte[] second = served.remove("/b.gz");
        assertThat(set.there()).isFalse();
        assertThatThrownBy(() -> set.get(base(), (file, bytes, total) -> {})).hasMessageContaining("status 404");
        assertThat(set.path().resolve("a.gz")).exists();
        assertThat(set.there()).isFalse();
        served.put("/b.gz", second);
        List<String> told = new ArrayList<>();
        set.get(base(), (file, bytes, total) -> told.add(file + " " + bytes + "/" + total));
        assertThat(told).containsExactly("b.gz 1/1");
        assertThat(set.there()).isTrue();
        Files.move(set.path().resolve("b.gz"), set.path().resolve("b"));
        assertThat(set.there()).as("also unpacked").isTrue();
    }

    @Test
    void archivesAreUnpackedAndThrownAway() throws IOException {
        String text = "some bytes\n".repeat(100);
        KnownSet set = set(Map.of("tiny.tar.gz", tar("inside/", "", "inside/a.bin", text, "inside/b", "b")));
        set.get(base(), (file, bytes, total) -> {});
        assertThat(set.there()).isTrue();
        assertThat(set.path().resolve("a.bin")).hasContent(text);
        assertThat(set.path().resolve("b")).hasContent("b");
        assertThat(folder.resolve("sets").toFile().list()).containsExactly("tiny");
        served.clear();
        set.get(base(), (file, bytes, total) -> {}); // nothing is asked for again
    }

    @Test
    void anArchiveThatIsNoneIsOneLine() throws IOException {
        byte[] whole = tar("inside/a.bin", "x".repeat(5000));
        byte[] raw = new byte[700];
        raw[0] = 'x';
        Arrays.fill(raw, 124, 135, (byte) 'z');
        Path cut = Files.write(folder.resolve("cut.tar.gz"), Arrays.copyOf(whole, whole.length / 2));
        Path wrong = Files.write(folder.resolve("wrong.tar.gz"), gzip(raw));
        assertThatThrownBy(() -> Tar.unpack(cut, folder.resolve("x"))).hasMessage(cut + " is cut short");
        assertThatThrownBy(() -> Tar.unpack(wrong, folder.resolve("y")))
                .hasMessage(wrong + " is not a tar archive: a size in it is 'zzzzzzzzzzz'");
    }

    /** Names and contents in turn; a name that ends in a slash is a folder. */
    private static byte[] tar(String... entries) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < entries.length; i += 2) {
            byte[] content = entries[i + 1].getBytes(StandardCharsets.US_ASCII);
            byte[] header = new byte[512];
            byte[] name = entries[i].getBytes(StandardCharsets.US_ASCII);
            byte[] size = String.format("%011o", content.length).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(name, 0, header, 0, name.length);
            System.arraycopy(size, 0, header, 124, size.length);
            header[156] = (byte) (entries[i].endsWith("/") ? '5' : '0');
            out.write(header);
            out.write(content);
            out.write(new byte[-content.length & 511]);
        }
        out.write(new byte[1024]);
        return gzip(out.toByteArray());
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream packing = new GZIPOutputStream(out)) {
            packing.write(bytes);
        }
        return out.toByteArray();
    }
}

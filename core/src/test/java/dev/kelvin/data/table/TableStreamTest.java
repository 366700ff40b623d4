package dev.kelvin.data.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.InputFile;
import dev.kelvin.data.format.Rows;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A FIFO, which can be opened and read only once, gives what a file of the same bytes gives. */
@ExtendWith(OneThread.class)
// a FIFO that is opened twice blocks for ever
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TableStreamTest {
    private static final String TEXT = "a,b,y\n12.5,2,u\n3,41,v\n5,6.25,u\n";

    @TempDir
    private Path folder;

    private Path fifo = Path.of("");

    @BeforeEach
    void makeFifo() throws Exception {
        fifo = folder.resolve("fifo");
        try {
            assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                    .isZero();
        } catch (IOException e) {
            Assumptions.abort("this system has no mkfifo");
        }
    }

    private record Named(String name, byte[] bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(utf8(text));
        }
        return bytes.toByteArray();
    }

    private static byte[] npy(boolean fortran) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Scope scope = Scope.open()) {
            Npy.write(bytes, Tensors.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 10}, 3, 3));
        }
        String text = new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1);
        return (fortran ? text.replace("False", "True ") : text).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] npz() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("x.npy"));
            zip.write(npy(false));
            zip.closeEntry();
        }
        return bytes.toByteArray();
    }

    private static Stream<Named> tables() throws IOException {
        return Stream.of(
                new Named("names", utf8(TEXT)),
                new Named("no names", utf8("12.5,2,3\n3,41,4\n5,6,1\n")),
                new Named("mark and CRLF", utf8("\uFEFF" + TEXT.replace("\n", "\r\n"))),
                new Named("semicolons", utf8(TEXT.replace(",", ";"))),
                new Named("quotes", utf8(TEXT.replace("u", "\"u,\nw\""))),
                new Named("gzip", gzip(TEXT)),
                new Named("npy", npy(false)),
                new Named("Fortran", npy(true)),
                new Named("npz", npz()),
                new Named("long", utf8(TEXT + "31.25,17,u\n".repeat(100_000))));
    }

    /** Writes pieces to the FIFO, as slowly as its reader takes them: the next one follows when the last one is gone. */
    private Thread writing(byte[]... pieces) {
        Path to = fifo;
        Thread writer = new Thread(() -> {
            try (OutputStream out = Files.newOutputStream(to)) {
                for (byte[] piece : pieces) {
                    out.write(piece);
                }
            } catch (IOException e) {
                // who read it had enough
            }
        });
        writer.setDaemon(true);
        writer.start();
        return writer;
    }

    /** Standard input that comes in pieces, of which none is there before it is read, as from a slow pipe. */
    private static final class Pieces extends InputStream {
        private final List<InputStream> pieces = new ArrayList<>();

        Pieces(byte[]... pieces) {
            Arrays.stream(pieces).map(ByteArrayInputStream::new).forEach(this.pieces::add);
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("read in pieces");
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            while (!pieces.isEmpty()) {
                int count = pieces.get(0).read(bytes, offset, length);
                if (count > 0) {
                    return count;
                }
                pieces.remove(0);
            }
            return -1;
        }
    }

    private interface Read<T> {
        T from(Path path) throws IOException;
    }

    private static <T> T standardInput(Read<T> read, byte[]... pieces) throws IOException {
        InputStream before = System.in;
        System.setIn(new Pieces(pieces));
        try {
            return read.from(Path.of("-"));
        } finally {
            System.setIn(before);
        }
    }

    /** The schema of a table with names, or without. */
    private Schema schema(String name) throws IOException {
        boolean names = !List.of("no names", "npy", "Fortran", "npz").contains(name);
        return names
                ? Tables.read(folder, "a,b,y\n1,2,u\n3,4,v\n", Tables.label("y"))
                        .schema()
                : Tables.read(folder, "1,2,3\n4,5,7\n", TableColumns.all()).schema();
    }

    private static List<Object> seen(Path path, Schema schema) throws IOException {
        List<Object> seen = new ArrayList<>();
        try (TableRows rows = TableRows.open(path, schema, false)) {
            seen.add(rows.names());
            for (Optional<RowBlock> block = rows.next(); block.isPresent(); block = rows.next()) {
                block.get().bad().forEach(bad -> seen.add(bad.words()));
                for (RowBlock.Row row : block.get().rows()) {
                    seen.add(row.number() + row.label() + Arrays.toString(row.inputs()));
                }
            }
        }
        return seen;
    }

    private static List<Object> typed(Schema schema, byte[]... pieces) throws IOException {
        return standardInput(path -> seen(path, schema), pieces);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void rowsAreThoseOfAFile(Named table) throws IOException {
        Path file = Files.write(folder.resolve("file"), table.bytes);
        Schema schema = schema(table.name);
        List<Object> expected = seen(file, schema);
        assertThat(expected).hasSizeGreaterThan(3);
        writing(table.bytes);
        assertThat(seen(fifo, schema)).isEqualTo(expected);
        assertThat(typed(schema, table.bytes)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void whatIsLearntFromIsThatOfAFile(Named table) throws IOException {
        Path file = Files.write(folder.resolve("file"), table.bytes);
        TableColumns settings = Tables.ONE_HOT;
        double[] expected = Tables.all(TableReader.read(file, settings, TableProgress.NONE));
        writing(table.bytes);
        assertThat(Tables.all(TableReader.read(fifo, settings, TableProgress.NONE)))
                .isEqualTo(expected);
    }

    /** Each piece of a file that was packed in several comes when the one before it has been read to its end. */
    @Test
    void allMembersOfGzipAreRead() throws IOException {
        Schema schema = schema("gzip");
        Path file = Files.writeString(folder.resolve("file"), TEXT + "7,8,v\n9,10,u\n");
        assertThat(typed(schema, gzip(TEXT), gzip("7,8,v\n"), gzip("9,10,u\n"))).isEqualTo(seen(file, schema));
    }

    /** Of a file the end of a member may be the end of what was read at once; then nothing of the next one is there yet. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 10, 17, 18, 25, 26})
    void membersOfGzipMayEndAnywhere(int before) throws IOException {
        Schema schema = schema("gzip");
        byte[] second = gzip("7,8,v\n");
        byte[] first = gzip(TEXT);
        byte[] start = Arrays.copyOf(first, first.length + before);
        System.arraycopy(second, 0, start, first.length, before);
        Path file = Files.writeString(folder.resolve("file"), TEXT + "7,8,v\n");
        assertThat(typed(schema, start, Arrays.copyOfRange(second, before, second.length)))
                .isEqualTo(seen(file, schema));
    }

    @Test
    void rowsThatCannotBeReadAreSkipped() throws IOException {
        Schema schema = schema("names");
        byte[] bytes = utf8(TEXT + "7,x,v\n8,9,u\n1"); // and it ends in the middle of a row
        assertThat(typed(schema, bytes))
                .isEqualTo(seen(Files.write(folder.resolve("file"), bytes), schema))
                .contains("row 4 (line 5), column 'b' holds 'x', which is no number")
                .anySatisfy(words -> assertThat(words.toString()).startsWith("row 6 (line 7)"));
    }

    @Test
    void whatIsWrongIsSaidOfTheStreamAndNotOfItsCopy() throws IOException {
        Schema schema = schema("names");
        byte[] half = Arrays.copyOf(gzip(TEXT), 30);
        byte[] cut = Arrays.copyOf(npy(false), 140);
        for (byte[] bytes : List.of(new byte[0], half, cut, utf8("PK and more"), utf8("a\0b"), utf8("\"a,b\n1,2\n"))) {
            assertThatThrownBy(() -> typed(schema, bytes))
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageStartingWith("standard input: ");
            writing(bytes);
            assertThatThrownBy(() -> seen(fifo, schema))
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageStartingWith(fifo + ": ");
        }
    }

    /** What a copy takes of the disk is given back. */
    @Test
    void copiesAreRemoved() throws IOException {
        Path copy = standardInput(
                path -> {
                    try (InputFile input = InputFile.open(path)) {
                        assertThat(Files.readAllBytes(input.file())).isEqualTo(npy(false));
                        assertThat(input.file()).isNotEqualTo(path);
                        return input.file();
                    }
                },
                npy(false));
        assertThat(copy).doesNotExist();
    }

    /** Points of the plane: lines, packed or not, and NumPy's arrays, whatever the name. */
    @Test
    void pointsComeFromStreamsToo() throws IOException {
        String text = "x,y\n1,2\n3,4\n";
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        try (Scope scope = Scope.open()) {
            Npy.write(array, Tensors.of(new float[] {1, 2, 3, 4}, 2, 2));
        }
        for (byte[] bytes :
                List.of(utf8(text), utf8("\uFEFF1,2\r\n3,4"), utf8("\uFEFF" + text), gzip(text), array.toByteArray())) {
            writing(bytes);
            assertThat(points(fifo)).containsExactly(1, 2, 3, 4);
            assertThat(standardInput(TableStreamTest::points, bytes)).containsExactly(1, 2, 3, 4);
        }
        assertThatThrownBy(() -> standardInput(TableStreamTest::points))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessage("standard input: is empty");
    }

    private static float[] points(Path path) throws IOException {
        try (Scope scope = Scope.open();
                Rows rows = PointRows.open(path, 2)) {
            return rows.next(10).orElseThrow().toFloats();
        }
    }

    /** Nothing opens it: that would wait for a writer that never comes. */
    @Test
    void imagesAreReadFromFilesAlone() {
        for (Path path : List.of(fifo, Path.of("-"))) {
            assertThatThrownBy(() -> ImageFiles.read(path))
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageContaining("can be read only once, but files of images are read several times");
        }
    }
}

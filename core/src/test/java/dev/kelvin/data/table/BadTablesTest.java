package dev.kelvin.data.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every table that cannot be learnt from has one sentence, with row and column. */
@ExtendWith({OneThread.class, InScope.class})
class BadTablesTest {
    @TempDir
    private Path folder;

    private static final TableColumns ALL = TableColumns.all();

    private static Arguments bad(String text, TableColumns settings, String problem) {
        return Arguments.of(text, settings, problem);
    }

    private static Stream<Arguments> tables() {
        String words = "; set text: one-hot to learn from words, or exclude the column";
        String fill = "; set missing: mean or median to fill it, or exclude the column";
        return Stream.of(
                bad("", ALL, "is empty"),
                bad("\n\n  \n", ALL, "is empty: it has no row"),
                bad("a,b\n", ALL, "has a header and no rows"),
                bad("a,b\n1,2\n", ALL, "has one row; a density is learnt from two or more"),
                bad("1,2\n", ALL, "has one row; a density is learnt from two or more"),
                bad("a,b\n1,2\n3\n", ALL, "row 2 (line 3) has 1 cell; expected 2, as many as the header has"),
                bad("1,2\n3,4\n5,6,7\n", ALL, "row 3 has 3 cells; expected 2, as many as row 1 has"),
                bad(
                        "a,b\n1,2\n\n3,x\n",
                        ALL,
                        "row 2 (line 4), column 'b' holds 'x', which is no number, in a column" + " of numbers"),
                bad("a,b\nx,2\n3,4\n", ALL, "row 1 (line 2), column 'a' holds 'x', which is no number" + words),
                bad(
                        "a;b\n1,5;2\n3;4\n",
                        ALL,
                        "row 1 (line 2), column 'a' holds '1,5', which is no number (decimals"
                                + " need a point, not a comma)" + words),
                bad(
                        "a,b\n1,x\n2,3\n4,5\n",
                        Tables.MEAN,
                        "row 1 (line 2), column 'b' holds 'x', which is no number" + words),
                bad(
                        "a,b\n1,3\n2,x\n",
                        Tables.ONE_HOT,
                        "row 2 (line 3), column 'b' holds 'x', which is no number, in" + " a column of numbers"),
                bad("a,b\n1,2\n3,NaN\n", ALL, "row 2 (line 3), column 'b' holds 'NaN', a missing value" + fill),
                bad("a,b\n1,2\n,4\n", ALL, "row 2 (line 3), column 'a' is empty" + fill),
                bad(
                        "a,b\n1,2\n3,4\n5,?\n",
                        Tables.ONE_HOT,
                        "row 3 (line 4), column 'b' holds '?', a missing value" + fill),
                bad("a,b\n1,2\n-inf,4\n", ALL, "row 2 (line 3), column 'a' holds '-inf', which is infinite"),
                bad("a,b\n1,2\n1e999,4\n", Tables.MEAN, "row 2 (line 3), column 'a' holds '1e999', which is infinite"),
                bad(
                        "a,b\n1,NA\n2,NA\n",
                        Tables.MEAN,
                        "column 'b' has no value at all in the rows to learn from;" + " exclude it"),
                bad("a,b\n1,2\n1,2\n", ALL, "has 2 columns to learn from, and all are constant"),
                bad("7\n7\n7\n", ALL, "has one column to learn from, and it is constant"),
                bad("a,b,a\n1,2,3\n4,5,6\n", ALL, "has two columns named 'a', the 1. and the 3.; rename one"),
                bad("a,b\n1,\"2\n3,4\n", ALL, "opens a quote on line 2 that is never closed"),
                bad("a,b\n1,\"2\"x\n3,4\n", ALL, "has quotes on line 2 that cannot be read"),
                bad(
                        "a\0b,c\n1,2\n",
                        ALL,
                        "is no text: byte 1 is 0; a table is a CSV, .npy or .npz file (save a"
                                + " spreadsheet as CSV)"),
                bad("PAR1xxxx", ALL, "is a Parquet file; save the table as CSV or .npy"),
                bad(
                        "c\n" + words(101),
                        Tables.ONE_HOT,
                        "row 101 (line 102), column 'c' is the column's 101th"
                                + " different word; at most 100 become one-hot: exclude the column"),
                bad(
                        "a,y\n" + numbers(1001),
                        Tables.label("y"),
                        "row 1001 (line 1002), column 'y' is the 1001th"
                                + " different label; at most 1000 classes are supported"),
                bad("1,".repeat(4096) + "1\n", ALL, "has 4097 columns; at most 4096 are read"),
                bad(
                        "1" + "0".repeat(TableSource.LONGEST_LINE + 1),
                        ALL,
                        "has a row on line 1 that does not end within 16777216 characters; rows of a table are shorter,"
                                + " unless a quote is not closed"),
                bad(
                        "a\n\"1" + "0".repeat(TableSource.LONGEST_LINE + 1),
                        ALL,
                        "has a row on line 2 that does not end within 16777216 characters; rows of a table are shorter,"
                                + " unless a quote is not closed"),
                bad(
                        "1,2\n" + ",".repeat(TableSource.LONGEST_LINE + 1) + "1\n",
                        ALL,
                        "has a row on line 2 that does not end within 16777216 characters; rows of a table are shorter,"
                                + " unless a quote is not closed"));
    }

    private static String words(int count) {
        return IntStream.range(0, count).mapToObj(i -> "w" + i).collect(Collectors.joining("\n"));
    }

    private static String numbers(int count) {
        return IntStream.range(0, count).mapToObj(i -> i + "," + i).collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void oneSentence(String text, TableColumns settings, String problem) throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        assertUnreadable(file, settings, problem);
    }

    private static void assertUnreadable(Path file, TableColumns settings, String problem) {
        assertThatThrownBy(() -> TableReader.read(file, settings, TableProgress.NONE))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessage(file + ": " + problem);
    }

    @Test
    void notFiles() throws IOException {
        assertUnreadable(folder, ALL, "is a folder; a table is one CSV, .npy or .npz file");
        assertUnreadable(folder.resolve("none.csv"), ALL, "there is no such file");
        Path wide = folder.resolve("wide.csv");
        Files.write(wide, "a,b\n1,2\n".getBytes(StandardCharsets.UTF_16));
        assertUnreadable(wide, ALL, "is text in UTF-16; save it as UTF-8");
        Path cut = folder.resolve("cut.csv.gz");
        Files.write(cut, new byte[] {0x1F, (byte) 0x8B, 8, 0, 0});
        assertUnreadable(cut, ALL, "ends too early: a part of it is missing");
    }

    @Test
    void arrays() throws IOException {
        Path file = folder.resolve("t.npy");
        Npy.write(file, Tensors.of(new double[] {1, 2, 3}, 3));
        assertUnreadable(file, ALL, "has the shape [3]; a table is [n, d] (save x[:, None] for one column)");
        Npy.write(file, Tensors.of(new double[8], 2, 2, 2));
        assertUnreadable(file, ALL, "has the shape [2, 2, 2]; a table is [n, d]");
        Npy.write(file, Tensors.of(new double[0], 0, 2));
        assertUnreadable(file, ALL, "has the shape [0, 2]: no number in it");
        Npy.write(file, Tensors.of(new double[] {1, 2, 3, Double.NaN}, 2, 2));
        assertUnreadable(
                file,
                ALL,
                "row 2, column 'x2' holds 'NaN', a missing value; set missing: mean or median to fill it, or exclude"
                        + " the column");
        Npy.write(file, Tensors.of(new double[] {1, 2, Double.NEGATIVE_INFINITY, 4}, 2, 2));
        assertUnreadable(file, ALL, "row 2, column 'x1' holds '-Infinity', which is infinite");
        byte[] complex = Files.readAllBytes(file);
        String text = new String(complex, StandardCharsets.ISO_8859_1).replace("<f8", "<c8");
        Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
        assertUnreadable(file, ALL, "has the type '<c8'; Kelvin reads <f4, <f8, <i8, <i4, |u1, |b1");
    }

    @Test
    void zips() throws IOException {
        Path sheet = folder.resolve("t.xlsx");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(sheet))) {
            zip.putNextEntry(new ZipEntry("xl/workbook.xml"));
        }
        assertUnreadable(sheet, ALL, "is a zip file without arrays; save a spreadsheet as CSV, arrays as .npz");
        Path two = folder.resolve("t.npz");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(two))) {
            zip.putNextEntry(new ZipEntry("a.npy"));
            zip.putNextEntry(new ZipEntry("b.npy"));
        }
        assertUnreadable(two, ALL, "has the arrays [a.npy, b.npy]; expected one alone, or one that is named x");
    }

    // ---- settings

    private static Stream<Arguments> settings() {
        String has = " (it has width, height, class)";
        return Stream.of(
                bad(
                        "",
                        Tables.only("widht"),
                        "columns names 'widht', and t.csv has no such column; did you mean" + " 'width'?" + has),
                bad("", Tables.without("zzzzzz"), "exclude names 'zzzzzz', and t.csv has no such column" + has),
                bad(
                        "",
                        Tables.label("Class"),
                        "label names 'Class', and t.csv has no such column; did you mean" + " 'class'?" + has),
                bad("", Tables.without("width", "height", "class"), "exclude leaves no column of t.csv to learn from"),
                bad(
                        "",
                        Tables.trainOn("class", "2"),
                        "trainOn is '2', the label of no row in column 'class'; two or"
                                + " more are needed (it has 0, 1)"),
                bad(
                        "",
                        Tables.trainOn("class", "0"),
                        "trainOn is '0', the label of one row in column 'class'; two or"
                                + " more are needed (it has 0, 1)"));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void refused(String unused, TableColumns settings, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), unused + "width,height,class\n1,2,0\n3,4,1\n5,6,1\n");
        assertThatThrownBy(() -> TableReader.read(file, settings, TableProgress.NONE))
                .isInstanceOf(SettingException.class)
                .hasMessage(message);
    }

    @Test
    void settingsThatContradictEachOther() {
        assertThat(catchThrowable(() -> settings(List.of("a", "y"), List.of(), Optional.of("y"), Optional.empty())))
                .isInstanceOf(SettingException.class)
                .hasMessage("columns names 'y', which is the label: that column is never learnt from; take it out");
        assertThat(catchThrowable(() -> settings(List.of(), List.of("y"), Optional.of("y"), Optional.empty())))
                .hasMessage("exclude names 'y', which is the label: that column is never learnt from; take it out");
        assertThat(catchThrowable(() -> settings(List.of("a"), List.of("b"), Optional.empty(), Optional.empty())))
                .hasMessage("exclude cannot be combined with columns, which says already what is read");
        assertThat(catchThrowable(() -> settings(List.of("a", "a"), List.of(), Optional.empty(), Optional.empty())))
                .hasMessage("columns names 'a' twice");
        assertThat(catchThrowable(() -> settings(List.of(), List.of(), Optional.empty(), Optional.of("0"))))
                .hasMessage("trainOn needs label, the column that it is a value of");
    }

    private static TableColumns settings(
            List<String> columns, List<String> exclude, Optional<String> label, Optional<String> trainOn) {
        return new TableColumns(
                columns, exclude, label, trainOn, ALL.missing(), ALL.text(), ALL.unknownWord(), ALL.header());
    }
}

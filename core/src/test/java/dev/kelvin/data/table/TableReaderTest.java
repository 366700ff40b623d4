package dev.kelvin.data.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.data.table.TableColumns.Header;
import dev.kelvin.data.table.TableColumns.Missing;
import dev.kelvin.data.table.TableColumns.Text;
import dev.kelvin.data.table.TableColumns.UnknownWord;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith({OneThread.class, InScope.class})
class TableReaderTest {
    @TempDir
    private Path folder;

    private NumberTable read(String text) throws IOException {
        return read(text, TableColumns.all());
    }

    private NumberTable read(String text, TableColumns settings) throws IOException {
        return Tables.read(folder, text, settings);
    }

    // ---- how files are written

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,b\n1,2.5\n-30,4\n",
                "a,b\n1,2.5\n-30,4",
                "a;b\r\n1;2.5\r\n-3e1;4\r\n\r\n",
                "a\tb\n1\t2.5\n-30\t4\n\n\n",
                "a|b\n1|2.5\n-30|4\n",
                "a b\n1 2.5\n-30 4\n",
                "  a    b \n  1  2.5 \n-30    4\n",
                "a, b\n 1, 2.5\n-30 ,4 \n",
                "\"a\",\"b\"\n\"1\",\"2.5\"\n-30,\"4\"\n",
                "\"a\";b\r\n1;\"2.5\"\r\n\"-30\";4\r\n",
                "\"a\" \"b\"\n1 2.5\n\"-30\" 4\n",
                "\uFEFFa,b\n1,2.5\n-30,4\n",
                "a,b\r1,2.5\r-30,4\r",
                "\n\na,b\n\n1,2.5\n   \n-30,4\n\n"
            })
    void oneTableInManyWays(String text) throws IOException {
        NumberTable table = read(text);
        assertThat(table.schema().inputs()).containsExactly("a", "b");
        assertThat(table.schema().header()).isTrue();
        assertThat(Tables.all(table)).containsExactly(1, 2.5, -30, 4);
    }

    @Test
    void gzip() throws IOException {
        Path file = folder.resolve("t.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("a,b\n1,2\n3,4\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(Tables.all(TableReader.read(file, TableColumns.all(), TableProgress.NONE)))
                .containsExactly(1, 2, 3, 4);
    }

    @Test
    void quotedNamesMayHoldAnything() throws IOException {
        NumberTable table = read("\"a, \"\"b\"\"\",\"two\nlines\",5\" pipe\n1,2,3\n4,5,6\n");
        assertThat(Schema.names(table.schema().columns())).containsExactly("a, \"b\"", "two\nlines", "5\" pipe");
        assertThat(Tables.all(table)).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void withoutNames() throws IOException {
        NumberTable table = read("1,2\n3,4\n");
        assertThat(table.schema().inputs()).containsExactly("x1", "x2");
        assertThat(table.schema().header()).isFalse();
        assertThat(table.rows()).isEqualTo(2);
    }

    @Test
    void aFirstRowWithAWordThatComesAgainIsData() throws IOException {
        NumberTable flowers = read("5.1,3.5,setosa\n4.9,3.0,setosa\n7,3.2,virginica\n", Tables.ONE_HOT);
        assertThat(flowers.rows()).isEqualTo(3);
        assertThat(flowers.schema().inputs()).containsExactly("x1", "x2", "x3=setosa", "x3=virginica");
        NumberTable years = read("2019,2020,name\n1,2,ann\n3,4,bob\n", Tables.ONE_HOT);
        assertThat(years.rows()).isEqualTo(2);
        assertThat(TableFindings.of(false, years, 0, 1))
                .contains("The first row was taken for the columns' names, though 2 of its 3 cells are numbers; set"
                        + " header: absent if it is data.");
    }

    @Test
    void headerCanBeSaid() throws IOException {
        String counted = "0,1,2\n5,6,7\n7,8,10\n";
        NumberTable found = read(counted);
        assertThat(found.rows()).isEqualTo(3);
        assertThat(TableFindings.of(false, found, 0, 1, 2))
                .contains("The first row is 0, 1, 2, ..., and was taken for data; set header: present if it counts the"
                        + " columns.");
        NumberTable said = read(counted, Tables.header(Header.PRESENT));
        assertThat(said.rows()).isEqualTo(2);
        assertThat(said.schema().inputs()).containsExactly("0", "1", "2");
        assertThat(read("1,2\n3,4\n5,6\n", Tables.header(Header.ABSENT)).rows()).isEqualTo(3);
    }

    /** Longer than the pieces in which files are read, with lines of many lengths. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyRows(boolean quotes) throws IOException {
        int rows = 20_000;
        StringBuilder text = new StringBuilder("a,b,c\n");
        double[] expected = new double[3 * rows];
        for (int i = 0; i < rows; i++) {
            expected[3 * i] = i;
            expected[3 * i + 1] = i * 0.37 / 3;
            expected[3 * i + 2] = -1.0 / (i + 1);
            text.append(i).append(',').append(quotes ? "\"" : "").append(expected[3 * i + 1]);
            text.append(quotes ? "\"," : ",").append(expected[3 * i + 2]).append('\n');
        }
        List<Long> told = new ArrayList<>();
        double[] most = {0};
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        NumberTable table = TableReader.read(file, TableColumns.all(), (row, share) -> {
            told.add(row);
            most[0] = Math.max(most[0], share.orElseThrow());
        });
        assertThat(Arrays.equals(Tables.all(table), expected)).isTrue();
        assertThat(told).isSorted().hasSizeGreaterThan(1).endsWith((long) rows);
        assertThat(most[0]).isEqualTo(1);
    }

    @Test
    void oneColumn() throws IOException {
        assertThat(Tables.all(read("x\n1\n2\n4\n"))).containsExactly(1, 2, 4);
        assertThat(Tables.all(read("1\n2\n4\n"))).containsExactly(1, 2, 4);
    }

    // ---- NumPy

    @ParameterizedTest
    @ValueSource(strings = {"float", "double", "long"})
    void npy(String type) throws IOException {
        Path file = folder.resolve("t.npy");
        double[] values = {1, 2, 3, 4, 5, 7};
        Npy.write(file, Tensors.of(values, 3, 2).to(dev.kelvin.tensor.DType.valueOf(type.toUpperCase(Locale.ROOT))));
        NumberTable table = TableReader.read(file, TableColumns.all(), TableProgress.NONE);
        assertThat(table.schema().inputs()).containsExactly("x1", "x2");
        assertThat(Tables.all(table)).containsExactly(values);
    }

    @Test
    void npzWithLabels() throws IOException {
        Path file = npz(Map.of(
                "X.npy", array(new double[] {1, 2, 3, 4, 5, 7}, 3, 2), "y.npy", array(new double[] {1, 0, 1}, 3)));
        NumberTable table = TableReader.read(file, TableColumns.all(), TableProgress.NONE);
        assertThat(table.schema().inputs()).containsExactly("x1", "x2");
        assertThat(table.schema().classes()).containsExactly("0", "1");
        assertThat(table.labelWord(0)).contains("1");
        assertThat(table.classCounts()).containsExactly(1, 2);
        assertThat(TableReader.read(file, Tables.trainOn("y", "1"), TableProgress.NONE)
                        .learntFrom(1))
                .isFalse();
        NumberTable other = TableReader.read(file, Tables.label("x1"), TableProgress.NONE);
        assertThat(other.schema().inputs()).containsExactly("x2"); // y is never an input
    }

    @Test
    void npzWithOneArrayOfAnyName() throws IOException {
        Path file = npz(Map.of("arr_0.npy", array(new double[] {1, 2, 3, 4}, 2, 2)));
        assertThat(Tables.all(TableReader.read(file, TableColumns.all(), TableProgress.NONE)))
                .containsExactly(1, 2, 3, 4);
    }

    private Path npz(Map<String, byte[]> arrays) throws IOException {
        Path file = folder.resolve("t.npz");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, byte[]> each : arrays.entrySet()) {
                zip.putNextEntry(new ZipEntry(each.getKey()));
                zip.write(each.getValue());
            }
        }
        return file;
    }

    private static byte[] array(double[] values, long... shape) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Npy.write(bytes, Tensors.of(values, shape));
        return bytes.toByteArray();
    }

    // ---- which columns

    @Test
    void columnsAndExclude() throws IOException {
        String text = "a,b,c\n1,x,3\n4,y,6\n";
        assertThat(read(text, Tables.only("c", "a")).schema().inputs()).containsExactly("a", "c");
        assertThat(read(text, Tables.without("b")).schema().inputs()).containsExactly("a", "c");
    }

    @Test
    void labelsAreNeverInputs() throws IOException {
        NumberTable table = read("a,kind,b\n1,odd,2\n3,fine,4\n5,,6\n7,odd,8\n", Tables.label("kind"));
        assertThat(table.schema().inputs()).containsExactly("a", "b");
        assertThat(table.schema().classes()).containsExactly("fine", "odd");
        assertThat(table.labelWord(0)).contains("odd");
        assertThat(table.labelWord(2)).isEmpty();
        assertThat(table.classCounts()).containsExactly(1, 2);
        assertThat(table.learntFrom(0)).isTrue();
    }

    @Test
    void numbersAsLabelsAreInTheirOrder() throws IOException {
        NumberTable table = read("a,y\n1,10\n3,9.0\n5,-1\n7,1e1\n", Tables.label("y"));
        assertThat(table.schema().classes()).containsExactly("-1", "9", "10");
        assertThat(table.label(3)).isEqualTo(2);
    }

    @Test
    void trainOnDecidesWhatIsConstantAndWhatFills() throws IOException {
        String text = "a,b,y\n1,5,0\n3,5,0.0\n100,6,1\n";
        assertThat(read(text, Tables.label("y")).schema().inputs()).containsExactly("a", "b");
        NumberTable normal = read(text, Tables.trainOn("y", "0"));
        assertThat(normal.schema().inputs()).containsExactly("a");
        assertThat(Schema.names(normal.schema().constant())).containsExactly("b");
        assertThat(normal.learntFrom(1)).isTrue();
        assertThat(normal.learntFrom(2)).isFalse();
        assertThat(normal.schema().columns().get(0).high()).isEqualTo(3);
    }

    // ---- missing values and words

    @ParameterizedTest
    @ValueSource(strings = {"", "NaN", "nan", "NA", "N/A", "null", "None", "?", "\"\""})
    void missingIsFilled(String missing) throws IOException {
        String text = "a,b\n1,1\n" + missing + ",2\n2,3\n6,4\n";
        assertThat(Tables.all(read(text, Tables.MEAN))).containsExactly(1, 1, 3, 2, 2, 3, 6, 4);
        NumberTable median = read(text, Tables.MEDIAN);
        assertThat(Tables.all(median)).containsExactly(1, 1, 2, 2, 2, 3, 6, 4);
        assertThat(median.schema().columns().get(0).fill()).contains(2.0);
    }

    @Test
    void wordsBecomeOneHot() throws IOException {
        NumberTable table = read("a,colour\n1,red\n2,blue\n3,red\n", Tables.ONE_HOT);
        assertThat(table.schema().inputs()).containsExactly("a", "colour=blue", "colour=red");
        assertThat(table.schema().owners()).containsExactly(0, 1, 1);
        assertThat(Tables.all(table)).containsExactly(1, 0, 1, 2, 1, 0, 3, 0, 1);
    }

    @Test
    void aMissingWordIsTheMostFrequent() throws IOException {
        for (Missing missing : List.of(Missing.MEAN, Missing.MEDIAN)) {
            TableColumns settings = Tables.settings(missing, Text.ONE_HOT, UnknownWord.REFUSE);
            NumberTable table = read("a,c\n1,red\n2,\n3,blue\n,red\n", settings);
            assertThat(Tables.all(table)).containsExactly(1, 0, 1, 2, 0, 1, 3, 1, 0, 2, 0, 1);
        }
    }

    @Test
    void aWordAloneIsConstant() throws IOException {
        NumberTable table = read("a,c\n1,red\n2,red\n", Tables.ONE_HOT);
        assertThat(table.schema().inputs()).containsExactly("a");
        assertThat(TableFindings.of(false, table, 0, 1)).contains("Column 'c' has one value only and was left out.");
    }

    @Test
    void theSchemaGoesThroughJson() throws IOException {
        TableColumns settings = new TableColumns(
                List.of(),
                List.of("d"),
                Optional.of("y"),
                Optional.of("0"),
                Missing.MEAN,
                Text.ONE_HOT,
                UnknownWord.ZEROS,
                Header.AUTO);
        Schema schema = read("a,c,k,y,d\n1,red,4,0,0\n2,blue,4,0,0\n,red,4,1,0\n", settings)
                .schema();
        JsonMapper json = new JsonMapper();
        assertThat(json.readValue(json.writeValueAsString(schema), Schema.class))
                .isEqualTo(schema);
        assertThat(schema.width()).isEqualTo(3);
    }
}

package dev.kelvin.data.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.table.TableColumns.Missing;
import dev.kelvin.data.table.TableColumns.Text;
import dev.kelvin.data.table.TableColumns.UnknownWord;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Another file by the schema of the first. */
@ExtendWith({OneThread.class, InScope.class})
class TableRowsTest {
    @TempDir
    private Path folder;

    /** What a file's rows are. */
    private static final class Seen {
        private final List<Double> inputs = new ArrayList<>();
        private final List<Long> rows = new ArrayList<>();
        private final List<String> labels = new ArrayList<>();
        private final List<String> bad = new ArrayList<>();
        private final List<Integer> counts = new ArrayList<>();

        void add(RowBlock block) {
            counts.add(block.rows().size());
            block.bad().forEach(each -> bad.add(each.words()));
            for (RowBlock.Row row : block.rows()) {
                rows.add(row.number());
                labels.add(row.label());
                Arrays.stream(row.inputs()).forEach(inputs::add);
            }
        }
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("s.csv"), text);
    }

    private static Seen seen(Path file, Schema schema) throws IOException {
        Seen seen = new Seen();
        try (TableRows rows = TableRows.open(file, schema, false)) {
            for (Optional<RowBlock> block = rows.next(); block.isPresent(); block = rows.next()) {
                seen.add(block.get());
            }
        }
        return seen;
    }

    private Schema schema(String text, TableColumns settings) throws IOException {
        return Tables.read(folder, text, settings).schema();
    }

    private Schema named() throws IOException {
        return schema("a,b,y\n1,2,0\n3,4,1\n", Tables.label("y"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,b,y\n5,6,odd\n7,8,1.0\n",
                "b;more;y;a\n6;x;odd;5\n8;;1;7\n",
                "5,6,odd\n7,8,1\n", // no names: by place
                "\"y\"\t\"b\"\t\"a\"\nodd\t6\t5\n1\t8\t7\n"
            })
    void byNameOrByPlace(String text) throws IOException {
        Seen seen = seen(write(text), named());
        assertThat(seen.inputs).containsExactly(5.0, 6.0, 7.0, 8.0);
        assertThat(seen.labels).containsExactly("odd", "1");
        assertThat(seen.rows).containsExactly(1L, 2L);
        assertThat(seen.bad).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b\n5,6\n7,8\n", "5,6\n7,8\n"})
    void withoutTheLabel(String text) throws IOException {
        Seen seen = seen(write(text), named());
        assertThat(seen.inputs).containsExactly(5.0, 6.0, 7.0, 8.0);
        assertThat(seen.labels).containsExactly("", "");
    }

    @Test
    void aTableWithoutNamesIsFoundByPlaceWhateverTheNames() throws IOException {
        Schema schema = schema("1,2\n3,4\n", TableColumns.all());
        assertThat(seen(write("u,v\n5,6\n"), schema).inputs).containsExactly(5.0, 6.0);
        assertThat(seen(write("5,6\n"), schema).inputs).containsExactly(5.0, 6.0);
        Path file = folder.resolve("s.npy");
        Npy.write(file, Tensors.of(new double[] {5, 6}, 1, 2));
        assertThat(seen(file, schema).inputs).containsExactly(5.0, 6.0);
    }

    @Test
    void constantAndUnusedColumnsNeedNotBeThere() throws IOException {
        Schema schema = schema("a,k,u\n1,5,1\n3,5,2\n", Tables.without("u"));
        assertThat(seen(write("a\n5\n"), schema).inputs).containsExactly(5.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "a,c,y => has no column 'b', which the model needs; it has a, c, y",
                "q,r => has no column 'a', 'b', which the model needs; it has q, r",
                "1,2,3,4 => has 4 columns; the model was learnt from 3, the label among them, and without names they are"
                        + " found by their places",
                "1 => has 1 column; the model was learnt from 3, the label among them, and without names they are"
                        + " found by their places",
                "a,b,a => has two columns named 'a'; rename one"
            })
    void wrongColumns(String first, String problem) throws IOException {
        Schema schema = named();
        Path file = write(first + "\n");
        assertThatThrownBy(() -> TableRows.open(file, schema, false))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessage(file + ": " + problem);
    }

    @Test
    void nothing() throws IOException {
        Schema schema = named();
        assertThat(seen(write("a,b\n"), schema).counts).isEmpty();
        Path file = write("\n");
        assertThatThrownBy(() -> TableRows.open(file, schema, false)).hasMessage(file + ": is empty: it has no row");
    }

    @Test
    void badRowsAreToldAndSkipped() throws IOException {
        String text = "a,b\n1,2\nx,2\n3\n4,inf\n5,\n\n6,7\n1,2,3\nNaN,1\n1,\"2\n2\"\n8,9\n";
        Seen seen = seen(write(text), named());
        assertThat(seen.inputs).containsExactly(1.0, 2.0, 6.0, 7.0, 8.0, 9.0);
        assertThat(seen.rows).containsExactly(1L, 6L, 10L);
        assertThat(seen.bad)
                .containsExactly(
                        "row 2 (line 3), column 'a' holds 'x', which is no number",
                        "row 3 (line 4) has 1 cell; expected 2",
                        "row 4 (line 5), column 'b' holds 'inf', which is infinite",
                        "row 5 (line 6), column 'b' is empty",
                        "row 7 (line 9) has 3 cells; expected 2",
                        "row 8 (line 10), column 'a' holds 'NaN', a missing value",
                        "row 9 (line 11), column 'b' holds '2 2', which is no number");
    }

    @Test
    void missingIsFilledWithTheValueOfTraining() throws IOException {
        Schema schema = schema("a,b\n1,2\n3,5\n", Tables.MEAN);
        assertThat(seen(write("b,a\nNA,100\n1,\n"), schema).inputs).containsExactly(100.0, 3.5, 2.0, 1.0);
    }

    @Test
    void words() throws IOException {
        String text = "a,c\n1,red\n2,blue\n";
        Path file = write("c,a\nblue,5\ngreen,6\n,7\nred,8\n");
        Seen strict = seen(file, schema(text, Tables.ONE_HOT));
        assertThat(strict.inputs).containsExactly(5.0, 1.0, 0.0, 8.0, 0.0, 1.0);
        assertThat(strict.bad)
                .containsExactly(
                        "row 2 (line 3), column 'c' holds the word 'green', which was not in the table that was learnt"
                                + " from",
                        "row 3 (line 4), column 'c' is empty");
        Schema lenient = schema(text, Tables.settings(Missing.MEDIAN, Text.ONE_HOT, UnknownWord.ZEROS));
        assertThat(seen(file, lenient).inputs)
                .containsExactly(5.0, 1.0, 0.0, 6.0, 0.0, 0.0, 7.0, 1.0, 0.0, 8.0, 0.0, 1.0);
    }

    /** Without names a first row of words and numbers is data if it fits the schema. */
    @Test
    void wordsWithoutNames() throws IOException {
        Schema schema = schema("1,red\n2,red\n3,blue\n", Tables.ONE_HOT);
        assertThat(schema.header()).isFalse();
        assertThat(seen(write("4,red\n5,blue\n"), schema).inputs).containsExactly(4.0, 0.0, 1.0, 5.0, 1.0, 0.0);
        assertThat(seen(write("u,v\n5,blue\n"), schema).inputs).containsExactly(5.0, 1.0, 0.0);
    }

    @Test
    void aheadIsTheSameInTheSameOrder() throws IOException {
        StringBuilder text = new StringBuilder("a,b\n");
        for (int i = 0; i < 40_000; i++) {
            text.append(i).append(i % 1000 == 7 ? ",x\n" : ",1\n");
        }
        Schema schema = named();
        Path file = write(text.toString());
        Seen here = seen(file, schema);
        Seen there = new Seen();
        try (RowsAhead ahead = RowsAhead.open(file, schema)) {
            for (Optional<RowBlock> block = ahead.next(); block.isPresent(); block = ahead.next()) {
                there.add(block.get());
            }
            assertThat(ahead.next()).isEmpty();
        }
        assertThat(here.bad).hasSize(40);
        assertThat(there.counts).isEqualTo(here.counts).hasSize(5);
        assertThat(there.rows.equals(here.rows)).isTrue();
        assertThat(there.inputs.equals(here.inputs)).isTrue();
        assertThat(there.bad).isEqualTo(here.bad);
    }

    @Test
    void aheadCanBeClosedEarlyAndTellsWhatWentWrong() throws IOException {
        Schema schema = named();
        byte[] zeros = new byte[4 * 300_000];
        for (int i = 0; i < zeros.length; i += 4) {
            zeros[i] = '1';
            zeros[i + 1] = ',';
            zeros[i + 2] = '2';
            zeros[i + 3] = '\n';
        }
        Path file = Files.write(folder.resolve("s.csv"), zeros);
        try (RowsAhead ahead = RowsAhead.open(file, schema)) {
            assertThat(ahead.next()).isPresent();
        }
        byte[] broken = Arrays.copyOf(zeros, 4 * 50_000);
        broken[broken.length - 2] = '"';
        broken[broken.length - 1] = '1';
        Files.write(file, broken);
        int rows = 0;
        try (RowsAhead ahead = RowsAhead.open(file, schema)) {
            try {
                for (Optional<RowBlock> block = ahead.next(); block.isPresent(); block = ahead.next()) {
                    rows += block.get().rows().size();
                }
            } catch (UnreadableFileException e) {
                assertThat(e.problem()).isEqualTo("opens a quote on line 50000 that is never closed");
                rows += 1;
            }
        }
        assertThat(rows).isEqualTo(6 * 8192 + 1);
    }
}

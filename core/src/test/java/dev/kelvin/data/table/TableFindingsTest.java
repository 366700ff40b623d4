package dev.kelvin.data.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a table, and how it is split. */
@ExtendWith({OneThread.class, InScope.class})
class TableFindingsTest {
    private static final int ROWS = 100;

    @TempDir
    private Path folder;

    private List<String> findings(String text, TableColumns settings) throws IOException {
        NumberTable table = Tables.read(folder, text, settings);
        return TableFindings.of(false, table, Tables.rows(table));
    }

    /** Rows of two normal numbers, and what follows them. */
    private static String normal(String names, IntFunction<String> more) {
        RandomGenerator random = Key.of(1).stream();
        StringBuilder text = new StringBuilder("a,b" + names + "\n");
        for (int i = 0; i < ROWS; i++) {
            text.append(random.nextGaussian()).append(',').append(random.nextGaussian());
            text.append(more.apply(i)).append('\n');
        }
        return text.toString();
    }

    @Test
    void aGoodTableHasNone() throws IOException {
        List<String> findings = findings(normal("", i -> ""), TableColumns.all());
        assertThat(findings).isEmpty();
    }

    @Test
    void constantColumns() throws IOException {
        assertThat(findings(normal(",c,d", i -> ",1,2"), TableColumns.all()))
                .containsExactly("Columns 'c', 'd' have one value only and were left out.");
    }

    @Test
    void repeatedValues() throws IOException {
        List<String> findings = findings(normal(",c", i -> "," + (i % 5 == 0 ? 7.5 : i)), TableColumns.all());
        assertThat(findings)
                .containsExactly("Values repeat in 'c' (20 % of the rows have 7.5); a density has no bound there, so"
                        + " train with noise.");
        assertThat(findings(normal(",c", i -> i % 2 == 0 ? ",x" : ",y"), Tables.ONE_HOT))
                .containsExactly(
                        "Values repeat in 'c' (text as 0 and 1); a density has no bound there, so train with noise.");
    }

    @Test
    void copiesOfRows() throws IOException {
        String rows = normal("", i -> "");
        String twice = rows + rows.substring(rows.indexOf('\n') + 1);
        List<String> findings = findings(twice, TableColumns.all());
        assertThat(findings)
                .containsExactly("100 of 200 rows (50 %) are copies of others, so that held-out rows may have been"
                        + " trained on too.");
    }

    @Test
    void columnsThatFollowFromOthers() throws IOException {
        RandomGenerator random = Key.of(3).stream();
        double[] values = new double[3 * ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[3 * i] = random.nextGaussian();
            values[3 * i + 1] = random.nextGaussian();
            values[3 * i + 2] = -2 * values[3 * i] + 1e-4 * random.nextGaussian();
        }
        List<String> findings = findings(Tables.csv(3, values), TableColumns.all());
        assertThat(findings).singleElement().asString().startsWith("Columns 'a', 'c' nearly follow");
    }

    @Test
    void fewRows() throws IOException {
        assertThat(findings("1,2\n3,5\n4,9\n", TableColumns.all()))
                .contains("There are 3 rows for 2 inputs; 10 an input is the least to learn a density from.");
    }

    // ---- splits

    @Test
    void theSplitIsAPartitionByKey() throws IOException {
        NumberTable table = Tables.read(
                folder,
                normal(",y", i -> i % 4 == 0 ? ",odd" : i % 10 == 3 ? "," : ",fine"),
                Tables.trainOn("y", "fine"));
        TableSplit split = TableSplit.of(Key.of(5), table, 0.1);
        int fine = (int)
                IntStream.range(0, ROWS).filter(i -> i % 4 != 0 && i % 10 != 3).count();
        assertThat(split.apart()).hasSize(ROWS - fine).isSorted();
        assertThat(split.heldOut()).hasSize(Math.round(0.1f * fine)).isSorted();
        assertThat(IntStream.of(split.train())).allMatch(table::learntFrom);
        assertThat(IntStream.concat(
                                IntStream.concat(IntStream.of(split.train()), IntStream.of(split.heldOut())),
                                IntStream.of(split.apart()))
                        .sorted()
                        .toArray())
                .isEqualTo(Tables.rows(table));
        assertThat(TableSplit.of(Key.of(5), table, 0.1).heldOut()).isEqualTo(split.heldOut());
        assertThat(TableSplit.of(Key.of(6), table, 0.1).heldOut()).isNotEqualTo(split.heldOut());
    }

    @Test
    void sharesOfFewRows() throws IOException {
        NumberTable two = Tables.read(folder, "1\n2\n", TableColumns.all());
        assertThat(TableSplit.of(Key.of(1), two, 0.01).heldOut()).hasSize(1);
        assertThat(TableSplit.of(Key.of(1), two, 0.99).train()).hasSize(1);
        assertThat(TableSplit.of(Key.of(1), two, 0).train()).hasSize(2);
        assertThatThrownBy(() -> TableSplit.of(Key.of(1), two, 1)).isInstanceOf(SettingException.class);
    }
}

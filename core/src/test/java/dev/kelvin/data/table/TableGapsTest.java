package dev.kelvin.data.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.data.table.file.TableWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows with missing cells that are to be filled, and the way back from inputs to cells. */
class TableGapsTest {
    private static final String TABLE = """
            id,amount,kind,unit,label
            a,10,cash,EUR,0
            b,250,card,EUR,1
            c,30.5,cash,EUR,0
            """;

    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Schema schema(TableColumns.Missing missing) throws IOException {
        TableColumns which = new TableColumns(
                List.of(),
                List.of("id"),
                Optional.of("label"),
                Optional.empty(),
                missing,
                TableColumns.Text.ONE_HOT,
                TableColumns.UnknownWord.REFUSE,
                TableColumns.Header.AUTO);
        return TableReader.read(file("t.csv", TABLE), which, TableProgress.NONE).schema();
    }

    /** Whatever the schema fills missing cells with when rows are scored. */
    @ParameterizedTest
    @EnumSource(TableColumns.Missing.class)
    void missingCellsAreLetThroughAsNan(TableColumns.Missing missing) throws IOException {
        Path gaps = file("gaps.csv", "kind,note,amount\ncash,\"x, y\",\n,n,7\nNA,n,?\ncard,,12\n");
        try (TableRows rows = TableRows.open(gaps, schema(missing), true)) {
            assertThat(rows.names()).containsExactly("kind", "note", "amount");
            assertThat(rows.places()).containsExactly(2, 0);
            RowBlock block = rows.next().orElseThrow();
            assertThat(block.bad()).isEmpty();
            assertThat(block.rows()).hasSize(4);
            double nan = Double.NaN;
            assertThat(block.rows().stream()
                            .flatMapToDouble(row -> Arrays.stream(row.inputs()))
                            .toArray()) // amount, kind=card, kind=cash
                    .containsExactly(nan, 0, 1, 7, nan, nan, nan, nan, nan, 12, 1, 0);
            assertThat(block.rows().get(0).cells()).containsExactly("cash", "x, y", "");
            assertThat(block.rows().get(2).cells()).containsExactly("NA", "n", "?");
            assertThat(rows.next()).isEmpty();
        }
    }

    @Test
    void otherFaultsAreToldAsEver() throws IOException {
        Path bad = file("bad.csv", "amount,kind\nabc,cash\n1\n1,gold\n2,card\n");
        try (TableRows rows = TableRows.open(bad, schema(TableColumns.Missing.REFUSE), true)) {
            RowBlock block = rows.next().orElseThrow();
            assertThat(block.rows()).hasSize(1);
            assertThat(block.bad().stream().map(BadRow::words))
                    .containsExactly(
                            "row 1 (line 2), column 'amount' holds 'abc', which is no number",
                            "row 2 (line 3) has 1 cell; expected 2",
                            "row 3 (line 4), column 'kind' holds the word 'gold', which was not in the table that was learnt"
                                    + " from");
        }
    }

    /** Without gaps nothing has changed: a missing cell is a fault. */
    @Test
    void rowsThatAreScoredHaveNoGaps() throws IOException {
        Path gaps = file("gaps.csv", "amount,kind\n,cash\n");
        try (TableRows rows = TableRows.open(gaps, schema(TableColumns.Missing.REFUSE), false)) {
            assertThat(rows.next().orElseThrow().bad().get(0).words())
                    .isEqualTo("row 1 (line 2), column 'amount' is empty");
        }
    }

    @Test
    void inputsBecomeCellsAgain() throws IOException {
        Schema schema = schema(TableColumns.Missing.REFUSE);
        Decoder decoder = new Decoder(schema);
        // amounts range over 240: a millionth of the hundreds is written
        assertThat(decoder.text(new double[] {12.345678901, 0.2, 0.7}, 0)).isEqualTo("12.3457");
        assertThat(decoder.text(new double[] {-0.00001, 0.2, 0.7}, 0)).isEqualTo("0");
        assertThat(decoder.text(new double[] {1200, 0.2, 0.7}, 0)).isEqualTo("1200");
        assertThat(decoder.text(new double[] {12, 0.2, 0.7}, 1)).isEqualTo("cash");
        assertThat(decoder.text(new double[] {12, -0.1, -0.3}, 1)).isEqualTo("card");
        assertThat(schema.constant()).extracting(Schema.Column::name).containsExactly("unit");
        List<Schema.Column> known = schema.columns().subList(1, 4);
        assertThat(decoder.texts(new double[] {30.5, 1, 0}, known)).containsExactly("30.5", "card", "EUR");
    }

    @Test
    void writtenCellsAreReadBack() throws IOException {
        Path file = folder.resolve("out.csv");
        TableWriter.write(file, out -> {
            out.add(List.of("a b", "c,d", "e\"f"));
            out.add(List.of("1", "", "x\ny"));
        });
        assertThat(Files.readString(file)).isEqualTo("a b,\"c,d\",\"e\"\"f\"\n1,,\"x\ny\"\n");
    }
}

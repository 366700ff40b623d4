package dev.kelvin.data.table.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.data.table.NumberTable;
import dev.kelvin.data.table.TableColumns;
import dev.kelvin.data.table.TableProgress;
import dev.kelvin.data.table.TableReader;
import dev.kelvin.tensor.Key;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberWriterTest {
    @TempDir
    private Path folder;

    private interface Cells {
        void write(NumberWriter writer) throws IOException;
    }

    private static String text(Cells cells) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (NumberWriter writer = new NumberWriter(bytes)) {
            cells.write(writer);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-0.0,0",
        "1,1",
        "-1.5,-1.5",
        "0.1,0.1",
        "100,100",
        "1234567,1234567",
        "12345678,1.234568e7",
        "0.00001,0.00001",
        "0.000001,1e-6",
        "-0.000123456789,-0.0001234568",
        "9999999.6,1e7",
        "999999.96,1000000",
        "0.99999999,1",
        "3.14159265,3.141593",
        "1e300,1e300",
        "-1e-300,-1e-300",
        "4.9e-324,4.940656e-324",
        "1.7976931348623157e308,1.797693e308",
        "NaN,NaN",
        "Infinity,inf",
        "-Infinity,-inf",
        "123456.75,123456.8"
    })
    void numbers(double value, String expected) throws IOException {
        assertThat(text(writer -> writer.number(value).end()).replace("e+", "e"))
                .isEqualTo(expected + "\n");
    }

    @Test
    void sevenDigitsOfAnyNumber() throws IOException {
        RandomGenerator random = Key.of(1).stream();
        double[] values = IntStream.range(0, 20_000)
                .mapToDouble(i -> i % 2 == 0 ? random.nextGaussian() : Double.longBitsToDouble(random.nextLong()))
                .filter(value -> Double.isFinite(value) && Math.abs(value) > Double.MIN_NORMAL)
                .toArray();
        String[] rows = text(writer -> {
                    for (double value : values) {
                        writer.number(value).end();
                    }
                })
                .strip()
                .split("\n", -1);
        assertThat(rows).hasSameSizeAs(values);
        double worst = 0;
        for (int i = 0; i < values.length; i++) {
            worst = Math.max(worst, Math.abs(Double.parseDouble(rows[i]) / values[i] - 1));
        }
        // half a unit of the seventh digit is 5e-7 of a number that begins with 1
        assertThat(worst).isBetween(4e-7, 5.000001e-7);
    }

    @Test
    void cellsOfAllKinds() throws IOException {
        String text = text(writer -> {
            writer.text("row").text("a, \"b\"").text("").end();
            writer.integer(Long.MIN_VALUE).number(0.1).end();
            writer.integer(0).integer(-12).text("plain").end();
        });
        assertThat(text).isEqualTo("row,\"a, \"\"b\"\"\",\n-9223372036854775808,0.1\n0,-12,plain\n");
    }

    /** More than its buffer, read back as a table. */
    @Test
    void manyRows() throws IOException {
        Path file = folder.resolve("t.csv");
        try (NumberWriter writer = new NumberWriter(Files.newOutputStream(file))) {
            writer.text("row").text("x".repeat(100_000)).end();
            for (int i = 0; i < 10_000; i++) {
                writer.integer(i).number(i / 8.0).end();
            }
        }
        NumberTable table = TableReader.read(file, TableColumns.all(), TableProgress.NONE);
        assertThat(table.rows()).isEqualTo(10_000);
        assertThat(table.inputs(9_999)).containsExactly(9_999, 1249.875);
    }
}

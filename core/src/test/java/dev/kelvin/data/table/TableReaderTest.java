package dev.kelvin.data.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableReaderTest {
    @TempDir
    private Path folder;

    private NumberTable read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        return TableReader.read(file, TableColumns.all(), TableProgress.NONE);
    }

    @Test
    void namesAndNumbers() throws IOException {
        NumberTable table = read("a,b\n1,2.5\n-3e1,4\n");
        assertThat(table.schema().inputs()).containsExactly("a", "b");
        assertThat(table.inputs(IntStream.range(0, table.rows()).toArray())).containsExactly(1, 2.5, -30, 4);
    }
}

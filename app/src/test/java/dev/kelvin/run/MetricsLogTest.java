package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsLogTest {
    private static final String TWO_LINES = "{\"step\":10,\"loss\":0.5}\n{\"step\":20,\"loss\":0.25}\n";

    @TempDir
    private Path folder;

    private Path file = Path.of("");
    private MetricsLog log = new MetricsLog(file);

    @BeforeEach
    void open() {
        file = folder.resolve("metrics.jsonl");
        log = new MetricsLog(file);
    }

    private void addTwo() throws IOException {
        log.add(10, Map.of("loss", 0.5));
        log.add(20, Map.of("loss", 0.25));
    }

    @Test
    void writesALineAtOnce() throws IOException {
        addTwo();
        assertThat(file).hasContent(TWO_LINES);
    }

    @Test
    void readsWhatItWrote() throws IOException {
        double odd = 0.1 + 0.2;
        log.add(1, Map.of("loss", odd));
        assertThat(log.read()).containsExactly(new MetricsLog.Line(1, Map.of("loss", odd)));
    }

    /** As in the step before a run diverges. */
    @Test
    void keepsWhatIsNotFinite() throws IOException {
        Map<String, Double> values =
                Map.of("a", Double.NaN, "b", Double.POSITIVE_INFINITY, "c", Double.NEGATIVE_INFINITY);
        log.add(1, values);
        assertThat(log.read()).containsExactly(new MetricsLog.Line(1, values));
        byte[] before = Files.readAllBytes(file);
        log.rewind(1);
        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void isEmptyWithoutAFile() throws IOException {
        assertThat(log.read()).isEmpty();
        log.rewind(5);
        assertThat(file).doesNotExist();
    }

    @Test
    void rewindDropsLaterSteps() throws IOException {
        addTwo();
        log.add(20, Map.of("kl", 1.0));
        log.add(30, Map.of("loss", 0.125));
        log.rewind(20);
        assertThat(Files.readString(file)).isEqualTo(TWO_LINES + "{\"step\":20,\"kl\":1.0}\n");
        log.rewind(0);
        assertThat(file).isEmptyFile();
    }

    @Test
    void rewindChangesNoByteOfWhatItKeeps() throws IOException {
        addTwo();
        log.rewind(20);
        assertThat(Files.readString(file)).isEqualTo(TWO_LINES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{", "{\"step\":3", "{\"step\":30,\"loss\":0.1", "{\"step\":30,\"loss\":0.125", "\0\0\0", "3"})
    void aLineThatWasCutShortDoesNotCount(String rest) throws IOException {
        addTwo();
        Files.writeString(file, rest, StandardOpenOption.APPEND);
        assertThat(log.read()).hasSize(2);
        log.rewind(40);
        log.add(30, Map.of("loss", 0.125));
        assertThat(Files.readString(file)).isEqualTo(TWO_LINES + "{\"step\":30,\"loss\":0.125}\n");
    }

    /** A run that went back says so; the same time again, after a kill, replaces it. */
    @Test
    void remembersSetbacks() throws IOException {
        addTwo();
        log.add(10, new MetricsLog.Rollback(17, 10, 1).values());
        log.add(20, new MetricsLog.Rollback(26, 20, 2).values());
        assertThat(MetricsLog.Rollback.of(log.read()))
                .containsExactly(new MetricsLog.Rollback(17, 10, 1), new MetricsLog.Rollback(26, 20, 2));
        log.dropFrom(MetricsLog.Rollback.ATTEMPT, 2);
        log.rewind(10);
        assertThat(MetricsLog.Rollback.of(log.read())).containsExactly(new MetricsLog.Rollback(17, 10, 1));
        assertThat(log.read()).hasSize(2);
        log.add(31, Map.of(MetricsLog.Rollback.GAVE_UP, 3.0));
        assertThat(MetricsLog.Rollback.sentences(log.read(), 3))
                .containsExactly(
                        "Training diverged at step 17 and went back to the checkpoint of step 10 with new random numbers"
                                + " (1 of 3 times allowed).",
                        "Training diverged again at step 31 and was stopped: results are of its last good checkpoint.");
    }
}

package dev.kelvin.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.Progress.Detail;
import dev.kelvin.train.StepReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final StringWriter err = new StringWriter();
    private long now = 7 * SECOND;

    private Progress on(int columns, Detail detail) {
        return new Progress(new PrintWriter(err), detail, columns, () -> now);
    }

    @Test
    void silenceIsBrokenAfterTwoSecondsAndThenNowAndThen() {
        try (Progress progress = on(0, Detail.USUAL)) {
            progress.doing("judging the model");
            long began = now;
            now = began + SECOND;
            progress.tick();
            assertThat(err.toString()).isEmpty();
            now = began + 2 * SECOND + 1;
            progress.tick();
            assertThat(err.toString().strip()).isEqualTo("judging the model (2 s)");
            now = began + 5 * SECOND;
            progress.tick();
            assertThat(err.toString()).hasLineCount(1);
            now = began + 13 * SECOND;
            progress.tick();
            assertThat(err.toString()).hasLineCount(2).contains("(13 s)");
        }
    }

    @Test
    void onATerminalOneLineRenewsItselfAndIsWipedOut() {
        try (Progress progress = on(30, Detail.USUAL)) {
            progress.doing("a kind of work with a very long description");
            long began = now;
            now = began + 3 * SECOND;
            progress.tick();
            now = began + 4 * SECOND;
            progress.tick();
        }
        String line = "a kind of work with a very lo";
        assertThat(err.toString()).isEqualTo("\r" + line + "\r" + line + "\r" + " ".repeat(29) + "\r");
    }

    @Test
    void workOfOneKindIsToldOfRarelyWhereThereIsNoTerminal() {
        try (Progress progress = on(0, Detail.USUAL)) {
            progress.at("samples", 0, 100);
            long began = now;
            now = began + 3 * SECOND;
            progress.tick();
            progress.at("samples", 50, 100);
            now = began + 6 * SECOND;
            progress.tick();
            assertThat(err.toString().strip()).isEqualTo("samples: 0 of 100 (3 s)");
        }
    }

    @Test
    void quietSaysNothingOfProgressButWarns() {
        try (Progress progress = on(80, Detail.QUIET)) {
            train(progress);
            progress.doing("judging");
            now += 5 * SECOND;
            progress.tick();
            progress.tell("done");
            assertThat(err.toString()).isEmpty();
            progress.line("warning: odd");
        }
        assertThat(err.toString().strip()).isEqualTo("warning: odd");
    }

    @Test
    void verboseTellsOfEachCheckpoint() {
        try (Progress progress = on(0, Detail.VERBOSE)) {
            train(progress);
        }
        assertThat(err.toString()).contains("step 1: KL 0.5000", "100%  step 2/2");
    }

    private static void train(Progress progress) {
        progress.training(2, "KL");
        progress.startedAt(0);
        progress.stepped(1, new StepReport(Map.of("gap", 1.0)));
        progress.scored(1, OptionalDouble.of(0.5));
        progress.stepped(2, new StepReport(Map.of("gap", 1.0)));
    }

    @Test
    void aStepsLineStays() {
        try (Progress progress = on(80, Detail.USUAL)) {
            train(progress);
        }
        assertThat(err.toString()).startsWith("\r100%  step 2/2").endsWith(System.lineSeparator());
    }

    @Test
    void sentencesAreBrokenBetweenWords() {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        new Paragraph(writer, 30).print("  - ", "one two three four five six seven eight");
        new Paragraph(writer, 0).print("- ", "one two three four five six seven eight");
        assertThat(out.toString().lines())
                .containsExactly(
                        "  - one two three four five",
                        "    six seven eight",
                        "- one two three four five six seven eight");
    }
}

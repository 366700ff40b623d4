package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.UnknownPartException;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.TensorException;
import dev.kelvin.tensor.TooLargeException;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.yaml.Place;
import dev.kelvin.yaml.Problem;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A user's mistake and an internal error end with different codes. */
class ExitCodeTest {
    private static final int INTERNAL = 70;

    @Command(name = "fails")
    private record Failing(Callable<Integer> work) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            return work.call();
        }
    }

    private static int fails(StringWriter err, Callable<Integer> work) {
        CommandLine line = Main.commandLine();
        line.addSubcommand(new Failing(work));
        return line.setErr(new PrintWriter(err)).execute("fails");
    }

    static List<Callable<Integer>> internal() {
        return List.of(
                () -> {
                    throw new IllegalArgumentException("[2, 3] is not [2]");
                },
                () -> Integer.parseInt("many"),
                () -> {
                    throw new IllegalStateException("closed");
                });
    }

    @ParameterizedTest
    @MethodSource("internal")
    void anInternalErrorIsReportedWithItsTrace(Callable<Integer> work) {
        StringWriter err = new StringWriter();
        assertThat(fails(err, work)).isEqualTo(INTERNAL);
        assertThat(err.toString())
                .startsWith("kelvin: internal error; please report it: ")
                .contains("    at ");
    }

    static List<Exception> mistakes() {
        return List.of(
                new InvalidInputException("a mistake"),
                new SettingException("a", "mistake"),
                new UnknownPartException("a mistake"),
                new TooLargeException("a mistake", List.of()),
                new UserException("a mistake"),
                new RecipeException(List.of(new Problem(new Place("a.yaml", 1, 1), "a mistake"))),
                new TensorException("a mistake"),
                new IOException("a mistake"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneSentence(Exception mistake) {
        StringWriter err = new StringWriter();
        assertThat(fails(err, () -> {
                    throw mistake;
                }))
                .isEqualTo(ExitCode.RECIPE);
        assertThat(err.toString()).contains("a mistake").doesNotContain("    at ", "internal");
    }

    @Test
    void divergenceHasItsOwnCode() {
        assertThat(fails(new StringWriter(), () -> {
                    throw new DivergedException(7, "f is NaN");
                }))
                .isEqualTo(ExitCode.DIVERGED);
    }

    @Test
    void whatCoreRefusesIsTheUsersMistake() {
        assertThat(fails(new StringWriter(), () -> Device.parse("tpu").index())).isEqualTo(ExitCode.RECIPE);
        assertThat(fails(new StringWriter(), () -> Device.parse("cuda:99").index()))
                .isEqualTo(ExitCode.RECIPE);
        assertThat(fails(new StringWriter(), () -> Path.of("a\0b").getNameCount()))
                .isEqualTo(ExitCode.RECIPE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://[", "http:///there", "ftp://a.org", "there"})
    void anAddressThatIsNoneIsAMistakeOfUsage(String address) {
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setErr(new PrintWriter(err))
                .execute("data", "get", "mnist", "--from", address, "--quiet");
        assertThat(code).as(err.toString()).isEqualTo(ExitCode.USAGE);
    }
}

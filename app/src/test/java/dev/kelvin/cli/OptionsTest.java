package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.option.DeviceOption;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.tensor.Device;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;

/** Picocli finds out only when an option is used whether it can make a value of its field's type. */
class OptionsTest {
    static Stream<CommandLine> commands() {
        return all(Main.commandLine()).stream();
    }

    private static List<CommandLine> all(CommandLine command) {
        List<CommandLine> all = new ArrayList<>(List.of(command));
        command.getSubcommands().values().forEach(each -> all.addAll(all(each)));
        return all;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyOptionHasAType(CommandLine command) {
        for (CommandLine.Model.OptionSpec option : command.getCommandSpec().options()) {
            if (option.arity().max() > 0) {
                List<String> words = new ArrayList<>(
                        List.of(command.getCommandSpec().qualifiedName().split(" ")));
                words.remove(0); // kelvin itself
                words.addAll(List.of(option.longestName(), "1"));
                assertThat(complaint(words)).as(label(option)).doesNotContain("TypeConverter");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"train --json", "train rings --nosuch --json", "sample --json -n x", "compare --json"})
    void wrongUsageIsAnObjectToo(String words) {
        StringWriter out = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .execute(words.split(" "));
        assertThat(exit).isEqualTo(ExitCode.USAGE);
        assertThat(out.toString())
                .startsWith("{\"ended\":\"failed\",\"problem\":\"")
                .hasLineCount(1);
    }

    /** What can't fit into memory is a sentence that names who asks for it; nothing of it is allocated. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--chains 2000000000 | chains --target normal --kernel hmc --chains 2000000000",
                "-n 2000000000 | chains --target normal --kernel hmc -n 2000000000",
                "--thin 2000000000 | chains --target normal --kernel hmc -n 20000 --thin 2000000000",
                "train.batch is too large"
                        + " | train rings --dry-run --set train.batch=2000000000 --set negatives.buffer.size=2000000000",
                "model.mlp.hidden is too large | train rings --dry-run --set model.mlp.hidden=[1000000,1000000]"
            })
    void absurdSizesAreSentences(String named, String words) {
        StringWriter err = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(words.split(" "));
        assertThat(exit).as(err.toString()).isEqualTo(ExitCode.RECIPE);
        assertThat(err.toString()).contains(named).doesNotContain("Exception", "    at ");
    }

    @Test
    void aDryRunRefusesAFileThatIsNotThere() {
        StringWriter err = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute("train", "digits-shortrun", "--dry-run", "--set", "train.figures.features=none.safetensors");
        assertThat(exit).as(err.toString()).isNotEqualTo(ExitCode.OK);
        assertThat(err.toString()).contains("none.safetensors: there is no such file of features");
    }

    @Test
    void anOptionOfNoVerbIsUnknown() {
        assertThat(complaint(List.of("sample", "r", "--nosuch"))).isEqualTo("Unknown option: '--nosuch'");
        StringWriter err = new StringWriter();
        Main.commandLine().setErr(new PrintWriter(err)).execute("sample", "r", "--nosuch", "--fill", "x");
        assertThat(err.toString()).contains("Unknown options: '--nosuch', '--fill', 'x'");
    }

    @Test
    void aCommandToGoOnNamesTheGpu() {
        assertThat(DeviceOption.command(Device.CPU, "train", "--resume", "a run"))
                .isEqualTo("kelvin train --resume 'a run'");
        assertThat(DeviceOption.command(Device.cuda(1), "evaluate", "runs/rings"))
                .isEqualTo("kelvin evaluate runs/rings --device cuda:1");
    }

    private static String complaint(List<String> words) {
        try {
            Main.commandLine().parseArgs(words.toArray(String[]::new));
            return "";
        } catch (ParameterException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String label(ArgSpec option) {
        return option.command().qualifiedName() + " " + option.paramLabel();
    }
}

package dev.kelvin.cli;

import dev.kelvin.experiment.Build;
import dev.kelvin.recipe.RecipeException;
import dev.kelvin.recipe.RunException;
import dev.kelvin.tensor.BackendException;
import dev.kelvin.tensor.TensorException;
import dev.kelvin.train.DivergedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code kelvin}. */
@Command(
        name = "kelvin",
        description = "Trains, samples and evaluates energy-based models.",
        subcommands = {
            Train.class,
            Sample.class,
            Evaluate.class,
            ScoreRows.class,
            Diagnose.class,
            Compare.class,
            Reproduce.class,
            Cite.class,
            ListRecipes.class,
            DataCommand.class,
            FeaturesCommand.class,
            Doctor.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Start with: kelvin train rings",
            "Exit codes: 0 done, 2 usage, 3 recipe, data, files or machine, 4 diverged, 129 hung up,",
            "130 interrupted, 143 terminated, 70 internal error."
        })
public final class Main {
    static final int OK = 0;
    static final int USAGE = 2;
    static final int RECIPE = 3;
    static final int DIVERGED = 4;
    static final int INTERRUPTED = 130;

    private static final int DEFECT = 70; // sysexits' EX_SOFTWARE: Kelvin itself is at fault

    private Main() {}

    public static void main(String[] arguments) {
        try {
            System.exit(commandLine().execute(arguments));
        } catch (OutOfMemoryError e) {
            System.err.println(
                    "kelvin: out of memory: " + e.getMessage() + " (KELVIN_JAVA_OPTS=-Xmx4g gives Java more)");
            System.exit(RECIPE);
        }
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        CommandLine.IParameterExceptionHandler usual = line.getParameterExceptionHandler();
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((exception, arguments) -> {
                    int code = usual.handleParseException(exception, arguments);
                    if (List.of(arguments).contains("--json")) {
                        Output.print(exception.getCommandLine().getOut(), true, problem(exception));
                    }
                    return code;
                })
                .setExecutionExceptionHandler((exception, command, parsed) -> {
                    command.getErr().println(complaint(exception));
                    if (command.getParseResult().hasMatchedOption("--json")) {
                        Output.print(command.getOut(), true, problem(exception));
                    }
                    return exitCode(exception);
                });
    }

    /** What a program is told that asked for an object. */
    private static Map<String, Object> problem(Exception exception) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("ended", "failed");
        problem.put("problem", complaint(exception).replaceFirst("^kelvin: ", ""));
        return problem;
    }

    private static int exitCode(Exception exception) {
        if (exception instanceof DivergedException) {
            return DIVERGED;
        }
        return expected(exception) ? RECIPE : DEFECT;
    }

    private static boolean expected(Exception exception) {
        return exception instanceof RecipeException
                || exception instanceof CommandLine.ParameterException
                || exception instanceof RunException
                || exception instanceof BackendException
                || exception instanceof TensorException
                || exception instanceof IllegalArgumentException
                || exception instanceof IOException;
    }

    private static String complaint(Exception exception) {
        if (exception instanceof FileSystemException file) {
            return "kelvin: " + complaint(file);
        }
        if (exception instanceof RecipeException || exception instanceof DivergedException || expected(exception)) {
            String prefix = exception instanceof RecipeException ? "" : "kelvin: ";
            return prefix + exception.getMessage();
        }
        StringBuilder text = new StringBuilder("kelvin: internal error; please report it: " + exception);
        for (StackTraceElement element : exception.getStackTrace()) {
            text.append("\n    at ").append(element);
        }
        return text.toString();
    }

    /** Java names only the file where the exception's class says what is wrong with it. */
    private static String complaint(FileSystemException exception) {
        String file = exception.getFile();
        if (exception instanceof AccessDeniedException) {
            return "no permission for " + file;
        }
        if (exception instanceof NoSuchFileException) {
            return "there is no " + file;
        }
        if (exception instanceof FileAlreadyExistsException) {
            return file + " is there already";
        }
        String reason = exception.getReason();
        return file + ": " + (reason == null ? exception.getClass().getSimpleName() : reason);
    }

    /** Reads the version that the build wrote. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            Map<String, String> version = Build.facts();
            return new String[] {"kelvin " + version.get("kelvin") + " (commit " + version.get("commit") + ")"};
        }
    }
}

package dev.kelvin.cli;

import dev.kelvin.cli.option.Writing;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Output;
import dev.kelvin.dataset.Build;
import dev.kelvin.distributed.LostRankException;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.BackendException;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.TensorException;
import dev.kelvin.tensor.TooLargeException;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.ScalarText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code kelvin}. */
@Command(
        name = "kelvin",
        description = "Trains, samples and evaluates energy-based models.",
        subcommands = {
            Train.class,
            SweepCommand.class,
            Sample.class,
            ChainsCommand.class,
            Restore.class,
            Impute.class,
            Evaluate.class,
            ScoreCommand.class,
            Diagnose.class,
            Convert.class,
            Compare.class,
            Reproduce.class,
            Cite.class,
            ListRecipes.class,
            DataCommand.class,
            FeaturesCommand.class,
            Doctor.class,
            Completion.class,
            CommandLine.HelpCommand.class
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
    private static final int DEFECT = 70; // sysexits' EX_SOFTWARE: Kelvin itself is at fault

    @Option(
            names = "--quiet",
            scope = CommandLine.ScopeType.INHERIT,
            description = "no progress on stderr; results, warnings and errors only")
    private boolean quiet;

    @Option(
            names = "--verbose",
            scope = CommandLine.ScopeType.INHERIT,
            description = "more: every figure of a run, each checkpoint, and an error's stack trace")
    private boolean verbose;

    private Main() {}

    /** What was asked for before the verb or after it. */
    private static Main of(CommandSpec spec) {
        return (Main) spec.root().userObject();
    }

    public static void main(String[] arguments) {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (!(thrown instanceof OutOfMemoryError)) { // the thread that works tells that
                System.err.println("kelvin: internal error in " + thread.getName() + "; please report it: " + thrown);
            }
        });
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        addHelp(line);
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(Main::executed)
                .setParameterExceptionHandler(Main::refused)
                .setExecutionExceptionHandler((exception, command, parsed) -> {
                    command.getErr().println(complaint(exception) + asked(exception, parsed));
                    if (of(command.getCommandSpec()).verbose && expected(exception)) {
                        command.getErr().println(trace(exception));
                    }
                    if (command.getParseResult().hasMatchedOption("--json")) {
                        Output.print(command.getOut(), true, problem(exception));
                    }
                    return exitCode(exception);
                });
    }

    /** Gives --help and --version to all verbs below a command. */
    private static void addHelp(CommandLine line) {
        for (CommandLine verb : line.getSubcommands().values()) {
            if (!(verb.getCommand() instanceof CommandLine.HelpCommand)) {
                verb.getCommandSpec().mixinStandardHelpOptions(true);
                addHelp(verb);
            }
        }
    }

    private static int executed(CommandLine.ParseResult parsed) {
        CommandLine line = parsed.commandSpec().commandLine();
        Main main = of(parsed.commandSpec());
        if (main.quiet && main.verbose) {
            throw new ParameterException(line, "--quiet or --verbose, not both");
        }
        List<CommandLine> verbs = parsed.asCommandLineList();
        CommandLine verb = verbs.get(verbs.size() - 1);
        try {
            if (verb.getCommand() instanceof Writing writing) {
                Writing.check(verb.getCommandSpec(), writing.written());
            }
        } catch (InvalidInputException | InvalidPathException e) { // of what is named
            throw new ExecutionException(verb, String.valueOf(e.getMessage()), e);
        }
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (OutOfMemoryError e) {
            String what = "out of memory: " + e.getMessage() + " (" + Memory.MORE + ")";
            throw new ExecutionException(line, what, new TooLargeException(what, List.of()));
        }
    }

    /** Says what is wrong with the options in a line or two; the whole help, were it printed, would push that away. */
    private static int refused(ParameterException exception, String[] arguments) {
        CommandLine line = exception.getCommandLine();
        PrintWriter err = line.getErr();
        if (arguments.length == 0) {
            line.usage(err);
            return ExitCode.USAGE;
        }
        err.println("kelvin: " + exception.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(exception, err)) {
            String verb = line.getCommandSpec().qualifiedName().replaceFirst("^kelvin ?", "");
            err.println("see '" + (verb.isEmpty() ? "kelvin --help" : "kelvin " + verb + " --help") + "'");
        }
        if (List.of(arguments).contains("--json")) {
            Output.print(line.getOut(), true, problem(exception));
        }
        return ExitCode.USAGE;
    }

    /** A failure as the object that {@code --json} asks for. */
    private static Map<String, Object> problem(Exception exception) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("ended", "failed");
        problem.put("problem", complaint(exception).replaceFirst("^kelvin: ", ""));
        return problem;
    }

    private static int exitCode(Exception exception) {
        return exception instanceof DivergedException
                ? ExitCode.DIVERGED
                : expected(exception) ? ExitCode.RECIPE : DEFECT;
    }

    private static boolean expected(Exception exception) {
        return exception instanceof InvalidInputException
                || exception instanceof InvalidPathException
                || exception instanceof ParameterException
                || exception instanceof BackendException
                || exception instanceof LostRankException
                || exception instanceof TensorException
                || exception instanceof IOException;
    }

    private static String complaint(Exception exception) {
        if (exception instanceof FileSystemException file) {
            return "kelvin: " + complaint(file);
        }
        if (exception instanceof DivergedException || expected(exception)) {
            String prefix = exception instanceof RecipeException ? "" : "kelvin: ";
            return prefix + exception.getMessage();
        }
        return "kelvin: internal error; please report it: " + exception + "\n" + trace(exception);
    }

    /** The options that ask for what is too large. */
    private static String asked(Exception exception, CommandLine.ParseResult parsed) {
        if (!(exception instanceof TooLargeException tooLarge)) {
            return "";
        }
        CommandLine.ParseResult verb = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
        String options = verb.matchedOptions().stream()
                .flatMap(option -> option.originalStringValues().stream()
                        .filter(value -> ScalarText.holds(value, tooLarge.sizes()))
                        .map(value -> option.longestName() + " " + value))
                .collect(Collectors.joining(", "));
        return options.isEmpty() ? "" : "; asked for by " + options;
    }

    private static String trace(Exception exception) {
        return Stream.of(exception.getStackTrace())
                .map(element -> "    at " + element)
                .collect(Collectors.joining("\n"));
    }

    /** Java names only the file where the exception's class says what is wrong with it. */
    private static String complaint(FileSystemException exception) {
        String file = exception.getFile();
        if (exception instanceof AccessDeniedException) {
            return "no permission for " + file;
        }
        if (exception instanceof NoSuchFileException && isWritten(Path.of(file))) {
            return "no file or folder can be made in " + Path.of(file).getParent() + "; name another place with --out";
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

    /** Whether a file that is not there was to be made in a folder that is: what we write has a hidden name at first. */
    private static boolean isWritten(Path file) {
        Path parent = file.getParent();
        return parent != null
                && Files.isDirectory(parent)
                && file.getFileName().toString().startsWith(".");
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

package dev.kelvin.cli.option;

import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.RunFolder;
import dev.kelvin.sets.KnownSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** A verb that writes files that its user may name: none of them may be one that it reads, or a run's own. */
public interface Writing {
    /** The option that names what is written. */
    String OUT = "--out";

    /** The files that will be written, as far as they are known before any work is done. */
    List<Path> written();

    /** Makes the folder in which a file is to be written. */
    static void makeFolderOf(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
    }

    /** Refuses folders, and files that must not be overwritten. */
    static void check(CommandSpec spec, List<Path> written) {
        List<String> named = spec.commandLine().getParseResult().matchedArgs().stream()
                .filter(each -> !isOut(each))
                .flatMap(each -> each.originalStringValues().stream())
                .toList();
        for (Path file : written) {
            if (Files.isDirectory(file)) {
                throw new ParameterException(spec.commandLine(), file + " is a folder; " + OUT + " names a file");
            }
            Optional<String> whose = RunFolder.owner(file)
                    .map(run -> "belongs to the run " + run)
                    .or(() -> named.stream()
                            .flatMap(text -> whose(file, text).stream())
                            .findFirst());
            whose.ifPresent(words -> {
                throw new ParameterException(
                        spec.commandLine(),
                        file + " " + words + " and would be overwritten; name another file with " + OUT);
            });
        }
    }

    private static boolean isOut(ArgSpec argument) {
        return argument instanceof OptionSpec option && option.longestName().equals(OUT);
    }

    /** What this command does with a file by an argument that may name it. */
    private static Optional<String> whose(Path file, String argument) {
        Optional<Path> place = place(argument);
        if (place.isEmpty() || !Files.exists(place.get())) {
            return Optional.empty();
        }
        if (Files.isRegularFile(place.get().resolve("recipe.yaml"))) {
            Recipe recipe = RunFolder.open(place.get()).recipe(List.of());
            return recipe.data()
                    .place()
                    .filter(data -> holds(data, file))
                    .map(data -> "is of the data of the run " + place.get());
        }
        return holds(place.get(), file) ? Optional.of("is read by this command") : Optional.empty();
    }

    /** Where an argument leads, if it is a path: a set's name does, and a run may have a weight. */
    private static Optional<Path> place(String argument) {
        if (argument.equals("-")) {
            return Optional.of(Path.of("/dev/stdin")); // which may come from a file
        }
        try {
            return KnownSet.named(argument)
                    .map(KnownSet::path)
                    .or(() -> Stream.of(argument, argument.replaceFirst("\\*[^*/]*$", ""))
                            .filter(text -> !text.isEmpty())
                            .map(Path::of)
                            .filter(Files::exists)
                            .findFirst());
        } catch (InvalidPathException e) {
            return Optional.empty(); // a density, a kernel, ...
        }
    }

    /** Whether a file is there and is this one, by whatever name, or lies in this folder. */
    private static boolean holds(Path place, Path file) {
        try {
            return Files.exists(file)
                    && Files.exists(place)
                    && (Files.isDirectory(place)
                            ? Files.isRegularFile(file) && file.toRealPath().startsWith(place.toRealPath())
                            : Files.isSameFile(place, file));
        } catch (IOException e) {
            return false; // what can't be looked at is refused when it is opened
        }
    }
}

package dev.kelvin.cli.option;

import dev.kelvin.part.Words;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Options that {@code kelvin sample} had before it was cut into verbs: a refusal names the verb that has them now. */
public final class MovedOptions {
    private static final String SAMPLE = "sample";

    private static final List<String> VERBS = List.of("chains", "restore", "impute");

    private MovedOptions() {}

    /**
     * Says what to type in the place of arguments of {@code sample} that are refused.
     *
     * @param root the command whose verbs these are
     * @param arguments those of the command, which may begin with options of its own
     */
    public static Optional<String> words(CommandLine root, List<String> arguments) {
        int verb = arguments.indexOf(SAMPLE);
        List<String> words = arguments.stream()
                .map(word -> word.replaceFirst("^--fillings\\b", "--draws"))
                .toList();
        List<String> moved =
                options(words).filter(option -> !has(root, SAMPLE, option)).toList();
        return VERBS.stream()
                .filter(each -> verb >= 0 && !moved.isEmpty())
                .filter(each -> moved.stream().allMatch(option -> has(root, each, option)))
                .findFirst()
                .map(each -> moved.stream().distinct().collect(Collectors.joining(", "))
                        + (moved.size() == 1 ? " is an option" : " are options") + " of '" + each + "' now: "
                        + Words.command(
                                Stream.of(words.subList(0, verb), List.of(each), words.subList(verb + 1, words.size()))
                                        .flatMap(List::stream)
                                        .toArray()));
    }

    private static Stream<String> options(List<String> words) {
        return words.stream().filter(word -> word.startsWith("--")).map(word -> word.replaceFirst("=.*", ""));
    }

    private static boolean has(CommandLine root, String verb, String option) {
        return Optional.ofNullable(root.getSubcommands().get(verb))
                .filter(command -> command.getCommandSpec().findOption(option) != null)
                .isPresent();
    }
}

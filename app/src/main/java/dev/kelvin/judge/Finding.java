package dev.kelvin.judge;

import dev.kelvin.part.Words;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Something that is wrong with a run, with its model or with the chains that sample it, and what to try. */
public record Finding(About about, String problem, List<Advice> advice) {
    /** Where the fault lies: no sampler mends a model, and a model that is not sampled well may be good. */
    public enum About {
        /** In the model. */
        MODEL,
        /** In the chains that sample it. */
        SAMPLER
    }

    /** What is done with a run to follow an advice. */
    public enum How {
        /** The run is trained on. */
        RESUME,
        /** Another run is trained by its recipe, changed. */
        ANEW,
        /** Its model is sampled. */
        SAMPLE
    }

    /**
     * A command that may help.
     *
     * @param words what it does, to go on with after "to try:"
     * @param options those of the command, without the run
     */
    public record Advice(String words, How how, List<String> options) {
        public Advice {
            options = List.copyOf(options);
        }

        /** Settings that are changed. */
        static Advice set(String words, How how, String... settings) {
            return new Advice(
                    words,
                    how,
                    Stream.of(settings)
                            .flatMap(each -> Stream.of("--set", each))
                            .toList());
        }

        /** The command for a run, word by word. */
        public List<String> command(Path run) {
            return switch (how) {
                case RESUME -> with(List.of("train", "--resume", run.toString()));
                case ANEW -> with(List.of("train", run.resolve("recipe.yaml").toString()));
                case SAMPLE -> with(List.of("sample", run.toString()));
            };
        }

        /** The command after other words, such as those of {@code sample --target}. */
        public List<String> with(List<String> before) {
            return Stream.concat(before.stream(), options.stream()).toList();
        }
    }

    public Finding {
        advice = List.copyOf(advice);
    }

    /** With those of the suggestions that the recipe allows. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static Finding of(About about, String problem, Optional<Advice>... advice) {
        return new Finding(
                about, problem, Stream.of(advice).flatMap(Optional::stream).toList());
    }

    /** Problem and advice as one paragraph, for a report. */
    public String sentence() {
        return advice.isEmpty()
                ? problem
                : problem + " To try: "
                        + advice.stream().map(each -> each.words()).collect(Collectors.joining("; ")) + ".";
    }

    /** The commands, as one types them. */
    public List<String> commands(Path run) {
        return advice.stream().map(each -> Words.command(each.command(run))).toList();
    }
}

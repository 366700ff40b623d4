package dev.kelvin.cli;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.judge.Classifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kelvin features train DATA}. */
@Command(
        name = "features",
        description = "The networks whose features FID and KID compare.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = FeaturesCommand.Training.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class FeaturesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "say what to do: train");
    }

    /** Trains one. */
    @Command(
            name = "train",
            description = {
                "Trains a small classifier of a labelled image set and keeps it for figures of merit.",
                "Runs on the set do so by themselves where there is none yet."
            },
            mixinStandardHelpOptions = true)
    @SuppressWarnings("NullAway.Init")
    static final class Training implements Callable<Integer>, Writing {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "SET", description = "a set's name, or the path of a file or folder")
        private String set;

        @Option(
                names = "--out",
                paramLabel = "FILE",
                description = "a .safetensors file (default: runs/features/SET.safetensors, where runs look)")
        private Optional<Path> out = Optional.empty();

        @Option(names = "--json", description = "print one JSON object, and nothing else to stdout")
        private boolean json;

        @Mixin
        private DeviceOption deviceOption;

        @Override
        public List<Path> written() {
            return out.stream().toList();
        }

        @Override
        public Integer call() throws IOException {
            long began = System.nanoTime();
            try (Progress progress = Progress.of(spec);
                    ImageDataset data = ImageDataset.open(set, deviceOption.device())) {
                Path file = out.orElseGet(() -> Classifier.file(Path.of("runs"), data.train()));
                try (Classifier classifier =
                        Classifier.train(file, data.train(), data.test(), deviceOption.device(), progress)) {
                    progress.close();
                    Map<String, Object> results = new LinkedHashMap<>();
                    results.put("features", classifier.name());
                    classifier.judged().ifPresent(report -> results.putAll(report.figures()));
                    results.put("seconds", (System.nanoTime() - began) / 1e9);
                    results.put("file", file.toString());
                    Output.print(spec.commandLine().getOut(), json, results);
                }
            }
            return Main.OK;
        }
    }
}

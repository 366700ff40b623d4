package dev.kelvin.cli;

import dev.kelvin.cli.option.DeviceOption;
import dev.kelvin.cli.option.Writing;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.judge.Classifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kelvin features train DATA}. */
@Command(
        name = "features",
        description = "The networks whose features FID and KID compare.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = FeaturesCommand.Training.class)
final class FeaturesCommand {
    @Command(
            name = "train",
            description = {
                "Trains a small classifier of a labelled image set and keeps it for figures of merit.",
                "Runs on the set do so by themselves where there is none yet."
            })
    static final class Training extends JsonVerb implements Writing {
        @Parameters(paramLabel = "SET", description = "a set's name, or the path of a file or folder")
        private String set;

        @Option(
                names = "--out",
                paramLabel = "FILE",
                description = "a .safetensors file (default: runs/features/SET.safetensors, where runs look)")
        private Optional<Path> out = Optional.empty();

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
                    print(results);
                }
            }
            return ExitCode.OK;
        }
    }
}

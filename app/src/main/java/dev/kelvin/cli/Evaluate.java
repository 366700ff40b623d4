package dev.kelvin.cli;

import dev.kelvin.experiment.Evaluation;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Judgement;
import dev.kelvin.pages.RunReport;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kelvin evaluate RUN}. */
@Command(
        name = "evaluate",
        description = "Judges a run's newest checkpoint and renews its report.",
        mixinStandardHelpOptions = true)
final class Evaluate extends RunCommand {
    @Option(
            names = "--features",
            paramLabel = "FILE",
            description = "for images: a TorchScript file whose features FID and KID compare (default: those of a"
                    + " classifier that Kelvin trains on the set)")
    private Optional<Path> features = Optional.empty();

    @Override
    void work(RunFolder folder, Experiment experiment, Runner runner, Device device, long step) throws Exception {
        Judgement plain = experiment.data().judge(experiment);
        Judgement judgement = features.map(plain::withFeatures).orElse(plain);
        Progress progress = new Progress(spec.commandLine().getErr(), 0);
        Evaluation evaluation;
        try {
            evaluation = runner.evaluate(experiment, judgement, progress);
        } finally {
            progress.end();
        }
        RunReport.write(folder, experiment, judgement, evaluation);
        Output.print(spec.commandLine().getOut(), json, Results.of(folder, experiment, evaluation, Optional.empty()));
    }
}

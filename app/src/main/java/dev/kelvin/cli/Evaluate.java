package dev.kelvin.cli;

import dev.kelvin.run.Evaluation;
import dev.kelvin.run.Parts;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code kelvin evaluate RUN}. */
@Command(
        name = "evaluate",
        description = "Judges a run's newest checkpoint and renews its report.",
        mixinStandardHelpOptions = true)
final class Evaluate extends RunCommand {
    @Override
    void work(RunFolder folder, Parts parts, Runner runner, Device device, long step) throws Exception {
        Evaluation.Densities densities = Evaluation.Densities.of(parts, device);
        Evaluation evaluation = runner.evaluate(parts, densities);
        Results.finish(folder, parts, densities, evaluation);
        Output.print(spec.commandLine().getOut(), json, Results.of(folder, parts, evaluation, Optional.empty()));
    }
}

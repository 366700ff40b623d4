package dev.kelvin.cli;

import dev.kelvin.Check;
import dev.kelvin.report.Figures;
import dev.kelvin.report.RunReport;
import dev.kelvin.run.Evaluation;
import dev.kelvin.run.Parts;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Npy;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kelvin sample RUN -n N}. */
@Command(
        name = "sample",
        description = "Draws samples of a run's model: fresh chains with the run's own sampler.",
        mixinStandardHelpOptions = true)
final class Sample extends RunCommand {
    @Option(names = "-n", paramLabel = "N", description = "how many (default: ${DEFAULT-VALUE})", defaultValue = "1000")
    private int count;

    @Option(names = "--steps", paramLabel = "K", description = "steps of each chain (default: 30 times the recipe's)")
    private OptionalInt steps = OptionalInt.empty();

    @Option(names = "--seed", paramLabel = "N", description = "decides the draws", defaultValue = "0")
    private long seed;

    @Option(names = "--out", paramLabel = "FILE", description = "an .npy file (default: RUN/samples/drawn.npy)")
    private Optional<Path> out = Optional.empty();

    @Override
    void work(RunFolder folder, Parts parts, Runner runner, Device device, long step) throws Exception {
        Check.atLeast("-n", count, 1);
        int walked = steps.orElse(
                Evaluation.LONGER * Math.max(1, parts.recipe().negatives().steps()));
        Path file = out.isPresent() ? out.get() : folder.samples().resolve("drawn.npy");
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try (Scope scope = Scope.open()) {
            Key[] keys = Key.of(seed).split(2);
            Tensor start = parts.starts().draw(keys[0], count);
            Walk walk = Walk.run(keys[1], parts.kernel(), parts.logDensity(), start, walked);
            Npy.write(file, walk.x());
            Path picture = file.resolveSibling(file.getFileName().toString().replaceFirst("\\.npy$", "") + ".png");
            Figures.samples(RunReport.domain(parts), RunReport.points(walk.x())).write(picture);
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("samples", count);
            results.put("steps", walked);
            results.put("checkpoint", step);
            walk.acceptance().ifPresent(rate -> results.put("acceptance", rate));
            results.put("file", file.toString());
            results.put("picture", picture.toString());
            Output.print(spec.commandLine().getOut(), json, results);
        }
    }
}

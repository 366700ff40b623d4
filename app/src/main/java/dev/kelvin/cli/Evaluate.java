package dev.kelvin.cli;

import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.cli.terminal.Results;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Attack;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.metric.ProjectedGradient;
import dev.kelvin.pages.RunReport;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kelvin evaluate RUN}. */
@Command(name = "evaluate", description = "Judges a run and renews its report.")
final class Evaluate extends ExperimentCommand {
    @Option(
            names = "--features",
            paramLabel = "FILE",
            description =
                    "a network whose features FID and KID compare: a .safetensors file of a ResNet for CIFAR-10, or TorchScript"
                            + " (default: Kelvin's own classifier)")
    private Optional<Path> features = Optional.empty();

    @Option(
            names = "--samples",
            paramLabel = "N",
            description =
                    "of how many images of each kind FID, KID and Inception score are, at most as many as there are training"
                            + " images (default: the recipe's, 10000)")
    private Optional<Integer> samples = Optional.empty();

    @Option(
            names = "--attack",
            paramLabel = "NORM",
            split = ",",
            description = "with classes: accuracy under projected gradients on p(y|x) in balls of norm linf or l2")
    private List<ProjectedGradient.Norm> norms = List.of();

    @Option(
            names = "--epsilon",
            paramLabel = "E",
            split = ",",
            description =
                    "with --attack: the balls' radii, where black and white are 1 apart (default: 0.01,0.03,0.1 in linf;"
                            + " 0.1,0.3,1 in l2)")
    private List<Double> epsilons = List.of();

    @Option(
            names = "--refine",
            paramLabel = "K",
            description = "with classes: accuracy on images, attacked or not, after K steps of the kernel on f")
    private int refine;

    @Option(
            names = "-n",
            paramLabel = "N",
            description = "with --attack or --refine: how many held-out images, at most (default: " + IMAGES + ")")
    private Optional<Integer> images = Optional.empty();

    private static final int IMAGES = 500;

    private Optional<Attack> attack() {
        if (!epsilons.isEmpty() && norms.isEmpty()) {
            throw usage("--epsilon goes with --attack: say --attack linf,l2");
        }
        if (images.isPresent() && norms.isEmpty() && refine == 0) {
            throw usage("-n goes with --attack or --refine: the figures themselves have a number of their own");
        }
        return norms.isEmpty() && refine == 0
                ? Optional.empty()
                : Optional.of(new Attack(norms, epsilons, refine, images.orElse(IMAGES)));
    }

    private OptionalInt samples() {
        return samples.stream().mapToInt(each -> each).findFirst();
    }

    @Override
    void work(RunFolder folder, Experiment experiment, Runner runner, Progress progress, long step) throws Exception {
        Judge judgement =
                Judge.of(experiment).with(features, samples(), attack()).measured();
        progress.doing("judging the model");
        Evaluation evaluation = runner.evaluate(experiment, judgement, step, progress);
        progress.doing("writing the report");
        RunReport.Summary summary = RunReport.write(folder, experiment, judgement, evaluation);
        progress.close();
        print(new Results(folder, experiment, evaluation, summary), Map.of());
    }
}

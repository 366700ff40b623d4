package dev.kelvin.cli;

import dev.kelvin.Catalogue;
import dev.kelvin.Check;
import dev.kelvin.Words;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.TargetFamily;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Purpose;
import dev.kelvin.experiment.Recipe;
import dev.kelvin.experiment.Recipes;
import dev.kelvin.run.Diagnosis;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.run.Sampling;
import dev.kelvin.sample.Chains;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Npy;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code kelvin sample RUN -n N}, and {@code kelvin sample --target funnel --kernel hmc}. */
@Command(
        name = "sample",
        description = {
            "Draws samples of a run's model: fresh chains with the run's own sampler. Of a",
            "model with classes that was trained with a replay buffer of all of them, those",
            "chains go on that the model assigns to the class.",
            "With --kernel it runs chains of that kernel instead, on the run's model or on --target,",
            "and reports whether they may be believed."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  kelvin sample runs/rings -n 5000",
            "  kelvin sample runs/digits-classes -n 40 --class 3",
            "  kelvin sample --target funnel --kernel hmc",
            "  kelvin sample --target '{funnel: {dimension: 5}}' --kernel hmc",
            "  kelvin sample --target mixture --kernel '{replica-exchange: {inner: {mala: {stepSize: 0.1}}}}'",
            "  kelvin sample runs/rings --kernel '{langevin: {stepSize: 0.001}}'"
        })
final class Sample extends RunCommand {
    /** Starts lie this much wider than the target: R-hat finds chains that have not met only if they began apart. */
    private static final double OVERDISPERSION = 2;

    @Option(
            names = "-n",
            paramLabel = "N",
            description = "how many samples (default: 1000); with --kernel: draws of each chain")
    private int count = 1000;

    @Option(
            names = "--steps",
            paramLabel = "K",
            description =
                    "steps of each chain (default: 30 times the recipe's; for images, the recipe's, and 3 times that by class"
                            + " from a replay buffer of all classes); not where there is time")
    private Optional<Integer> steps = Optional.empty();

    @Option(
            names = "--class",
            paramLabel = "NAME",
            description = "the samples' class, by name or number (default: all classes in turn)")
    private Optional<String> wanted = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "decides the draws", defaultValue = "0")
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "PATH",
            description = "an .npy file (default: RUN/samples/drawn.npy); with --kernel: a folder (default:"
                    + " runs/sample-NAME)")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--target",
            paramLabel = "TARGET",
            description = "an analytic target's name or its YAML: ${COMPLETION-CANDIDATES}",
            completionCandidates = TargetNames.class)
    private Optional<String> target = Optional.empty();

    @Option(
            names = "--kernel",
            paramLabel = "KERNEL",
            description =
                    "a kernel's name or its YAML; one whose step size an acceptance can tell, such as hmc, finds it"
                            + " where it is not given")
    private Optional<String> kernel = Optional.empty();

    @Option(names = "--chains", paramLabel = "N", description = "with --kernel (default: ${DEFAULT-VALUE})")
    private int chains = 16;

    @Option(
            names = "--burn-in",
            paramLabel = "K",
            description = "with --kernel: steps before the first draw (default: ${DEFAULT-VALUE})")
    private int burnIn = 500;

    @Option(
            names = "--thin",
            paramLabel = "K",
            description = "with --kernel: steps between draws (default: ${DEFAULT-VALUE})")
    private int thin = 1;

    @Option(
            names = "--check-gradient",
            description = "with --kernel: first compare the density's gradient with differences of its value")
    private boolean checkGradient;

    /** The targets' names, for the help. */
    static final class TargetNames extends java.util.ArrayList<String> {
        private static final long serialVersionUID = 1;

        TargetNames() {
            super(Catalogue.of(TargetFamily.class).keySet());
        }
    }

    @Override
    void workWithoutRun() throws Exception {
        if (target.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "name a RUN, or an analytic density with --target");
        }
        TargetFamily family = Recipes.target("--target", target.get());
        String name = Catalogue.name(family.getClass());
        if (kernel.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "say how to sample " + name + ", such as --kernel hmc");
        }
        Recipes.KernelChoice choice = Recipes.kernel("--kernel", kernel.get());
        Check.atLeast("--chains", chains, 1);
        try (Scope scope = Scope.open()) {
            Target density = family.target();
            Tensor start =
                    overdispersed(density.draw(Purpose.SAMPLE_STARTS.key(seed), chains, DType.DOUBLE), density.mean());
            sample(
                    new Sampling.Subject(name, name + ": " + family.difficulty(), density, Optional.of(density), start),
                    choice);
        }
    }

    private static Tensor overdispersed(Tensor exact, double[] mean) {
        Tensor centre = Tensors.of(mean, 1, mean.length);
        return exact.minus(centre).times(OVERDISPERSION).plus(centre);
    }

    private void sample(Sampling.Subject subject, Recipes.KernelChoice choice) throws Exception {
        Check.atLeast("-n", count, Diagnosis.LEAST_DRAWS); // before the chains run
        Chains.Length length = new Chains.Length(burnIn, count, thin);
        if (checkGradient) {
            Sampling.checkGradient(subject);
        }
        Sampling sampling = Sampling.run(Key.of(seed), subject, choice, length);
        SamplingFolder folder = SamplingFolder.write(out, sampling);
        Output.print(spec.commandLine().getOut(), json, folder.results());
    }

    /** Samples need no data, unless chains start at them. */
    @Override
    Experiment open(RunFolder folder, Recipe recipe, Device device) {
        // a time-joint model's own sampler starts at its reference
        boolean atData = recipe.negatives().start().usesData()
                && (kernel.isPresent() || recipe.time().isEmpty());
        return !atData && Files.exists(folder.provenance())
                ? Experiment.remembered(
                        recipe, device, Provenance.read(folder.provenance()).facts())
                : super.open(folder, recipe, device);
    }

    @Override
    void work(RunFolder folder, Experiment experiment, Runner runner, Device device, long step) throws Exception {
        if (target.isPresent()) {
            throw new ParameterException(spec.commandLine(), "name a RUN or a --target, not both");
        }
        Check.atLeast("-n", count, 1);
        if (kernel.isEmpty()) {
            draw(folder, experiment, step);
            return;
        }
        if (wanted.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(), "--class goes with the run's own sampler: leave --kernel or --class out");
        }
        Recipes.KernelChoice choice = Recipes.kernel("--kernel", kernel.get());
        Check.atLeast("--chains", chains, 1);
        try (Scope scope = Scope.open()) {
            Tensor start = experiment.starts().draw(Purpose.SAMPLE_STARTS.key(seed), chains);
            String name =
                    String.valueOf(folder.path().toAbsolutePath().normalize().getFileName());
            OptionalDouble own = choice.kernel().targetTemperature();
            double temperature = own.equals(OptionalDouble.of(1)) ? experiment.temperature() : own.orElse(1);
            sample(
                    new Sampling.Subject(
                            name,
                            "the model of " + folder.path()
                                    + (temperature == 1 ? "" : ", exp(f/T) at T = " + Words.number(temperature)),
                            experiment.densityFor(choice.kernel()),
                            Optional.empty(),
                            start),
                    choice);
        }
    }

    /** The samples' classes: the one that is asked for, or all in turn. */
    private long[] labels(Experiment experiment) {
        long[] labels = experiment.columns().inTurn(count);
        wanted.ifPresent(name -> Arrays.fill(
                labels, experiment.columns().classNamed(experiment.recipe().name(), name)));
        return labels;
    }

    /** Chains that are led to where they are wanted have a length of their own. */
    private int steps(Experiment experiment) {
        if (experiment.sampler().annealed() && steps.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--steps cannot be combined with a time-joint model, whose chains are led through all times: set it by"
                            + " 'kelvin train --resume RUN --set time.annealing.steps=N'");
        }
        steps.ifPresent(walked -> Check.atLeast("--steps", walked, 0));
        return steps.orElseGet(() -> experiment
                .sampler()
                .givenSteps(experiment.data().sampleSteps(experiment.recipe().negatives())));
    }

    private void draw(RunFolder folder, Experiment experiment, long step) throws Exception {
        int walked = steps(experiment);
        Path file = out.isPresent() ? out.get() : folder.samples().resolve("drawn.npy");
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        long[] labels = labels(experiment);
        try (Scope scope = Scope.open()) {
            Walk walk = experiment.sampler().drawGiven(Key.of(seed), walked, labels);
            Npy.write(file, walk.x());
            String base = file.getFileName().toString().replaceFirst("\\.npy$", "");
            Path picture = file.resolveSibling(base + ".png");
            experiment
                    .data()
                    .picture(experiment, walk.x(), experiment.columns().asked() && wanted.isEmpty())
                    .write(picture);
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("samples", count);
            results.put("steps", experiment.sampler().length(walked));
            results.put("checkpoint", step);
            walk.acceptance().ifPresent(rate -> results.put("acceptance", rate));
            results.put("file", file.toString());
            results.put("picture", picture.toString());
            if (experiment.columns().asked()) {
                Path classes = file.resolveSibling(base + "-labels.npy");
                Npy.write(classes, Tensors.of(labels));
                results.put("labels", classes.toString());
            }
            Output.print(spec.commandLine().getOut(), json, results);
        }
    }
}

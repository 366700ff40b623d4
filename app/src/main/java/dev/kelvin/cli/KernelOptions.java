package dev.kelvin.cli;

import dev.kelvin.energy.Target;
import dev.kelvin.energy.analytic.TargetFamily;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.Model;
import dev.kelvin.model.condition.Product;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.ChainDiagnostics;
import dev.kelvin.run.Sampling;
import dev.kelvin.sample.chain.Chains;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code kelvin sample --kernel}: chains of a kernel that is named, and whether they may be believed. */
final class KernelOptions {
    /** Starts lie this much wider than the target: R-hat finds chains that have not met only if they began apart. */
    private static final double OVERDISPERSION = 2;

    /** Options that only chains have which are diagnosed. */
    private static final List<String> DIAGNOSED =
            List.of("--chains", "--burn-in", "--thin", "--warm-up", "--check-gradient");

    @Option(
            names = "--kernel",
            paramLabel = "KERNEL",
            description =
                    "a kernel's name or its YAML; where the step size is not given, that of a kernel with an accept/reject step, such as hmc, is tuned")
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
            names = "--warm-up",
            paramLabel = "WHAT",
            description =
                    "with a --kernel without a step size, what the burn-in tunes: windows (metric, step size and path length;"
                            + " of hmc, mala and jittered-hmc with no setting but temperature, and their default) or step-size")
    private Optional<String> warmUp = Optional.empty();

    @Option(
            names = "--check-gradient",
            description = "with --kernel: first compare the density's gradient with finite differences")
    private boolean checkGradient;

    boolean given() {
        return kernel.isPresent();
    }

    /** The kernel, where one is named. */
    Optional<Recipes.KernelChoice> choice() {
        return kernel.map(text -> Recipes.kernel("--kernel", text));
    }

    /** Refuses options of diagnosed chains where there are none. */
    void check(CommandSpec spec, boolean restoring) {
        if (given() && !restoring) {
            return;
        }
        for (String option : DIAGNOSED) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                String why = restoring
                        ? " cannot be combined with --inpaint or --denoise, which take --fillings chains of --steps steps"
                        : " goes with --kernel, whose chains are diagnosed";
                throw new ParameterException(spec.commandLine(), option + why);
            }
        }
    }

    /** Where chains go, how many draws of each are kept, what decides them, and the words of a command that samples the same. */
    record DrawRequest(Optional<Path> out, int count, long seed, List<String> command) {}

    /** Samples an analytic target, and writes the folder of a diagnosis. */
    Map<String, Object> sample(TargetFamily family, String name, DrawRequest draws) throws IOException {
        Recipes.KernelChoice choice = choice().orElseThrow();
        Check.atLeast("--chains", chains, 1);
        try (Scope scope = Scope.open()) {
            Target density = family.target();
            Tensor start = overdispersed(
                    density.draw(KeyDomain.SAMPLE_STARTS.key(draws.seed), chains, DType.DOUBLE), density.mean());
            String words = name + ": " + family.difficulty();
            return sample(new Sampling.Subject(name, words, density, Optional.of(density), start), choice, draws);
        }
    }

    private static Tensor overdispersed(Tensor exact, double[] mean) {
        Tensor centre = Tensors.of(mean, 1, mean.length);
        return exact.minus(centre).times(OVERDISPERSION).plus(centre);
    }

    /** Samples a run's model, or a product with others, and writes the folder of a diagnosis. */
    Map<String, Object> sample(Product models, Path run, DrawRequest draws) throws IOException {
        Model model = models.first();
        Recipes.KernelChoice choice = choice().orElseThrow();
        Check.atLeast("--chains", chains, 1);
        try (Scope scope = Scope.open()) {
            Tensor start = model.starts().draw(KeyDomain.SAMPLE_STARTS.key(draws.seed), chains);
            String name = String.valueOf(run.toAbsolutePath().normalize().getFileName());
            OptionalDouble own = choice.kernel().traits().temperature();
            double temperature = own.equals(OptionalDouble.of(1)) ? model.temperature() : own.orElse(1);
            String words = "the model of " + run
                    + (temperature == 1 ? "" : ", exp(f/T) at T = " + Words.number(temperature)) + models.words();
            return sample(
                    new Sampling.Subject(
                            name,
                            words,
                            models.density(Optional.of(choice.kernel()), Optional.empty(), chains),
                            Optional.empty(),
                            start),
                    choice,
                    draws);
        }
    }

    private Sampling.Tuning tuning(Recipes.KernelChoice choice) {
        Sampling.Tuning own = Sampling.tuning(choice.kernel());
        if (warmUp.isEmpty()) {
            return own;
        }
        Map<String, Sampling.Tuning> known = Arrays.stream(Sampling.Tuning.values())
                .collect(Collectors.toMap(each -> Words.kebab(each.name()), each -> each));
        Sampling.Tuning wanted = known.get(warmUp.get());
        if (wanted == null) {
            throw new UserException(
                    Words.unknown("--warm-up", "", warmUp.get(), "it takes", new TreeSet<>(known.keySet())));
        }
        if (!choice.findsStep()) {
            throw new UserException("--warm-up goes with a kernel that names no stepSize: leave one of them out");
        }
        if (wanted == Sampling.Tuning.WINDOWS && own != wanted) {
            throw new UserException(
                    "--warm-up windows tunes hmc, mala and jittered-hmc with no setting but temperature; this"
                            + " kernel has others, which it would change: take --warm-up step-size");
        }
        return wanted;
    }

    private Map<String, Object> sample(Sampling.Subject subject, Recipes.KernelChoice choice, DrawRequest draws)
            throws IOException {
        Check.atLeast("-n", draws.count, ChainDiagnostics.LEAST_DRAWS); // before the chains run
        if (draws.out.isPresent()) {
            SamplingFolder.requireEmpty(draws.out.get());
        }
        Chains.Length length = new Chains.Length(burnIn, draws.count, thin);
        if (checkGradient) {
            Sampling.checkGradient(subject);
        }
        Sampling sampling = Sampling.run(Key.of(draws.seed), subject, choice, length, tuning(choice));
        return SamplingFolder.write(draws.out, sampling, draws.command).results();
    }
}

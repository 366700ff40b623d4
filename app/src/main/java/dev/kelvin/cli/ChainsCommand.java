package dev.kelvin.cli;

import dev.kelvin.cli.option.Choice;
import dev.kelvin.cli.option.Factors;
import dev.kelvin.cli.option.WholeNumber;
import dev.kelvin.cli.option.Writing;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.energy.GradientCheck;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.analytic.TargetFamily;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.Model;
import dev.kelvin.pages.ChainReport;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.report.Report;
import dev.kelvin.run.ChainDiagnostics;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Sampling;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.chain.Chains;
import dev.kelvin.sample.chain.Trace;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.json.JsonMapper;

/** {@code kelvin chains RUN --kernel hmc}, and {@code kelvin chains --target funnel --kernel hmc}. */
@Command(
        name = "chains",
        description = {
            "Runs chains of a kernel on a density and reports whether they have converged.",
            "The density is a run's model, a product of several with --with, or an analytic --target. The report, the draws",
            "and the figures are written to a folder."
        },
        footer = {
            "",
            "Examples:",
            "  kelvin chains --target funnel --kernel hmc",
            "  kelvin chains --target '{funnel: {dimension: 5}}' --kernel hmc",
            "  kelvin chains --target mixture --kernel '{replica-exchange: {inner: {mala: {stepSize: 0.1}}}}'",
            "  kelvin chains runs/rings --kernel '{langevin: {stepSize: 0.001}}'"
        })
final class ChainsCommand extends ModelCommand implements Writing {
    /** Starts lie this much wider than the target: R-hat finds chains that have not met only if they began apart. */
    private static final double OVERDISPERSION = 2;

    /** Options that a suggested command repeats, beside those of what is sampled. */
    private static final List<String> KEPT = List.of("--checkpoint", "--chains", "--seed", "--device");

    @Option(
            names = "--target",
            paramLabel = "TARGET",
            description = "an analytic target's name or its YAML: ${COMPLETION-CANDIDATES}",
            completionCandidates = TargetNames.class)
    private Optional<String> target = Optional.empty();

    @Option(
            names = "--kernel",
            required = true,
            paramLabel = "KERNEL",
            description = "a kernel's name or its YAML; one with an accept/reject step is tuned if it has no stepSize")
    private String kernel;

    @Mixin
    private Factors others;

    @Option(names = "--chains", paramLabel = "N", description = "how many chains (default: ${DEFAULT-VALUE})")
    private int chains = 16;

    @Option(names = "-n", paramLabel = "N", description = "draws of each chain (default: ${DEFAULT-VALUE})")
    private int count = 1000;

    @Option(names = "--burn-in", paramLabel = "K", description = "steps before the draws (default: ${DEFAULT-VALUE})")
    private int burnIn = 500;

    @Option(names = "--thin", paramLabel = "K", description = "steps between draws (default: ${DEFAULT-VALUE})")
    private int thin = 1;

    @Option(
            names = "--warm-up",
            paramLabel = "WHAT",
            converter = ByName.class,
            description =
                    "what the burn-in tunes of a kernel without a step size: windows (metric, step size and path length;"
                            + " of hmc, mala and jittered-hmc with no setting but temperature, and their default) or step-size")
    private Optional<Sampling.Tuning> warmUp = Optional.empty();

    @Option(names = "--check-gradient", description = "first compare the density's gradient with finite differences")
    private boolean checkGradient;

    @Option(names = "--seed", paramLabel = "N", converter = WholeNumber.class, description = "random seed (default: 0)")
    private long seed;

    @Option(names = "--out", paramLabel = "FOLDER", description = "a new folder (default: runs/sample-NAME)")
    private Optional<Path> out = Optional.empty();

    static final class TargetNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        TargetNames() {
            super(Catalogue.of(TargetFamily.class).keySet());
        }
    }

    static final class ByName extends Choice<Sampling.Tuning> {
        ByName() {
            super(List.of(Sampling.Tuning.values()), each -> Words.kebab(each.name()));
        }
    }

    /** None: the folder must be new. */
    @Override
    public List<Path> written() {
        return List.of();
    }

    @Override
    void check() {
        if (target.isPresent()) {
            throw usage("name a RUN or a --target, not both");
        }
    }

    @Override
    void workWithoutRun() throws Exception {
        if (target.isEmpty()) {
            throw usage("name a RUN, or an analytic density with --target");
        }
        if (others.given()) {
            throw usage("--with is for a RUN's model, not for a --target");
        }
        TargetFamily family = Recipes.target("--target", target.get());
        String name = Catalogue.name(family.getClass());
        try (Progress progress = Progress.of(spec);
                Scope scope = Scope.open()) {
            progress.doing("sampling " + name);
            Recipes.KernelChoice choice = choice();
            Target density = family.target();
            Tensor exact = density.draw(KeyDomain.SAMPLE_STARTS.key(seed), chains, DType.DOUBLE);
            Tensor centre = Tensors.of(density.mean(), 1, density.mean().length);
            Tensor start = exact.minus(centre).times(OVERDISPERSION).plus(centre);
            String words = name + ": " + family.difficulty();
            Sampling.Subject subject = new Sampling.Subject(name, words, density, Optional.of(density), start);
            sample(subject, choice, List.of("chains", "--target", target.get()), progress);
        }
    }

    @Override
    void work(RunFolder folder, Model model, Progress progress) throws Exception {
        progress.doing("sampling");
        Factors.requireDensity(model);
        Recipes.KernelChoice choice = choice();
        Optional<Kernel<?>> other = Optional.of(choice.kernel());
        Path run = folder.path();
        try (Factors.Multiplied models = others.times(model, other);
                Scope scope = Scope.open()) {
            Tensor start = model.starts().draw(KeyDomain.SAMPLE_STARTS.key(seed), chains);
            String name = String.valueOf(run.toAbsolutePath().normalize().getFileName());
            OptionalDouble own = choice.kernel().traits().temperature();
            double temperature = own.equals(OptionalDouble.of(1)) ? model.temperature() : own.orElse(1);
            String words = "the model of " + run
                    + (temperature == 1 ? "" : ", exp(f/T) at T = " + Words.number(temperature))
                    + models.product().words();
            List<String> command = new ArrayList<>(List.of("chains", run.toString()));
            command.addAll(others.words());
            LogDensity density = models.product().density(other, Optional.empty(), chains);
            sample(new Sampling.Subject(name, words, density, Optional.empty(), start), choice, command, progress);
        }
    }

    /** The kernel; refused before the chains run, like the numbers of chains and draws. */
    private Recipes.KernelChoice choice() {
        Recipes.KernelChoice choice = Recipes.kernel("--kernel", kernel);
        Check.atLeast("--chains", chains, 1);
        Check.atLeast("-n", count, ChainDiagnostics.LEAST_DRAWS);
        return choice;
    }

    private Sampling.Tuning tuning(Recipes.KernelChoice choice) {
        Sampling.Tuning usual = Sampling.tuning(choice.kernel());
        if (warmUp.isPresent() && !choice.findsStep()) {
            throw new UserException("--warm-up goes with a kernel that names no stepSize: leave one of them out");
        }
        if (warmUp.equals(Optional.of(Sampling.Tuning.WINDOWS)) && usual != Sampling.Tuning.WINDOWS) {
            throw new UserException(
                    "--warm-up windows tunes hmc, mala and jittered-hmc with no setting but temperature;"
                            + " this kernel has others, which it would change: take --warm-up step-size");
        }
        return warmUp.orElse(usual);
    }

    /** Runs the chains and prints what came out; a suggested command repeats the words of this one and its options. */
    private void sample(Sampling.Subject subject, Recipes.KernelChoice choice, List<String> command, Progress progress)
            throws IOException {
        if (out.isPresent()) {
            requireEmpty(out.get());
        }
        Chains.Length length = new Chains.Length(burnIn, count, thin);
        if (checkGradient) {
            GradientCheck.require(subject.density(), subject.start());
        }
        Sampling sampling = Sampling.run(Key.of(seed), subject, choice, length, tuning(choice));
        List<String> words = new ArrayList<>(command);
        ParseResult parsed = spec.commandLine().getParseResult();
        for (String option : KEPT) {
            if (parsed.hasMatchedOption(option)) {
                words.add(option);
                words.addAll(parsed.matchedOption(option).originalStringValues());
            }
        }
        Path folder = out.orElseGet(() -> RunFolder.unused(Path.of("runs"), "sample-" + subject.name()));
        Map<String, Object> results = results(sampling, words);
        write(folder, sampling, results);
        progress.close();
        print(results);
    }

    /** Writes the draws, the figures, a summary and a report to a folder that holds nothing yet. */
    private static void write(Path folder, Sampling sampling, Map<String, Object> results) throws IOException {
        Report report = ChainReport.of(sampling);
        Trace trace = sampling.diagnosis().chains().trace();
        requireEmpty(folder);
        Files.createDirectories(folder);
        Path draws = folder.resolve("trace.npy");
        Path summary = folder.resolve("summary.csv");
        Path page = folder.resolve("report.html");
        AtomicFile.write(folder.resolve("figures.json"), new JsonMapper().writeValueAsString(results));
        try (Scope scope = Scope.open()) {
            Npy.write(draws, trace.tensor()); // [draws, chains, coordinates]
        }
        report.write(page);
        AtomicFile.write(summary, trace.summary().csv());
        results.put("trace", draws.toString());
        results.put("summary", summary.toString());
        results.put("report", page.toString());
    }

    private static void requireEmpty(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            try (Stream<Path> files = Files.list(path)) {
                if (files.findAny().isEmpty()) {
                    return;
                }
            }
        }
        if (Files.exists(path)) {
            throw new UserException(path + " is there already; name another folder with --out");
        }
    }

    private static Map<String, Object> results(Sampling sampling, List<String> command) {
        ChainDiagnostics diagnosis = sampling.diagnosis();
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("density", sampling.subject().name());
        results.put("chains", diagnosis.chains().trace().chains());
        results.put("draws", sampling.length().draws());
        sampling.stepSize().ifPresent(found -> results.put(ChainFigures.STEP_SIZE.name(), found));
        results.putAll(diagnosis.figures());
        results.put(ChainFigures.ESS_PER_SECOND.name(), sampling.sizePerSecond());
        results.put(ChainFigures.GRADIENTS_PER_EFFECTIVE_DRAW.name(), sampling.gradientsPerSample());
        results.put("good", diagnosis.good());
        results.put("complaints", diagnosis.complaints());
        List<String> commands = diagnosis.findings().stream()
                .flatMap(each -> each.advice().stream())
                .map(advice -> Words.command(advice.with(command)))
                .distinct()
                .toList();
        results.put("try", commands);
        return results;
    }
}

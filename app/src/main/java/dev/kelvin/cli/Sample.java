package dev.kelvin.cli;

import dev.kelvin.condition.Restoration;
import dev.kelvin.condition.SampledTable;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.ToySettings;
import dev.kelvin.energy.analytic.TargetFamily;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.model.condition.ConditionedChains;
import dev.kelvin.model.condition.Product;
import dev.kelvin.panel.Panels;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** {@code kelvin sample RUN -n N}, and {@code kelvin sample --target funnel --kernel hmc}. */
@Command(
        name = "sample",
        description = {
            "Draws samples of a run's model, or runs a kernel on a density and reports whether its chains have converged.",
            "Samples are fresh chains with the run's own sampler. Of a model with classes that was trained with one replay",
            "buffer, chains of a class continue from the buffer's samples that the model assigns to it.",
            "With --kernel it runs chains of that kernel instead, on the run's model or on --target,",
            "and reports whether they have converged.",
            "With --inpaint or --denoise samples are conditioned on what is known of images; with --with, they",
            "sample the product of several models. Samples of a table's model are written as CSV",
            "in the table's units; --given and --fill condition on known cells."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  kelvin sample runs/rings -n 5000",
            "  kelvin sample runs/digits-classes -n 40 --class 3",
            "  kelvin sample runs/table --given amount=100 --given hour=3",
            "  kelvin sample runs/table --fill gaps.csv --out filled.csv",
            "  kelvin sample runs/digits-time-cdce --inpaint left-half",
            "  kelvin sample runs/digits-time-cdce --denoise 0.2 --of noisy.png",
            "  kelvin sample runs/digits-time-cdce --with runs/digits-time-cdce-2*0.5 -n 100",
            "  kelvin sample --target funnel --kernel hmc",
            "  kelvin sample --target '{funnel: {dimension: 5}}' --kernel hmc",
            "  kelvin sample --target mixture --kernel '{replica-exchange: {inner: {mala: {stepSize: 0.1}}}}'",
            "  kelvin sample runs/rings --kernel '{langevin: {stepSize: 0.001}}'"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class Sample extends ModelCommand implements Writing {
    private static final int SAMPLES = 1000;
    private static final String DRAWN = "drawn";

    /** Options that a suggested command repeats, beside those of what is sampled. */
    private static final List<String> KEPT = List.of("--checkpoint", "--chains", "--seed", "--device");

    /** Below this acceptance chains hardly leave their starts. */
    private static final double LEAST_ACCEPTANCE = 0.05;

    @Option(
            names = "-n",
            paramLabel = "N",
            description = "how many samples (default: 1000); with --kernel: draws of each chain; with --inpaint or"
                    + " --denoise: how many images (default: 16)")
    private Optional<Integer> wantedCount = Optional.empty();

    @Option(
            names = "--steps",
            paramLabel = "K",
            description =
                    "steps of each chain (default: 30 times the recipe's; for images, the recipe's, and 3 times that by class"
                            + " from a replay buffer of all classes); with --given or --fill, those on the model itself, after annealing (default: 64); of a time-joint model with --inpaint, --denoise or --with, at"
                            + " each time, otherwise not; with --kernel, only with --inpaint or --denoise")
    private Optional<Integer> steps = Optional.empty();

    @Option(
            names = "--class",
            paramLabel = "NAME",
            description = "the samples' class, by name or number (default: all classes in turn)")
    private Optional<String> wanted = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = WholeNumber.class,
            description = "decides the draws",
            defaultValue = "0")
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "PATH",
            description =
                    "an .npy file (default: RUN/samples/drawn.npy, inpainted.npy or denoised.npy); of a table's model a"
                            + " .csv or .npy file (default: RUN/samples/drawn.csv or filled.csv); with --kernel"
                            + " alone: a folder (default: runs/sample-NAME)")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--target",
            paramLabel = "TARGET",
            description = "an analytic target's name or its YAML: ${COMPLETION-CANDIDATES}",
            completionCandidates = TargetNames.class)
    private Optional<String> target = Optional.empty();

    @Mixin
    private KernelOptions kernel;

    @Mixin
    private Conditions conditions;

    @Mixin
    private TableOptions cells;

    /** The targets' names, for the help. */
    static final class TargetNames extends java.util.ArrayList<String> {
        private static final long serialVersionUID = 1;

        TargetNames() {
            super(Catalogue.of(TargetFamily.class).keySet());
        }
    }

    /** Beside its samples a run of the sampler writes their picture, and figures or labels. */
    @Override
    public List<Path> written() {
        if (kernel.given() && !conditions.restores()) {
            return List.of(); // a folder, which must be new
        }
        String name = cells.asked() ? cells.name() : conditions.restores() ? conditions.name() : DRAWN;
        Optional<Path> samples = run().map(folder -> folder.resolve("samples").resolve(name));
        if (out.isEmpty()) {
            return samples.stream()
                    .flatMap(base -> Stream.of(".npy", ".csv", ".png", ".json", "-labels.npy")
                            .map(ending -> base.resolveSibling(name + ending)))
                    .toList();
        }
        String base = base(out.get());
        return Stream.concat(
                        out.stream(),
                        Stream.of(".png", ".json", "-labels.npy")
                                .map(ending -> out.get().resolveSibling(base + ending)))
                .toList();
    }

    private static String base(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.(npy|csv)$", "");
    }

    @Override
    void workWithoutRun() throws Exception {
        if (target.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "name a RUN, or an analytic density with --target");
        }
        TargetFamily family = Recipes.target("--target", target.get());
        String name = Catalogue.name(family.getClass());
        if (!kernel.given()) {
            throw new ParameterException(spec.commandLine(), "say how to sample " + name + ", such as --kernel hmc");
        }
        if (conditions.restores() || conditions.multiplies() || cells.asked()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--inpaint, --denoise, --with, --given and --fill are for a RUN's model, not for a --target");
        }
        refuseSteps();
        Map<String, Object> results;
        try (Progress progress = Progress.of(spec)) {
            progress.doing("sampling " + name);
            results = kernel.sample(family, name, draws(List.of("sample", "--target", target.get())));
        }
        Output.print(spec.commandLine().getOut(), json, results);
    }

    private KernelOptions.DrawRequest draws(List<String> command) {
        List<String> all = new ArrayList<>(command);
        ParseResult parsed = spec.commandLine().getParseResult();
        for (String option : KEPT) {
            if (parsed.hasMatchedOption(option)) {
                all.add(option);
                all.addAll(parsed.matchedOption(option).originalStringValues());
            }
        }
        return new KernelOptions.DrawRequest(out, count(), seed, all);
    }

    /** Chains that are diagnosed take as many steps as their draws need. */
    private void refuseSteps() {
        if (steps.isPresent() && kernel.given() && !conditions.restores()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--steps cannot be combined with --kernel, except with --inpaint or --denoise: say --burn-in, --thin and -n");
        }
    }

    private int count() {
        return wantedCount.orElse(SAMPLES);
    }

    /** The run's images, to restore and to compare with; none where they are not there and not needed. */
    private Optional<ImageDataset> images(RunFolder folder, Recipe recipe, Device device) throws IOException {
        Data data;
        try {
            DataOption.requireThere(folder, recipe);
            data = Experiment.open(recipe, device);
        } catch (UserException e) { // the data are not there: nothing to compare with
            if (conditions.needsData()) {
                throw e;
            }
            return Optional.empty();
        }
        new Runner(folder, device).requireData(recipe, data, acceptsChanges());
        return data instanceof ImageDataset images ? Optional.of(images) : Optional.empty();
    }

    @Override
    void check() {
        refuseUnfit();
    }

    private void refuseUnfit() {
        if (target.isPresent()) {
            throw new ParameterException(spec.commandLine(), "name a RUN or a --target, not both");
        }
        wantedCount.ifPresent(count -> Check.atLeast("-n", count, 1));
        steps.ifPresent(walked -> Check.atLeast("--steps", walked, 0));
        conditions.check(spec);
        cells.check(spec, conditions, kernel, out);
        kernel.check(spec, conditions.restores());
        refuseSteps();
        if (wanted.isPresent() && kernel.given() && !conditions.restores()) {
            throw new ParameterException(
                    spec.commandLine(), "--class goes with the run's own sampler: leave --kernel or --class out");
        }
    }

    @Override
    void work(RunFolder folder, Model model, Progress progress) throws Exception {
        refuseLatent(model);
        progress.doing("sampling");
        try (Conditions.Others others = conditions.others(model.device())) {
            Product models = new Product(model, others.factors());
            models.requireDigits(kernel.choice().map(Recipes.KernelChoice::kernel));
            Map<String, Object> results;
            if (cells.asked()) {
                Path file = file(folder, cells.name(), ".csv");
                results = cells.sample(model, wanted, steps, wantedCount, SAMPLES, Key.of(seed), file);
                results.put("checkpoint", model.step());
            } else if (conditions.restores() || (conditions.multiplies() && !kernel.given())) {
                results = condition(folder, models, progress);
            } else if (kernel.given()) {
                List<String> command =
                        new ArrayList<>(List.of("sample", folder.path().toString()));
                command.addAll(conditions.factors());
                results = kernel.sample(models, folder.path(), draws(command));
            } else {
                results = draw(folder, model);
            }
            progress.close();
            Output.print(spec.commandLine().getOut(), json, results);
        }
    }

    /** A latent model's images come from the generator: there is no density of images for chains to walk on. */
    private void refuseLatent(Model model) {
        boolean wants = conditions.restores() || conditions.multiplies() || kernel.given();
        if (wants && model.latent().isPresent()) {
            throw new UserException(
                    "--inpaint, --denoise, --with and --kernel need a density of images, and the chains of "
                            + model.name() + " run on latent vectors; sample it without them");
        }
    }

    /** Samples that keep to something. */
    private Map<String, Object> condition(RunFolder folder, Product models, Progress progress) throws IOException {
        ConditionedChains led = new ConditionedChains(
                models,
                wanted,
                kernel.choice().map(Recipes.KernelChoice::kernel),
                kernel.choice().filter(Recipes.KernelChoice::findsStep).isPresent(),
                steps);
        Path file = conditions.restores() ? file(folder, conditions.name(), ".npy") : drawn(folder, models.first());
        Map<String, Object> results = new LinkedHashMap<>();
        if (conditions.restores()) {
            Restoration.units(models.first()); // or it is refused
            Recipe recipe = dataOption().applied(folder.recipe(List.of()));
            Optional<ImageDataset> images =
                    images(folder, recipe, models.first().device());
            try {
                results.putAll(
                        conditions.restore(led, recipe, images, seed, wantedCount, folder.runs(), file, progress));
            } finally {
                images.ifPresent(ImageDataset::close);
            }
        } else {
            try (Scope scope = Scope.open()) {
                ChainRun walk = led.draw(Key.of(seed), count());
                results.put("samples", walk.x().size(0));
                walk.acceptance().ifPresent(rate -> results.put("acceptance", rate));
                Optional<long[]> classes =
                        wanted.filter(name -> models.first().hasClasses()).map(name -> labels(models.first()));
                write(folder, models.first(), walk, classes, file, results);
                results.put("steps", led.length());
            }
        }
        results.put("checkpoint", models.first().step());
        progress.close();
        if (results.get("acceptance") instanceof Double rate && rate < LEAST_ACCEPTANCE) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "warning: the chains accepted " + Words.number(100 * rate)
                                    + " % of their proposals, so that samples are near their starts; with --inpaint or --denoise"
                                    + " a --kernel without stepSize, such as --kernel mala, tunes it; otherwise take more --steps");
        }
        return results;
    }

    private Path drawn(RunFolder folder, Model model) throws IOException {
        return file(folder, DRAWN, SampledTable.of(model).isPresent() ? ".csv" : ".npy");
    }

    private Path file(RunFolder folder, String name, String ending) throws IOException {
        if (out.isEmpty()) {
            return folder.samples().resolve(name + ending);
        }
        Path parent = out.get().toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        return out.get();
    }

    /** The samples and their picture. */
    private String write(
            RunFolder folder,
            Model model,
            ChainRun walk,
            Optional<long[]> classes,
            Path file,
            Map<String, Object> results)
            throws IOException {
        Optional<SampledTable> table = SampledTable.of(model);
        if (table.isPresent()) {
            table.get().write(file, table.get().rows(walk.x()), classes);
        } else {
            Npy.write(file, walk.x());
        }
        String base = base(file);
        Path picture = file.resolveSibling(base + ".png");
        boolean byComponent = model.hasClasses() && wanted.isEmpty() && !conditions.multiplies();
        Optional<ToyData> toy = model.card().samples() instanceof SampleKind.Points
                        && folder.recipe(List.of()).data() instanceof ToySettings settings
                ? Optional.of(settings.set())
                : Optional.empty();
        Panels.samples(model, walk.x(), byComponent ? model.classes().size() : 1, toy)
                .write(picture);
        results.put("file", file.toString());
        results.put("picture", picture.toString());
        return base;
    }

    /** The samples' classes: the one that is asked for, or all in turn. */
    private long[] labels(Model model) {
        long[] labels = model.inTurn(count());
        wanted.ifPresent(name -> Arrays.fill(labels, model.classNamed(name)));
        return labels;
    }

    /** Chains that are annealed to where they are wanted have a length of their own. */
    private int steps(Model model) {
        Sampler.Traits traits = model.sampler().traits();
        if (traits.annealed() && steps.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--steps cannot be combined with a time-joint model, whose chains are annealed through all times: set it by"
                            + " 'kelvin train --resume RUN --set time.annealing.steps=N'");
        }
        return steps.orElseGet(() -> model.usualSteps() * traits.factorOfGiven());
    }

    private Map<String, Object> draw(RunFolder folder, Model model) throws IOException {
        int walked = steps(model);
        Path file = drawn(folder, model);
        long[] labels = labels(model);
        try (Scope scope = Scope.open()) {
            Sampler sampler = model.sampler();
            ChainRun walk = sampler.draw(SampleRequest.given(Key.of(seed), walked, labels));
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("samples", labels.length);
            results.put("steps", sampler.length(walked));
            results.put("checkpoint", model.step());
            walk.acceptance().ifPresent(rate -> results.put("acceptance", rate));
            boolean asked = model.hasClasses();
            String base = write(folder, model, walk, asked ? Optional.of(labels) : Optional.empty(), file, results);
            if (asked) {
                Path classes = file.resolveSibling(base + "-labels.npy");
                Npy.write(classes, Tensors.of(labels));
                results.put("labels", classes.toString());
            }
            return results;
        }
    }
}

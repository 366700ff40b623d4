package dev.kelvin.cli;

import dev.kelvin.cli.option.Factors;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.condition.GaussianRestoration;
import dev.kelvin.condition.Mask;
import dev.kelvin.condition.Restoration;
import dev.kelvin.data.format.ImageRows;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.ImageSets;
import dev.kelvin.dataset.ImageSettings;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.judge.Classifier;
import dev.kelvin.metric.image.Features;
import dev.kelvin.model.Model;
import dev.kelvin.model.condition.ConditionedChains;
import dev.kelvin.part.Check;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code kelvin restore RUN}: images with lost pixels or noise. */
@Command(
        name = "restore",
        description = {
            "Fills in pixels of images, or removes noise from them.",
            "Draws what each image may have been, several times, by chains that keep to what is known of it. Where the images",
            "are known as they were, says how far the draws are from them, beside those of a Gaussian."
        },
        footer = {
            "",
            "Examples:",
            "  kelvin restore runs/digits-time-cdce --inpaint left-half",
            "  kelvin restore runs/digits-time-cdce --denoise 0.2 --of noisy.png",
            "  kelvin restore runs/digits-shortrun --denoise 0.2 --add-noise --kernel mala"
        })
final class Restore extends DrawCommand {
    @ArgGroup(multiplicity = "1")
    private Damage damage;

    static final class Damage {
        @Option(
                names = "--inpaint",
                paramLabel = "MASK",
                description =
                        "fill in pixels: left-half, right-half, top-half, bottom-half, random-half, a share of the pixels"
                                + " such as 0.3, or a picture or .npy of the images' size, not black where they are filled")
        private Optional<String> mask = Optional.empty();

        @ArgGroup(exclusive = false)
        private @Nullable Noise noise;
    }

    static final class Noise {
        @Option(
                names = "--denoise",
                required = true,
                paramLabel = "SIGMA",
                description = "remove noise that has this standard deviation, white being 1")
        private double sigma;

        @Option(names = "--add-noise", description = "the images are clean: add noise first, and measure its removal")
        private boolean add;
    }

    @Option(names = "--of", paramLabel = "IMAGES", description = "picture, set or files (default: the held-out images)")
    private Optional<String> of = Optional.empty();

    @Option(names = "-n", paramLabel = "N", description = "how many images, at most (default: ${DEFAULT-VALUE})")
    private int count = 16;

    @Option(names = "--draws", paramLabel = "N", description = "draws of each image (default: ${DEFAULT-VALUE})")
    private int draws = 20;

    @Option(
            names = "--steps",
            paramLabel = "K",
            description = "steps of each chain (default: the recipe's); of a time-joint model, at each time")
    private Optional<Integer> steps = Optional.empty();

    @Option(
            names = "--kernel",
            paramLabel = "KERNEL",
            description =
                    "a kernel's name or its YAML, in the place of the run's own; where the step size is not given, it is tuned")
    private Optional<String> kernel = Optional.empty();

    @Mixin
    private Factors others;

    @Override
    String usualName() {
        return damage.noise == null ? "inpainted" : "denoised";
    }

    @Override
    void check() {
        Check.atLeast("-n", count, 1);
        Check.atLeast("--draws", draws, 1);
        steps.ifPresent(each -> Check.atLeast("--steps", each, 0));
        if (damage.noise != null) {
            Check.positive("--denoise", damage.noise.sigma);
            if (of.isEmpty() && !damage.noise.add) {
                throw usage("the held-out images have no noise to remove: name noisy ones by --of, or add some with"
                        + " --add-noise");
            }
        }
    }

    @Override
    void work(RunFolder folder, Model model, Progress progress) throws Exception {
        progress.doing("sampling");
        Factors.requireDensity(model);
        Restoration.units(model); // or it is refused
        Optional<Recipes.KernelChoice> choice = kernel.map(text -> Recipes.kernel("--kernel", text));
        Optional<Kernel<?>> other = choice.map(Recipes.KernelChoice::kernel);
        boolean finds = choice.filter(Recipes.KernelChoice::findsStep).isPresent();
        Recipe recipe = dataOption.applied(folder.recipe(List.of()));
        Optional<ImageDataset> data = data(folder, recipe, model.device());
        try (Factors.Multiplied models = others.times(model, other);
                Scope scope = Scope.open()) {
            ConditionedChains chains = new ConditionedChains(models.product(), wanted, other, finds, steps);
            Path file = file(folder, ".npy");
            Tensor images = images(model, (ImageSettings) recipe.data(), data);
            Map<String, Object> results = new LinkedHashMap<>();
            Restoration restored = restore(chains, images, data, folder.runs(), progress, results);
            write(restored, file, results);
            results.put("checkpoint", model.step());
            progress.close();
            warnIfStuck(
                    restored.acceptance(),
                    "a --kernel without stepSize, such as --kernel mala, tunes it; otherwise take more --steps");
            print(results);
        } finally {
            data.ifPresent(ImageDataset::close);
        }
    }

    /** The run's images, to restore and to compare with; none where they are not there and not needed. */
    private Optional<ImageDataset> data(RunFolder folder, Recipe recipe, Device device) throws IOException {
        ImageDataset data;
        try {
            folder.requireData(recipe);
            data = (ImageDataset) Experiment.open(recipe, device);
        } catch (UserException e) { // the data are not there: nothing to compare with
            if (of.isEmpty()) {
                throw e;
            }
            return Optional.empty();
        }
        new Runner(folder, device).requireData(recipe, data, acceptChanges);
        return Optional.of(data);
    }

    /** The images to restore, in [0, 1]. */
    private Tensor images(Model model, ImageSettings settings, Optional<ImageDataset> data) throws IOException {
        if (of.isEmpty()) {
            ImageSet heldOut = data.orElseThrow().test();
            return heldOut.images(
                    LongStream.range(0, Math.min(count, heldOut.count())).toArray());
        }
        ImageRows stored = ImageSets.rows(settings, model.shape().get(0).intValue(), of.get());
        try (Rows rows = model.unit(of.get(), stored)) {
            List<Tensor> some = new ArrayList<>();
            Optional<Tensor> next = rows.next(count);
            for (int missing = count; next.isPresent(); next = missing > 0 ? rows.next(missing) : Optional.empty()) {
                some.add(next.get());
                missing -= (int) next.get().size(0);
            }
            return Tensors.concat(0, some);
        }
    }

    /** Restores images; what comes of those that are known is compared with them, and with what a Gaussian makes of them. */
    private Restoration restore(
            ConditionedChains chains,
            Tensor images,
            Optional<ImageDataset> data,
            Path runs,
            WorkListener progress,
            Map<String, Object> results)
            throws IOException {
        Key[] keys = key().split(3);
        results.put("images", images.size(0));
        results.put("draws", draws);
        Restoration restored;
        Function<ImageSet, GaussianRestoration> fit;
        if (damage.noise == null) {
            Mask mask = Mask.of(
                    damage.mask.orElseThrow(), keys[1], chains.models().first().shape());
            results.put("filled", mask.count() + " of " + mask.free().length + " numbers, " + mask.words());
            restored = Restoration.fill(chains, keys[0], images, mask, draws);
            fit = train -> GaussianRestoration.filling(train, mask.free());
        } else {
            double sigma = damage.noise.sigma;
            restored = Restoration.denoise(chains, keys[0], images, sigma, damage.noise.add, draws);
            fit = train -> GaussianRestoration.denoising(train, sigma);
        }
        Optional<ImageDataset> known = data.filter(set -> restored.clean().isPresent());
        Optional<GaussianRestoration> gaussian = known.map(set -> fit.apply(set.train()));
        Optional<Features> classifier =
                known.filter(set -> set.classes().size() > 1).isPresent()
                        ? Optional.of(Classifier.of(runs, known.get(), progress))
                        : Optional.empty();
        try {
            results.putAll(restored.figures(keys[2], gaussian, classifier));
        } finally {
            classifier.ifPresent(Features::close);
        }
        gaussian.ifPresent(fitted -> results.put("gaussian_ridge", GaussianRestoration.RIDGE));
        restored.acceptance().ifPresent(rate -> results.put("acceptance", rate));
        results.put("steps", restored.steps());
        return restored;
    }

    /** Writes the draws, and beside them a picture and the results so far. */
    private static void write(Restoration restoration, Path file, Map<String, Object> results) throws IOException {
        Path picture = beside(file, ".png");
        Path figures = beside(file, ".json");
        AtomicFile.write(figures, new JsonMapper().writeValueAsString(results));
        Npy.write(file, restoration.draws());
        restoration.picture().write(picture);
        results.put("file", file.toString());
        results.put("picture", picture.toString());
        results.put("figures", figures.toString());
    }
}

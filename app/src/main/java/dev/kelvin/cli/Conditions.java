package dev.kelvin.cli;

import dev.kelvin.condition.GaussianRestoration;
import dev.kelvin.condition.Mask;
import dev.kelvin.condition.Restoration;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.ImageSets;
import dev.kelvin.dataset.ImageSettings;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.metric.image.Features;
import dev.kelvin.model.ImageUnits;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.condition.ConditionedChains;
import dev.kelvin.model.condition.Product;
import dev.kelvin.part.Check;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.run.SavedCard;
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
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.json.JsonMapper;

/** What samples are asked to keep to, by options of {@code kelvin sample}: known pixels, noisy images, other models. */
final class Conditions {
    private static final int IMAGES = 16;
    private static final int EACH = 20;

    @Option(
            names = "--inpaint",
            paramLabel = "MASK",
            description =
                    "fill in pixels of images: left-half, right-half, top-half, bottom-half, random-half, a share of"
                            + " the pixels such as 0.3, or a picture or .npy of the images' size, not black where they are filled")
    private Optional<String> mask = Optional.empty();

    @Option(
            names = "--denoise",
            paramLabel = "SIGMA",
            description = "denoise images whose noise has this standard deviation, white being 1")
    private Optional<Double> noise = Optional.empty();

    @Option(
            names = "--add-noise",
            description =
                    "with --denoise: the images are clean; add the noise first, and measure how much of it is removed")
    private boolean addNoise;

    @Option(
            names = "--of",
            paramLabel = "IMAGES",
            description =
                    "with --inpaint or --denoise: a picture, a set's name or its files (default: the held-out images)")
    private Optional<String> of = Optional.empty();

    @Option(
            names = {"--fillings", "--draws"},
            paramLabel = "N",
            description = "with --inpaint or --denoise: draws of each image (default: " + EACH + ")")
    private Optional<Integer> each = Optional.empty();

    @Option(
            names = "--with",
            paramLabel = "RUN[*WEIGHT]",
            description =
                    "multiply the density by that of another run's model, to the power of a weight (default: 1); may be"
                            + " repeated")
    private List<String> with = List.of();

    /** Whether images are to be restored. */
    boolean restores() {
        return mask.isPresent() || noise.isPresent();
    }

    /** What the file of restored images is called. */
    String name() {
        return mask.isPresent() ? "inpainted" : "denoised";
    }

    /** Whether other runs' models are multiplied with the run's. */
    boolean multiplies() {
        return !with.isEmpty();
    }

    /** The options by which the same models are multiplied. */
    List<String> factors() {
        return with.stream().flatMap(each -> Stream.of("--with", each)).toList();
    }

    /** Refuses options that go with others alone. */
    void check(CommandSpec spec) {
        refuse(spec, mask.isPresent() && noise.isPresent(), "--inpaint and --denoise are two things: name one");
        refuse(spec, addNoise && noise.isEmpty(), "--add-noise goes with --denoise");
        refuse(
                spec,
                noise.isPresent() && of.isEmpty() && !addNoise,
                "the held-out images have no noise to remove: name noisy ones by --of, or add some with --add-noise");
        refuse(spec, of.isPresent() && !restores(), "--of goes with --inpaint or --denoise");
        refuse(spec, each.isPresent() && !restores(), "--fillings goes with --inpaint or --denoise");
        noise.ifPresent(sigma -> Check.positive("--denoise", sigma));
        each.ifPresent(count -> Check.atLeast("--fillings", count, 1));
    }

    private static void refuse(CommandSpec spec, boolean wrong, String why) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), why);
        }
    }

    /** Whether the run's data are needed. */
    boolean needsData() {
        return restores() && of.isEmpty();
    }

    /** The other runs' models, to be closed. */
    static final class Others implements AutoCloseable {
        private final List<Product.Factor> factors = new ArrayList<>();

        List<Product.Factor> factors() {
            return factors;
        }

        @Override
        public void close() {
            factors.forEach(factor -> factor.model().close());
        }
    }

    /** Loads the other runs' models, those of the checkpoints that are judged. */
    Others others(Device device) throws IOException {
        Others others = new Others();
        try {
            for (String text : with) {
                int star = text.lastIndexOf('*');
                String path = star < 0 ? text : text.substring(0, star);
                double weight = star < 0 ? 1 : weight(text.substring(star + 1));
                RunFolder folder = RunFolder.open(Path.of(path));
                ModelCard card = SavedCard.of(folder.path());
                new Runner(folder, device).requireSettings(false);
                Model model = Model.load(folder.path(), card.judged(), device);
                others.factors.add(new Product.Factor(path, model, weight));
            }
            return others;
        } catch (IOException | RuntimeException e) {
            others.close();
            throw e;
        }
    }

    private static double weight(String text) {
        try {
            return Check.finite("--with", Double.parseDouble(text));
        } catch (NumberFormatException e) {
            throw new UserException(
                    "--with takes RUN or RUN*WEIGHT, such as runs/digits*0.5; found the weight '" + text + "'");
        }
    }

    /** The images that are restored, at most so many, in [0, 1]. */
    private Tensor images(Model model, ImageSettings spec, Optional<ImageDataset> data, int most) throws IOException {
        if (of.isEmpty()) {
            ImageSet heldOut = data.orElseThrow().test();
            long count = Math.min(most, heldOut.count());
            return heldOut.images(LongStream.range(0, count).toArray());
        }
        try (Rows rows = model.unit(
                of.get(), ImageSets.rows(spec, model.shape().get(0).intValue(), of.get(), Optional.empty()))) {
            List<Tensor> some = new ArrayList<>();
            int missing = most;
            Optional<Tensor> next = rows.next(missing);
            while (missing > 0 && next.isPresent()) {
                some.add(next.get());
                missing -= (int) next.get().size(0);
                next = missing > 0 ? rows.next(missing) : Optional.empty();
            }
            return Tensors.concat(0, some);
        }
    }

    /** Restores images, writes them to a file with a picture and the figures beside it, and tells the results. */
    Map<String, Object> restore(
            ConditionedChains chains,
            Recipe recipe,
            Optional<ImageDataset> data,
            long seed,
            Optional<Integer> count,
            Path runs,
            Path file,
            WorkListener progress)
            throws IOException {
        Key[] keys = Key.of(seed).split(3);
        Model model = chains.models().first();
        ImageUnits units = Restoration.units(model);
        int most = count.orElse(IMAGES);
        int draws = each.orElse(EACH);
        try (Scope scope = Scope.open()) {
            Tensor images = images(model, (ImageSettings) recipe.data(), data, most);
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("images", images.size(0));
            results.put("draws", draws);
            Optional<GaussianRestoration> gaussian;
            Restoration restored;
            int steps;
            if (mask.isPresent()) {
                Mask free = Mask.of(mask.get(), keys[1], model.shape());
                results.put("filled", free.count() + " of " + free.free().length + " numbers, " + free.words());
                restored = Restoration.fill(chains, keys[0], images, free, draws);
                steps = chains.length();
                gaussian = data.map(known -> GaussianRestoration.filling(known.train(), free.free()));
            } else {
                double sigma = noise.orElseThrow();
                restored = Restoration.denoise(chains, keys[0], images, sigma, addNoise, draws);
                steps = chains.length(units.scale(sigma));
                gaussian = data.filter(known -> addNoise)
                        .map(known -> GaussianRestoration.denoising(known.train(), sigma));
            }
            Optional<Features> classifier = data.isPresent() && restored.clean().isPresent()
                    ? Restoration.classifier(runs, data.get(), progress)
                    : Optional.empty();
            try {
                results.putAll(restored.figures(keys[2], gaussian, classifier));
            } finally {
                classifier.ifPresent(Features::close);
            }
            gaussian.ifPresent(fitted -> results.put("gaussian_ridge", GaussianRestoration.RIDGE));
            restored.acceptance().ifPresent(rate -> results.put("acceptance", rate));
            results.put("steps", steps);
            String base = file.getFileName().toString().replaceFirst("\\.npy$", "");
            Path picture = file.resolveSibling(base + ".png");
            Path figures = file.resolveSibling(base + ".json");
            AtomicFile.write(figures, new JsonMapper().writeValueAsString(results));
            Npy.write(file, restored.draws());
            restored.picture().write(picture);
            results.put("file", file.toString());
            results.put("picture", picture.toString());
            results.put("figures", figures.toString());
            return results;
        }
    }
}

package dev.kelvin.condition;

import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.metric.image.Features;
import dev.kelvin.model.ImageUnits;
import dev.kelvin.model.Model;
import dev.kelvin.model.condition.ConditionedChains;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.yaml.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Draws of what images were before pixels were lost or noise was added, several of each. Images are in [0, 1], the draws as
 * the model sees them.
 *
 * @param clean the images as they were, where that is known
 * @param damaged as they are shown: lost pixels grey, or noisy
 * @param draws [images × each, ...], those of the first image first
 * @param steps that each chain took
 * @param acceptance of the chains' proposals, where they were judged
 * @param known 1 where pixels were not lost, otherwise 0; none where all have noise
 */
public record Restoration(
        Model model,
        Optional<Tensor> clean,
        Tensor damaged,
        Tensor draws,
        int each,
        int steps,
        OptionalDouble acceptance,
        Optional<Tensor> known) {
    /** Chains at a time, so that large images and many of them fit into memory. */
    private static final int MOST_CHAINS = 1024;

    /** Numbers of all chains, at all times of a time-joint model, that are held at once. */
    private static final long MOST_NUMBERS = 1L << 26;

    private static final float GREY = 0.5f;

    /** Images in the picture, and draws of each. */
    private static final int SHOWN = 20;

    private static final int DRAWS_SHOWN = 8;

    /** The units of a model's images. */
    public static ImageUnits units(Model model) {
        return model.card()
                .samples()
                .images()
                .orElseThrow(() -> new UserException(
                        "--inpaint and --denoise are for images; the samples of " + model.name() + " are points"))
                .units();
    }

    /** Fills in the pixels that a mask names of images [n, channels, height, width] in [0, 1], {@code each} times. */
    public static Restoration fill(ConditionedChains chains, Key key, Tensor images, Mask mask, int each) {
        Model model = chains.models().first();
        boolean[] free = mask.free();
        Tensor seen = units(model).toModel(images.to(model.device()));
        Drawn drawn = draws(chains, key, seen, each, (own, rows) -> chains.fill(own, rows, free));
        double[] kept = IntStream.range(0, free.length)
                .mapToDouble(i -> free[i] ? 0 : 1)
                .toArray();
        Tensor known = Tensors.like(images, kept, images.narrow(0, 0, 1).shape());
        return new Restoration(
                model,
                Optional.of(images),
                images.times(known).plus(known.times(-GREY).plus(GREY)),
                drawn.draws,
                each,
                chains.length(),
                drawn.acceptance,
                Optional.of(known));
    }

    /**
     * Denoises images, {@code each} times.
     *
     * @param sigma the noise's standard deviation, black being 0 and white 1
     * @param add whether the images are clean, and are given that noise first
     */
    public static Restoration denoise(
            ConditionedChains chains, Key key, Tensor images, double sigma, boolean add, int each) {
        Model model = chains.models().first();
        ImageUnits units = units(model);
        Key[] keys = key.split(2);
        double own = units.scale(sigma);
        Tensor seen = units.toModel(images.to(model.device()));
        Tensor noisy = add ? seen.plus(Tensors.normalLike(keys[1], own, seen)) : seen;
        Drawn drawn = draws(chains, keys[0], noisy, each, (chance, rows) -> chains.denoise(chance, rows, own));
        return new Restoration(
                model,
                add ? Optional.of(images) : Optional.empty(),
                add ? units.fromModelUnclipped(noisy) : images,
                drawn.draws,
                each,
                chains.length(own),
                drawn.acceptance,
                Optional.empty());
    }

    /** Draws of each image, and the mean acceptance of the chains. */
    private record Drawn(Tensor draws, OptionalDouble acceptance) {}

    private static Drawn draws(
            ConditionedChains chains, Key key, Tensor images, int each, BiFunction<Key, Tensor, ChainRun> restored) {
        int count = (int) images.size(0);
        int together = chains.chainsFor(each);
        long most = Math.min(MOST_CHAINS, MOST_NUMBERS / (chains.held() * images.count() / count));
        int some = (int) Math.max(1, most / together);
        List<Double> accepted = new ArrayList<>();
        List<Tensor> parts = new ArrayList<>();
        for (int from = 0; from < count; from += some) {
            try (Scope scope = Scope.open()) {
                int to = Math.min(count, from + some);
                ChainRun walk = restored.apply(key.child(from), images.rows(repeated(from, to, together)));
                walk.acceptance().ifPresent(accepted::add);
                long[] kept = new long[(to - from) * each];
                Arrays.setAll(kept, i -> (long) i / each * together + i % each);
                parts.add(scope.keep(together == each ? walk.x() : walk.x().rows(kept)));
            }
        }
        OptionalDouble acceptance =
                accepted.stream().mapToDouble(Double::doubleValue).average();
        return new Drawn(Tensors.concat(0, parts), acceptance);
    }

    /** The numbers from {@code from} to before {@code to}, each repeated. */
    private static long[] repeated(int from, int to, int times) {
        long[] rows = new long[(to - from) * times];
        Arrays.setAll(rows, i -> from + (long) i / times);
        return rows;
    }

    /** The draws in [0, 1]; known pixels as they are, which need not have one of the set's shades. */
    private Tensor shades() {
        Tensor shades = units(model).fromModel(draws);
        return known.map(of -> {
                    Tensor lostOnes = of.times(-1).plus(1);
                    Tensor given = damaged.times(of).rows(repeated(0, (int) damaged.size(0), each));
                    return shades.to(damaged.device()).times(lostOnes).plus(given);
                })
                .orElse(shades);
    }

    /** The mean of each image's draws, in [0, 1]. */
    public Tensor means() {
        return means(shades());
    }

    private Tensor means(Tensor shades) {
        long[] shape = damaged.shape();
        return shades.reshape(shape[0], each, shape[1], shape[2], shape[3]).mean(1L);
    }

    /**
     * How far they are from the images as they were, where that is known: mean squared errors of lost numbers, black being 0
     * and white 1. Given a Gaussian, the same of its mean and its draws, and given a classifier how often it assigns single
     * draws to the class that it assigns the clean image to.
     */
    public Map<String, Double> figures(Key key, Optional<GaussianRestoration> gaussian, Optional<Features> classifier) {
        Map<String, Double> figures = new LinkedHashMap<>();
        if (clean.isEmpty()) {
            return figures;
        }
        try (Scope scope = Scope.open()) {
            Tensor truth = clean.get();
            Tensor shades = shades();
            Tensor repeated = truth.rows(repeated(0, (int) truth.size(0), each));
            if (known.isEmpty()) { // noise; grey in the place of lost pixels has no error of its own
                figures.put("mse_noisy", error(damaged, truth));
            }
            figures.put("mse_mean", error(means(shades), truth));
            figures.put("mse_single", error(shades, repeated));
            classifier.ifPresent(network -> figures.put("same_class", same(network, shades, repeated)));
            gaussian.ifPresent(fitted -> {
                figures.put("mse_gaussian_mean", error(fitted.mean(damaged), truth));
                Tensor drawn = fitted.draw(key, damaged.rows(repeated(0, (int) truth.size(0), each)));
                figures.put("mse_gaussian_single", error(drawn, repeated));
                classifier.ifPresent(network -> figures.put("same_class_gaussian", same(network, drawn, repeated)));
            });
        }
        return figures;
    }

    private double error(Tensor found, Tensor truth) {
        double sum = found.to(truth.device())
                .minus(truth)
                .square()
                .to(DType.DOUBLE)
                .sum()
                .item();
        double given = known.map(each -> each.to(DType.DOUBLE).sum().item()).orElse(0.0);
        return sum / (truth.count() - truth.size(0) * given);
    }

    private double same(Features network, Tensor drawn, Tensor truth) {
        int[] one = classes(network, drawn.to(model.device()));
        int[] other = classes(network, truth.to(model.device()));
        return IntStream.range(0, one.length).filter(i -> one[i] == other[i]).count() / (double) one.length;
    }

    /** Where the largest logit of each image is. */
    private static int[] classes(Features network, Tensor images) {
        Tensor logits = network.outputs(images).logits().orElseThrow();
        int classes = (int) logits.size(1);
        double[] values = logits.toDoubles();
        return IntStream.range(0, values.length / classes)
                .map(row -> IntStream.range(row * classes, (row + 1) * classes)
                        .reduce((best, at) -> values[at] > values[best] ? at : best)
                        .orElseThrow())
                .toArray();
    }

    /** A row for each image: as it was, where that is known, damaged, the mean of its draws, and some of them. */
    public Png picture() {
        try (Scope scope = Scope.open()) {
            Tensor shades = shades().to(Device.CPU);
            Tensor means = means(shades);
            int shown = (int) Math.min(SHOWN, damaged.size(0));
            int some = Math.min(DRAWS_SHOWN, each);
            List<Tensor> pictures = new ArrayList<>();
            for (int i = 0; i < shown; i++) {
                int at = i;
                clean.ifPresent(images -> pictures.add(images.narrow(0, at, 1).to(Device.CPU)));
                pictures.add(damaged.narrow(0, i, 1).to(Device.CPU));
                pictures.add(means.narrow(0, i, 1));
                pictures.add(shades.narrow(0, (long) i * each, some));
            }
            return ImageGrid.of(Tensors.concat(0, pictures), (clean.isPresent() ? 3 : 2) + some);
        }
    }
}

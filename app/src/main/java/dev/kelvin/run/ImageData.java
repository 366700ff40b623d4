package dev.kelvin.run;

import dev.kelvin.negative.Batch;
import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.augment.ColourJitter;
import dev.kelvin.data.augment.Crop;
import dev.kelvin.data.augment.Dequantisation;
import dev.kelvin.data.augment.Flip;
import dev.kelvin.data.augment.Greyscale;
import dev.kelvin.data.augment.ResizedCrop;
import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.Loader;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.negative.Start;
import dev.kelvin.recipe.DataSpec;
import dev.kelvin.recipe.RunException;
import dev.kelvin.sets.KnownSet;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Positives;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** The images that a recipe names, opened: those that are learnt, and those that are kept back to judge. */
public final class ImageData implements AutoCloseable {
    private static final double HELD_OUT = 0.2;

    /** A fifth of fewer is none. */
    private static final int FEWEST = 3;

    /** Bytes up to which a set is kept on the device: on a GPU CIFAR-10 whole. */
    private static final long RESIDENT = 1 << 28;

    /** SimCLR's: how much brightness, contrast and saturation change, four times the hue, and of how many images. */
    private static final double JITTER = 0.8;

    private static final double JITTERED = 0.8;

    private static final int HASHED = 1 << 20; // bytes at a time

    /** Which images are kept back is the same for all runs, or their figures could not be compared. */
    private static final Key SPLIT = Key.of(0).child(-4);

    private final DataSpec.Images spec;
    private final ImageSet train;
    private final ImageSet test;
    private final Map<String, ImageSet> foreign;
    private final Device device;
    private final PixelRange range;
    private final Dequantisation dequantisation;
    private final Loader loader;

    private ImageData(
            DataSpec.Images spec,
            ImageSet train,
            ImageSet test,
            Map<String, ImageSet> foreign,
            Key key,
            Device device) {
        this.spec = spec;
        this.train = train;
        this.test = test;
        this.foreign = foreign;
        this.device = device;
        this.range = new PixelRange(spec.low(), spec.high());
        this.dequantisation = new Dequantisation(train.maximum());
        this.loader = new Loader(key, train, options(spec, train, device));
    }

    private static Loader.Options options(DataSpec.Images spec, ImageSet train, Device device) {
        long bytes = train.pixels().count() * (device.cuda() ? 1 : Float.BYTES); // as the loader keeps them
        Loader.Options options = Loader.Options.usual()
                .range(spec.low(), spec.high())
                .device(device)
                .resident(bytes <= RESIDENT);
        List<Augmentation> changes = new ArrayList<>();
        if (spec.crop() > 0) {
            changes.add(new Crop(spec.crop()));
        }
        spec.resizedCrop().ifPresent(share -> changes.add(new ResizedCrop(share, 1)));
        if (spec.flip()) {
            changes.add(new Flip());
        }
        if (spec.jitter() > 0) {
            double by = JITTER * spec.jitter();
            changes.add(new ColourJitter(by, by, by, by / 4, JITTERED));
        }
        if (spec.greyscale() > 0) {
            changes.add(new Greyscale(spec.greyscale()));
        }
        if (spec.dequantise()) {
            changes.add(new Dequantisation(train.maximum()));
        }
        return changes.isEmpty() ? options : options.augmentation(new Augmentation.InTurn(changes));
    }

    /** The sets that the recipe names, each of which is closed if another is not as it should be. */
    static ImageData open(DataSpec.Images spec, Key key, Device device) {
        List<ImageSet> opened = new ArrayList<>();
        try {
            opened.addAll(parts(spec));
            ImageSet train = opened.get(0);
            ImageSet test = opened.get(1);
            requireAlike("data.images.set: the test part", test, "the training part", train);
            Map<String, ImageSet> foreign = new LinkedHashMap<>();
            for (String name : spec.foreign()) {
                ImageSet set = foreign(name, options(spec));
                opened.add(set);
                requireAlike("data.images.foreign: " + name, set, spec.set(), train);
                String plain = String.valueOf(Path.of(name).getFileName()).replaceFirst("\\.\\w+$", "");
                foreign.put(foreign.containsKey(plain) ? name : plain, set);
            }
            return new ImageData(spec, train, test, foreign, key, device);
        } catch (IOException e) {
            opened.forEach(ImageSet::close);
            throw new RunException(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            opened.forEach(ImageSet::close);
            throw e;
        }
    }

    /** The set's own test part is kept back, or a fifth of a set that has none or one without the labels of the rest. */
    private static List<ImageSet> parts(DataSpec.Images spec) throws IOException {
        Optional<ImageSet> test = readTest(spec.set(), options(spec));
        try {
            ImageSet all = read(spec.set(), options(spec));
            if (test.isPresent() && test.get().labelled() == all.labelled()) {
                return List.of(all, test.get());
            }
            test.ifPresent(ImageSet::close);
            try (all) {
                if (all.count() < FEWEST) {
                    throw new RunException("data.images.set: " + spec.set() + " has " + all.count()
                            + " images; a fifth is kept back to judge, so it takes " + FEWEST + " or more");
                }
                return all.split(SPLIT, 1 - HELD_OUT, HELD_OUT);
            }
        } catch (IOException | RuntimeException e) {
            test.ifPresent(ImageSet::close);
            throw e;
        }
    }

    /** A foreign set's test part where it has one. */
    private static ImageSet foreign(String name, ImageFiles.Options options) throws IOException {
        Optional<ImageSet> test = readTest(name, options);
        return test.isPresent() ? test.get() : read(name, options);
    }

    private static void requireAlike(String what, ImageSet set, String whose, ImageSet train) {
        if (set.channels() != train.channels() || set.height() != train.height() || set.width() != train.width()) {
            throw new RunException(String.format(
                    Locale.ROOT,
                    "%s has %d x %d pixels in %d channels, %s %d x %d in %d",
                    what,
                    set.width(),
                    set.height(),
                    set.channels(),
                    whose,
                    train.width(),
                    train.height(),
                    train.channels()));
        }
    }

    /** A set as it is, in [0, 1]. */
    public static ImageData open(String set, Device device) {
        return open(DataSpec.Images.plain(set), Key.of(0), device);
    }

    /** The training part of a set by its name, or from its files. */
    public static ImageSet read(String set, ImageFiles.Options options) throws IOException {
        return set.equals("digits") ? Digits.load() : ImageFiles.read(KnownSet.find(set), options);
    }

    /** The set's own test part, if it has one. */
    public static Optional<ImageSet> readTest(String set, ImageFiles.Options options) throws IOException {
        return set.equals("digits") ? Optional.empty() : ImageFiles.readTest(KnownSet.find(set), options);
    }

    private static ImageFiles.Options options(DataSpec.Images spec) {
        ImageFiles.Options options = ImageFiles.Options.usual();
        options = spec.size() > 0 ? options.size(spec.size()) : options;
        return spec.grey() ? options.inGrey() : options;
    }

    /** Each step's batch: shuffled by epochs, and noisy where the recipe says so. */
    Positives batches() {
        return (key, step, count) -> {
            try (Scope scope = Scope.open()) {
                return Batch.of(scope.keep(noisy(key, loader.batch(step, count))));
            }
        };
    }

    /** The same with the images' classes. */
    Positives labelledBatches() {
        return (key, step, count) -> new Batch(batches().batch(key, step, count).x(), loader.labels(step, count));
    }

    /** Images by chance. */
    Start draws() {
        return (key, count) -> {
            try (Scope scope = Scope.open()) {
                Key[] keys = key.split(3);
                long[] numbers = keys[0].stream().longs(count, 0, train.count()).toArray();
                return scope.keep(drawn(keys[1], keys[2], numbers));
            }
        };
    }

    /** Training images by their numbers, as the model learns them: dequantised and noisy where the recipe says so. */
    Tensor drawn(Key noise, Key shades, long... numbers) {
        Tensor images = train.images(numbers);
        Tensor spread = spec.dequantise() ? dequantisation.apply(shades, images) : images;
        return noisy(noise, range.fromUnit(spread.to(device)));
    }

    private Tensor noisy(Key key, Tensor images) {
        return spec.noise() == 0
                ? images
                : Tensors.normalLike(key, spec.noise(), images).addInPlace(images);
    }

    /** Images in [0, 1] as the model sees them; where it learns dequantised ones, in the middle of their shades. */
    public Tensor learnt(Tensor unit) {
        Tensor seen = spec.dequantise() ? dequantisation.middle(unit) : unit;
        return range.fromUnit(seen.to(device));
    }

    /** And back, cut off where they leave [0, 1]. */
    public Tensor unit(Tensor learnt) {
        return range.toUnit(learnt).clamp(0, 1);
    }

    public ImageSet train() {
        return train;
    }

    public ImageSet test() {
        return test;
    }

    /** Other sets, whose f is shown beside, by their plain names. */
    Map<String, ImageSet> foreign() {
        return foreign;
    }

    /** [channels, height, width]. */
    List<Long> shape() {
        return List.of((long) train.channels(), (long) train.height(), (long) train.width());
    }

    /** Of the images that are learnt. */
    String hash() {
        return hash(train);
    }

    /** Of the pixels and the labels. */
    static String hash(ImageSet set) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            long bytes = set.pixels().count();
            for (long at = 0; at < bytes; at += HASHED) {
                digest.update(set.pixels().memory(at, (int) Math.min(HASHED, bytes - at)));
            }
            for (int label : set.labels()) {
                digest.update((byte) label);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The whole numbers from one to before another. */
    static long[] range(int from, int to) {
        return LongStream.range(from, to).toArray();
    }

    @Override
    public void close() {
        loader.close();
        train.close();
        test.close();
        foreign.values().forEach(ImageSet::close);
    }
}

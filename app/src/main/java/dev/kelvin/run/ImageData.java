package dev.kelvin.run;

import dev.kelvin.data.Augmentation;
import dev.kelvin.data.Crop;
import dev.kelvin.data.Digits;
import dev.kelvin.data.Flip;
import dev.kelvin.data.ImageFiles;
import dev.kelvin.data.ImageSet;
import dev.kelvin.data.Loader;
import dev.kelvin.data.PixelRange;
import dev.kelvin.negative.Start;
import dev.kelvin.recipe.DataSpec;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Batch;
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

    /** Bytes up to which a set is kept on the device as floats. */
    private static final long RESIDENT = 1 << 28;

    /** Which images are kept back is the same for all runs, or their figures could not be compared. */
    private static final Key SPLIT = Key.of(0).child(-4);

    private final DataSpec.Images spec;
    private final ImageSet train;
    private final ImageSet test;
    private final Map<String, ImageSet> foreign;
    private final Device device;
    private final PixelRange range;
    private final Loader loader;

    private ImageData(DataSpec.Images spec, ImageSet train, ImageSet test, Key key, Device device) {
        this.spec = spec;
        this.train = train;
        this.test = test;
        this.foreign = foreign(spec, train);
        this.device = device;
        this.range = new PixelRange(spec.low(), spec.high());
        this.loader = new Loader(key, train, options(spec, train, device));
    }

    private static Loader.Options options(DataSpec.Images spec, ImageSet train, Device device) {
        long bytes = 4L * train.pixels().count();
        Loader.Options options = Loader.Options.usual()
                .range(spec.low(), spec.high())
                .device(device)
                .resident(bytes <= RESIDENT);
        List<Augmentation> changes = new ArrayList<>();
        if (spec.crop() > 0) {
            changes.add(new Crop(spec.crop()));
        }
        if (spec.flip()) {
            changes.add(new Flip());
        }
        return changes.isEmpty() ? options : options.augmentation(new Augmentation.InTurn(changes));
    }

    /** The set's own test part is kept back, or a fifth of a set that has none or one without the labels of the rest. */
    static ImageData open(DataSpec.Images spec, Key key, Device device) {
        try {
            Optional<ImageSet> test = readTest(spec.set(), options(spec));
            ImageSet all = read(spec.set(), options(spec));
            if (test.isPresent() && test.get().labelled() == all.labelled()) {
                return new ImageData(spec, all, test.get(), key, device);
            }
            test.ifPresent(ImageSet::close);
            try (all) {
                List<ImageSet> parts = all.split(SPLIT, 1 - HELD_OUT, HELD_OUT);
                return new ImageData(spec, parts.get(0), parts.get(1), key, device);
            }
        } catch (IOException e) {
            throw new RunException(String.valueOf(e.getMessage()));
        }
    }

    /** A set as it is, in [0, 1]. */
    public static ImageData open(String set, Device device) {
        return open(DataSpec.Images.plain(set), Key.of(0), device);
    }

    /** A set by its name, or from its files. */
    public static ImageSet read(String set) throws IOException {
        return read(set, ImageFiles.Options.usual());
    }

    private static ImageSet read(String set, ImageFiles.Options options) throws IOException {
        return set.equals("digits") ? Digits.load() : ImageFiles.read(KnownSet.find(set), options);
    }

    private static Optional<ImageSet> readTest(String set, ImageFiles.Options options) throws IOException {
        return set.equals("digits") ? Optional.empty() : ImageFiles.readTest(KnownSet.find(set), options);
    }

    private static ImageFiles.Options options(DataSpec.Images spec) {
        ImageFiles.Options options = ImageFiles.Options.usual();
        options = spec.size() > 0 ? options.size(spec.size()) : options;
        return spec.grey() ? options.inGrey() : options;
    }

    /** The foreign sets that the recipe names: their test parts where they have some. */
    private static Map<String, ImageSet> foreign(DataSpec.Images spec, ImageSet train) {
        Map<String, ImageSet> sets = new LinkedHashMap<>();
        try {
            for (String name : spec.foreign()) {
                Optional<ImageSet> test = readTest(name, options(spec));
                ImageSet set = test.isPresent() ? test.get() : read(name, options(spec));
                String plain = String.valueOf(Path.of(name).getFileName()).replaceFirst("\\.\\w+$", "");
                sets.put(sets.containsKey(plain) ? name : plain, set);
                if (set.channels() != train.channels()
                        || set.height() != train.height()
                        || set.width() != train.width()) {
                    throw new RunException(String.format(
                            Locale.ROOT,
                            "data.images.foreign: %s has %d x %d pixels in %d channels, %s %d x %d in %d",
                            name,
                            set.width(),
                            set.height(),
                            set.channels(),
                            spec.set(),
                            train.width(),
                            train.height(),
                            train.channels()));
                }
            }
            return sets;
        } catch (IOException e) {
            sets.values().forEach(ImageSet::close);
            throw new RunException(String.valueOf(e.getMessage()));
        } catch (RunException e) {
            sets.values().forEach(ImageSet::close);
            throw e;
        }
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
                Key[] keys = key.split(2);
                long[] drawn = keys[0].stream().longs(count, 0, train.count()).toArray();
                return scope.keep(noisy(keys[1], learnt(train.images(drawn))));
            }
        };
    }

    /** Images as the model sees them, noisy where the recipe says so. */
    Tensor noisy(Key key, Tensor images) {
        return spec.noise() == 0
                ? images
                : Tensors.normalLike(key, spec.noise(), images).addInPlace(images);
    }

    /** Images in [0, 1] as the model sees them. */
    public Tensor learnt(Tensor unit) {
        return range.fromUnit(unit.to(device));
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
            for (int from = 0; from < set.count(); from += 1000) {
                try (Scope scope = Scope.open()) {
                    float[] values = set.images(range(from, Math.min(set.count(), from + 1000)))
                            .toFloats();
                    byte[] pixels = new byte[values.length];
                    for (int i = 0; i < pixels.length; i++) {
                        pixels[i] = (byte) Math.round(values[i] * set.maximum());
                    }
                    digest.update(pixels);
                }
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

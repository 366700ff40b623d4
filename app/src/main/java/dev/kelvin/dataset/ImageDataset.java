package dev.kelvin.dataset;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.augment.Dequantisation;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.Loader;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.io.Sha256;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.model.ImageUnits;
import dev.kelvin.model.SampleKind;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.ClassGaussians;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The images that a recipe names, opened: those that are learnt, and those that are kept back to judge. */
public final class ImageDataset implements Data {
    /** Held-out images at a time. */
    private static final int BATCH = 64;

    private static final int HASHED = 1 << 20; // bytes at a time

    private final ImageSettings spec;
    private final Device device;
    private final PixelRange range;
    private final ImageUnits units;
    private final OpenedImages opened;
    private Optional<ClassDraws> byClass = Optional.empty();
    private Optional<ClassGaussians> gaussians = Optional.empty();

    private ImageDataset(ImageSettings spec, OpenedImages opened, Device device) {
        this.spec = spec;
        this.opened = opened;
        this.device = device;
        this.range = new PixelRange(spec.low(), spec.high());
        this.units = samples().units();
    }

    static ImageDataset open(ImageSettings spec, Key key, Device device) {
        return new ImageDataset(spec, OpenedImages.of(spec, key, device), device);
    }

    /** The recipe's settings of the images. */
    public ImageSettings spec() {
        return spec;
    }

    @Override
    public SampleKind.Images samples() {
        List<Long> shape = List.of((long) train().channels(), (long) train().height(), (long) train().width());
        return new SampleKind.Images(shape, range, spec.dequantise() ? train().maximum() : 0);
    }

    @Override
    public Optional<PixelRange> range() {
        return Optional.of(range);
    }

    /** Of images as they are, without noise or augmentation; from a file where they were fitted before. */
    @Override
    public SampleSource gaussians(boolean byClass, Supplier<SampleSource> otherwise) {
        ClassGaussians found = gaussians.orElseGet(() -> {
            String hash = hash();
            GaussianFile file = new GaussianFile(GaussianFile.path(spec.set(), hash, byClass), hash);
            return file.of(shape(), byClass ? classes().size() : 1, this::train, device);
        });
        gaussians = Optional.of(found);
        return GaussianFile.seen(found, this::learnt);
    }

    /** A set as it is, in [0, 1]. */
    public static ImageDataset open(String set, Device device) {
        return open(ImageSettings.plain(set), Key.of(0), device);
    }

    /** Each step's batch: shuffled by epochs, and noisy where the recipe says so. */
    @Override
    public BatchSource batches(boolean labelled) {
        return (key, step, count) -> {
            try (Scope scope = Scope.open()) {
                if (!labelled) {
                    return Batch.of(scope.keep(noisy(key, opened.loader().batch(step, count))));
                }
                Batch clean = opened.batch(step, count);
                Batch batch = new Batch(scope.keep(noisy(key, clean.x())), clean.k());
                Optional<Batch> other =
                        clean.labelled().map(each -> new Batch(scope.keep(noisy(key.child(1), each.x())), each.k()));
                return other.map(batch::labelledBy).orElse(batch);
            }
        };
    }

    @Override
    public SampleSource draws() {
        return (key, count) -> {
            try (Scope scope = Scope.open()) {
                Key[] keys = key.split(3);
                long[] numbers =
                        keys[0].stream().longs(count, 0, train().count()).toArray();
                return scope.keep(drawn(keys, numbers));
            }
        };
    }

    /** Refuses images without classes, at once where they are open. */
    @Override
    public SampleSource drawsByClass() {
        ClassDraws byClass = byClass();
        return SampleSource.of(draws(), (chance, labels) -> byClass.draw(chance.split(3), this::drawn, labels));
    }

    private ClassDraws byClass() {
        if (byClass.isEmpty()) {
            ImageSet set = train();
            if (!set.labelled() || set.classes().size() < 2) {
                throw new UserException("the images of " + set.name()
                        + (set.labelled() ? " are all of one class" : " have no labels")
                        + ", and the recipe asks for classes; leave 'classes' out");
            }
            long[] labels =
                    IntStream.range(0, set.count()).mapToLong(set::label).toArray();
            byClass = Optional.of(new ClassDraws(
                    labels,
                    set.classes().size(),
                    label -> "no training image of " + set.name() + " is of the class "
                            + set.classes().get(label) + ", and the recipe asks for classes; number them from 0 without"
                            + " gaps"));
        }
        return byClass.get();
    }

    @Override
    public List<String> classes() {
        return train().labelled() ? train().classes() : List.of();
    }

    @Override
    public Optional<Tensor> heldOut(Key key, int most) {
        Key[] keys = key.split(3);
        return Optional.of(seen(keys[1], keys[2], some(keys[0], test(), most)));
    }

    @Override
    public Iterable<Labelled> heldOutByClass() {
        return () -> IntStream.iterate(0, from -> from < test().count(), from -> from + BATCH)
                .mapToObj(from -> {
                    long[] rows = range(from, Math.min(test().count(), from + BATCH));
                    return new Labelled(
                            learnt(test().images(rows)),
                            Arrays.stream(rows).map(test()::label).toArray());
                })
                .iterator();
    }

    /** Training images by their numbers, as the model learns them; the last two of the keys decide their noise. */
    Tensor drawn(Key[] keys, long... numbers) {
        return seen(keys[1], keys[2], train().images(numbers));
    }

    /** Images in [0, 1], dequantised and noisy where the recipe says so. */
    private Tensor seen(Key noise, Key shades, Tensor images) {
        Tensor spread = units.dequantised().map(by -> by.apply(shades, images)).orElse(images);
        return noisy(noise, range.fromUnit(spread.to(device)));
    }

    private Tensor noisy(Key key, Tensor images) {
        return spec.noise() == 0
                ? images
                : Tensors.normalLike(key, spec.noise(), images).addInPlace(images);
    }

    /** Images in [0, 1] as the model sees them; where it learns dequantised ones, in the middle of their shades. */
    public Tensor learnt(Tensor unit) {
        return units.toModel(unit.to(device));
    }

    /** Images of the model in [0, 1]; where it learns dequantised ones, in the set's own shades. */
    public Tensor unit(Tensor learnt) {
        return units.fromModel(learnt);
    }

    /** Where batches and samples live. */
    public Device device() {
        return device;
    }

    /** Images that are learnt from. */
    public ImageSet train() {
        return opened.sets().train();
    }

    /** Held-out images. */
    public ImageSet test() {
        return opened.sets().test();
    }

    /** Out-of-distribution sets, whose f is shown beside, by their plain names. */
    public Map<String, ImageSet> others() {
        return opened.sets().others();
    }

    /** At most {@code most} images of a set at random: sets may be sorted by class. */
    public static Tensor some(Key key, ImageSet set, int most) {
        return set.images(rows(key, set, most));
    }

    /** The numbers of at most {@code most} images of a set at random. */
    public static long[] rows(Key key, ImageSet set, int most) {
        return Arrays.copyOf(key.permutation(set.count()), Math.min(most, set.count()));
    }

    /** Of the images that are learnt. */
    @Override
    public String hash() {
        return hash(train());
    }

    /** Of the pixels and the labels. */
    public static String hash(ImageSet set) {
        Sha256 sum = new Sha256();
        long bytes = set.pixels().count();
        for (long at = 0; at < bytes; at += HASHED) {
            sum.add(set.pixels().memory(at, (int) Math.min(HASHED, bytes - at)));
        }
        ByteBuffer labels = ByteBuffer.allocate(set.labels().length);
        IntStream.of(set.labels()).forEach(label -> labels.put((byte) label));
        return sum.add(labels.flip()).hex();
    }

    /** The moments of some images' pixels, taken in {@code batch} at a time. */
    public static Moments moments(ImageSet set, int batch, long... rows) {
        Moments moments = new Moments(set.channels() * set.height() * set.width());
        for (int from = 0; from < rows.length; from += batch) {
            try (Scope scope = Scope.open()) {
                long[] some = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + batch));
                moments.add(set.images(some).flattenSamples());
            }
        }
        return moments;
    }

    /** The whole numbers from one to before another. */
    public static long[] range(int from, int to) {
        return LongStream.range(from, to).toArray();
    }

    @Override
    public void close() {
        gaussians.ifPresent(ClassGaussians::close);
        opened.close();
    }

    /** The sets, and what brings batches of the first; others for the label term, where it has its own. */
    private record OpenedImages(ImageSets sets, Loader loader, Optional<Loader> labelled, OptionalInt labelledCount) {
        /** Bytes up to which a set is kept on the device: on a GPU CIFAR-10 whole. */
        private static final long RESIDENT = 1 << 28;

        /** The child of the data's key that decides the order of the label term's batches; a loader takes those from −1 on. */
        private static final long LABELLED = -2;

        static OpenedImages of(ImageSettings spec, Key key, Device device) {
            ImageSets sets = ImageSets.of(spec);
            try {
                Loader loader = new Loader(key, sets.train(), options(spec, spec.augment(), sets.train(), device));
                Optional<Loader> labelled = spec.labelled()
                        .map(own -> new Loader(
                                key.child(LABELLED), loader, options(spec, own.augment(), sets.train(), device)));
                return new OpenedImages(
                        sets,
                        loader,
                        labelled,
                        spec.labelled().map(ImageSettings.Labelled::batch).orElse(OptionalInt.empty()));
            } catch (RuntimeException e) {
                sets.close();
                throw e;
            }
        }

        /** Both loaders' batches of a step, before any noise. */
        Batch batch(long step, int count) {
            Batch batch = new Batch(loader.batch(step, count), loader.labels(step, count));
            int own = labelledCount.orElse(count);
            return labelled.map(other -> batch.labelledBy(new Batch(other.batch(step, own), other.labels(step, own))))
                    .orElse(batch);
        }

        void close() {
            labelled.ifPresent(Loader::close); // it may have its images from the other
            loader.close();
            sets.close();
        }

        private static Loader.Options options(
                ImageSettings spec, List<Augmentation> augment, ImageSet train, Device device) {
            long bytes = train.pixels().count() * (device.cuda() ? 1 : Float.BYTES); // as the loader keeps them
            List<Augmentation> changes = new ArrayList<>(augment);
            if (spec.dequantise()) {
                changes.add(new Dequantisation(train.maximum()));
            }
            return new Loader.Options(
                    new PixelRange(spec.low(), spec.high()),
                    changes.isEmpty() ? Optional.empty() : Optional.of(new Augmentation.InTurn(changes)),
                    device,
                    true,
                    bytes <= RESIDENT);
        }
    }
}

package dev.kelvin.dataset;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.ImageFormat;
import dev.kelvin.data.format.ImageRows;
import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.sets.KnownSet;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A recipe's sets of images: learnt from, kept back to judge, and, by their plain names, out of distribution. */
public record ImageSets(ImageSet train, ImageSet test, Map<String, ImageSet> others) implements AutoCloseable {
    private static final double HELD_OUT = 0.2;

    /** A fifth of fewer is none. */
    private static final int FEWEST = 3;

    /** Which images are kept back is the same for all runs, or their figures could not be compared. */
    private static final Key SPLIT = KeyDomain.SPLIT.key();

    /** The sets that the recipe names, each of which is closed if another is not as it should be. */
    static ImageSets of(ImageSettings spec) {
        List<ImageSet> opened = new ArrayList<>();
        try {
            opened.addAll(parts(spec));
            spec.count().ifPresent(count -> opened.set(0, some(opened.get(0), count)));
            ImageSet train = opened.get(0);
            ImageSet test = opened.get(1);
            requireSize(spec, train);
            requireAlike("data.images.set: the test part", test, "the training part", train);
            requireClasses(test, train);
            Map<String, ImageSet> others = new LinkedHashMap<>();
            for (String name : spec.outOfDistribution()) {
                ImageSet set = others(name, options(spec));
                opened.add(set);
                requireAlike("data.images.outOfDistribution: " + name, set, spec.set(), train);
                String plain = String.valueOf(Path.of(name).getFileName()).replaceFirst("\\.\\w+$", "");
                others.put(others.containsKey(plain) ? name : plain, set);
            }
            return new ImageSets(train, test, others);
        } catch (IOException e) {
            opened.forEach(ImageSet::close);
            throw new UserException(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            opened.forEach(ImageSet::close);
            throw e;
        }
    }

    /** Only pictures in a folder are brought to a size. */
    private static void requireSize(ImageSettings spec, ImageSet train) {
        Check.require(
                spec.size() == 0 || (spec.size() == train.height() && spec.size() == train.width()),
                "data.images.size",
                "is for a folder of pictures; the images of " + spec.set() + " are " + train.height() + "×"
                        + train.width());
        Check.require(
                !spec.grey() || train.channels() == 1,
                "data.images.grey",
                "is for a folder of pictures; the images of " + spec.set() + " have " + train.channels() + " channels");
    }

    /** The set's own test part is kept back, or a fifth of a set that has none or one without the labels of the rest. */
    private static List<ImageSet> parts(ImageSettings spec) throws IOException {
        Optional<ImageSet> test = readTest(spec.set(), options(spec));
        try {
            ImageSet all = read(spec.set(), options(spec));
            if (test.isPresent() && test.get().labelled() == all.labelled()) {
                return List.of(all, test.get());
            }
            test.ifPresent(ImageSet::close);
            try (all) {
                if (all.count() < FEWEST) {
                    throw new UserException("data.images.set: " + spec.set() + " has " + all.count()
                            + " images; a fifth is kept back to judge, so it takes " + FEWEST + " or more");
                }
                return all.split(SPLIT, 1 - HELD_OUT);
            }
        } catch (IOException | RuntimeException e) {
            test.ifPresent(ImageSet::close);
            throw e;
        }
    }

    /** As many of a set's images, which is closed. */
    private static ImageSet some(ImageSet set, int count) {
        Check.require(
                count <= set.count(),
                "data.images.count",
                "must be at most the number of training images of " + set.name() + ", " + set.count() + ", found "
                        + count);
        long[] order = SPLIT.child(1).permutation(set.count());
        try (set) {
            return set.subset(Arrays.copyOf(order, count));
        }
    }

    /** Another set's test part where it has one. */
    private static ImageSet others(String name, ImageFiles.Options options) throws IOException {
        Optional<ImageSet> test = readTest(name, options);
        return test.isPresent() ? test.get() : read(name, options);
    }

    private static void requireAlike(String what, ImageSet set, String whose, ImageSet train) {
        if (set.channels() != train.channels() || set.height() != train.height() || set.width() != train.width()) {
            throw new UserException(Words.say(
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

    private static void requireClasses(ImageSet test, ImageSet train) {
        int known = train.classes().size();
        if (train.labelled() && test.classes().size() > known) {
            throw new UserException("data.images.set: the test part has the class "
                    + test.classes().get(known) + ", of which the training part has no image");
        }
    }

    /** The training part of a set by its name, or from its files. */
    public static ImageSet read(String set, ImageFiles.Options options) throws IOException {
        return set.equals(ImageSettings.DIGITS) ? Digits.load() : ImageFiles.read(KnownSet.find(set), options);
    }

    /** The set's own test part, if it has one. */
    public static Optional<ImageSet> readTest(String set, ImageFiles.Options options) throws IOException {
        Optional<ImageFormat.Source> test =
                set.equals(ImageSettings.DIGITS) ? Optional.empty() : ImageFiles.test(KnownSet.find(set), options);
        return test.isPresent() ? Optional.of(test.get().read()) : Optional.empty();
    }

    /** Images from a set's name or its files, one after the other, brought to size as the recipe's are. */
    public static ImageRows rows(ImageSettings spec, int channels, String set) throws IOException {
        if (set.equals(ImageSettings.DIGITS)) {
            return ImageRows.of(Digits.load());
        }
        Path path = KnownSet.find(set);
        ImageFiles.Options options = channels == 1 ? options(spec).inGrey() : options(spec); // of a folder's pictures
        Optional<ImageFormat.Source> test = ImageFiles.test(path, options);
        return test.isPresent() ? test.get().rows() : ImageFiles.rows(path, options);
    }

    private static ImageFiles.Options options(ImageSettings spec) {
        ImageFiles.Options options = ImageFiles.Options.usual();
        options = spec.size() > 0 ? options.size(spec.size()) : options;
        return spec.grey() ? options.inGrey() : options;
    }

    @Override
    public void close() {
        train.close();
        test.close();
        others.values().forEach(ImageSet::close);
    }
}

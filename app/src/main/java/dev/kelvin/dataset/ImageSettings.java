package dev.kelvin.dataset;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Citing;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import dev.kelvin.part.Words;
import dev.kelvin.sets.KnownSet;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Images of one size, from files or from those that ship. */
@Doc("images of one size")
@Named("images")
public record ImageSettings(
        @Doc("digits, which ships with Kelvin, or the path of a file or folder (see 'kelvin data list')")
        String set,

        @Doc("the value of black") @Default("-1") double low,

        @Doc("the value of white") @Default("1") double high,

        @Doc("the standard deviation of Gaussian noise added to every image") @Default("0")
        double noise,

        @Doc("whether images are dequantised: uniform noise of one grey level is added, so that they have a density")
        @Default("false")
        boolean dequantise,

        @Doc("random augmentations of the training images, applied in this order, such as [flip, {crop: {padding: 4}}]")
        @Default("[]")
        List<Augmentation> augment,

        @Doc(
                value =
                        "batches of their own for the cross-entropy (dual loaders); the generative part sees the others",
                otherwise = "the cross-entropy sees the same images")
        Optional<Labelled> labelled,

        @Doc("the side to which a folder's images are cropped and resized; 0 keeps their size") @Default("0")
        int size,

        @Doc("whether a folder's images are converted to greyscale") @Default("false")
        boolean grey,

        @Doc("out-of-distribution sets, by name or path, on which f is compared with the held-out images'")
        @Default("[]")
        List<String> outOfDistribution,

        @Doc(
                value = "how many training images are used, a random choice that is the same in every run",
                otherwise = "all")
        OptionalInt count)
        implements DataSettings, Citing {
    /** The set that ships. */
    static final String DIGITS = "digits";

    public ImageSettings {
        outOfDistribution = List.copyOf(outOfDistribution);
        augment = List.copyOf(augment);
        Check.all(
                () -> Check.require(!set.isBlank(), "set", "must name a set or a path"),
                () -> Check.finite("low", low),
                () -> Check.finite("high", high),
                () -> Check.notNegative("noise", noise),
                () -> Check.atLeast("size", size, 0),
                () -> count.ifPresent(images -> Check.atLeast("count", images, 1)));
        Check.require(low < high, "high", "must be above low, " + Words.number(low) + ", found " + Words.number(high));
    }

    /** A set as it is, in [0, 1]. */
    static ImageSettings plain(String set) {
        return new ImageSettings(
                set, 0, 1, 0, false, List.of(), Optional.empty(), 0, false, List.of(), OptionalInt.empty());
    }

    /** A set of Kelvin's by its name; files by theirs, wherever they are. */
    @Override
    public String title() {
        return place().map(Path::getFileName).map(Path::toString).orElse(set);
    }

    @Override
    public Optional<Path> place() {
        return own(set) ? Optional.of(Path.of(set)) : Optional.empty();
    }

    @Override
    public ImageSettings at(Path place) {
        return with(place.toAbsolutePath().normalize().toString(), outOfDistribution);
    }

    @Override
    public ImageSettings located() {
        return with(
                located(set),
                outOfDistribution.stream().map(ImageSettings::located).toList());
    }

    private static String located(String name) {
        return own(name) ? Path.of(name).toAbsolutePath().normalize().toString() : name;
    }

    /** Whether it is the path of files, not the name of a set that Kelvin knows. */
    private static boolean own(String name) {
        return !name.equals(DIGITS) && KnownSet.named(name).isEmpty();
    }

    /** The set that is learnt from; not those that it is only compared with. */
    @Override
    public List<String> cites() {
        return set.equals(DIGITS)
                ? List.of("alpaydin1998")
                : KnownSet.named(set).map(KnownSet::work).stream().toList();
    }

    private ImageSettings with(String otherSet, List<String> others) {
        return new ImageSettings(otherSet, low, high, noise, dequantise, augment, labelled, size, grey, others, count);
    }

    @Override
    public String origin() {
        return "images " + set;
    }

    @Override
    public String words() {
        String noisy = noise > 0 ? ", with noise of standard deviation " + Words.number(noise) : "";
        String some = count.isPresent() ? count.getAsInt() + " of " : "";
        return "The data are " + some + "the images of “" + title() + "”, in a new order in every epoch"
                + words(augment)
                + (dequantise ? ", dequantised" : "") + noisy + "."
                + labelled.map(Labelled::words).orElse("");
    }

    private static String words(List<Augmentation> augment) {
        return augment.isEmpty()
                ? ""
                : ", augmented: " + augment.stream().map(Augmentation::words).collect(Collectors.joining(", "));
    }

    @Override
    public boolean images() {
        return true;
    }

    @Override
    public boolean canHaveClasses() {
        return true;
    }

    @Override
    public boolean labelsApart() {
        return labelled.isPresent();
    }

    @Override
    public OptionalInt labelledBatch() {
        return labelled.map(Labelled::batch).orElse(OptionalInt.empty());
    }

    @Override
    public Data open(Key key, Device device) {
        return ImageDataset.open(this, key, device);
    }

    /** The label term's own batches: the same set in another order, with changes of its own. Source: Shah 2024, dual loaders. */
    @Doc("batches of their own for the cross-entropy (dual loaders), in a random order of their own")
    @Cites({"shah2024", "yang2023"})
    public record Labelled(
            @Doc(
                    "random augmentations of the images that the cross-entropy sees, applied in this order, such as [flip, {crop: {padding: 4}}]")
            @Default("[]")
            List<Augmentation> augment,

            @Doc(value = "the number of images in each of them", otherwise = "train's batch") @Cites("yang2023")
            OptionalInt batch) {
        public Labelled {
            augment = List.copyOf(augment);
            batch.ifPresent(given -> Check.atLeast("batch", given, 1));
        }

        String words() {
            return " The cross-entropy has batches of its own" + (batch.isPresent() ? " of " + batch.getAsInt() : "")
                    + ImageSettings.words(augment) + ".";
        }
    }
}

package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.Words;
import dev.kelvin.data.toy.ToyData;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What is learnt. */
public sealed interface DataSpec permits DataSpec.Toy, DataSpec.Images {
    /** What people call it. */
    String title();

    /** How many numbers a sample has, where the recipe alone tells. */
    OptionalInt dimensions();

    @Doc("fresh samples of a known density in the plane; also written {toy: rings}")
    record Toy(@Doc("which density") ToySet set) implements DataSpec {
        @Override
        public String title() {
            return Words.kebab(set.name());
        }

        @Override
        public OptionalInt dimensions() {
            return OptionalInt.of(2);
        }

        /** The data itself. */
        public ToyData data() {
            return ToyData.named(title());
        }
    }

    @Doc("images of one size")
    record Images(
            @Doc("digits, which ships with Kelvin, or the path of a file or folder (see 'kelvin data list')")
            String set,

            @Doc("what black becomes") @Default("-1") double low,

            @Doc("what white becomes") @Default("1") double high,

            @Doc("the standard deviation of noise added to every image") @Default("0")
            double noise,

            @Doc("whether each shade is spread over the space up to the next, so that the images have a density")
            @Default("false")
            boolean dequantise,

            @Doc("whether images are turned left to right by chance") @Default("false")
            boolean flip,

            @Doc("pixels by which images are padded before a crop by chance") @Default("0")
            int crop,

            @Doc(
                    value = "the least share of an image that a window by chance shows, in the image's full size",
                    otherwise = "there are no windows")
            OptionalDouble resizedCrop,

            @Doc("how far light and colours are changed by chance: 1 is SimCLR's strength") @Default("0")
            double jitter,

            @Doc("the share of images that lose their colours by chance") @Default("0")
            double greyscale,

            @Doc("the side to which a folder's pictures are cropped and resized; 0 keeps the size that all have")
            @Default("0")
            int size,

            @Doc("whether a folder's pictures become grey") @Default("false")
            boolean grey,

            @Doc("other sets, by name or path, whose f the report shows beside: can the model tell them?")
            @Default("[]")
            List<String> foreign)
            implements DataSpec {
        public Images {
            foreign = List.copyOf(foreign);
            Check.all(
                    () -> Check.require(!set.isBlank(), "set", "must name a set or a path"),
                    () -> Check.finite("low", low),
                    () -> Check.finite("high", high),
                    () -> Check.notNegative("noise", noise),
                    () -> Check.atLeast("crop", crop, 0),
                    () -> resizedCrop.ifPresent(share -> Check.within("resizedCrop", share, LEAST_WINDOW, 1)),
                    () -> Check.within("jitter", jitter, 0, 1),
                    () -> Check.within("greyscale", greyscale, 0, 1),
                    () -> Check.atLeast("size", size, 0));
            Check.require(
                    low < high,
                    "high",
                    "must be above low, " + ScalarText.format(low) + ", found " + ScalarText.format(high));
        }

        /** Of an image's area: less is hardly a pixel. */
        private static final double LEAST_WINDOW = 0.01;

        /** A set as it is, in [0, 1]. */
        public static Images plain(String set) {
            return new Images(set, 0, 1, 0, false, false, 0, OptionalDouble.empty(), 0, 0, 0, false, List.of());
        }

        @Override
        public String title() {
            return set;
        }

        /** The images' size is in their file. */
        @Override
        public OptionalInt dimensions() {
            return OptionalInt.empty();
        }
    }

    /** The densities in the plane. */
    enum ToySet {
        GMM,
        RINGS,
        FOUR_GAUSSIANS,
        SPIRAL,
        MOONS,
        CHECKERBOARD,
        PINWHEEL
    }
}

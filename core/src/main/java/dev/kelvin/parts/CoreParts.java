package dev.kelvin.parts;

import dev.kelvin.PartProvider;
import dev.kelvin.data.augment.ColourJitter;
import dev.kelvin.data.augment.Crop;
import dev.kelvin.data.augment.Dequantisation;
import dev.kelvin.data.augment.Flip;
import dev.kelvin.data.augment.GaussianNoise;
import dev.kelvin.data.augment.Greyscale;
import dev.kelvin.data.augment.ResizedCrop;
import dev.kelvin.data.format.Cifar;
import dev.kelvin.data.format.Idx;
import dev.kelvin.data.format.ImageFolder;
import dev.kelvin.data.format.NpyImages;
import dev.kelvin.data.format.Svhn;
import dev.kelvin.data.toy.Checkerboard;
import dev.kelvin.data.toy.Pinwheel;
import dev.kelvin.data.toy.Toys;
import dev.kelvin.energy.Banana;
import dev.kelvin.energy.CorrelatedGaussian;
import dev.kelvin.energy.EasyFunnel;
import dev.kelvin.energy.Funnel;
import dev.kelvin.energy.ModesOnCircle;
import dev.kelvin.energy.Normal;
import dev.kelvin.energy.Rings;
import dev.kelvin.energy.TwoWells;
import java.util.List;
import java.util.stream.Stream;

/** The library's own parts, in the order in which people want to see them. */
public final class CoreParts implements PartProvider {
    private static final List<?> KERNELS = List.of();

    private static final List<?> NETWORKS = List.of();

    private static final List<?> OBJECTIVES = List.of();

    private static final List<?> OPTIMISERS = List.of();

    private static final List<?> STARTS = List.of();

    private static final List<?> TARGETS = List.of(
            Normal.class,
            CorrelatedGaussian.class,
            Funnel.class,
            EasyFunnel.class,
            Banana.class,
            TwoWells.class,
            ModesOnCircle.class,
            Rings.class);

    private static final List<?> TOYS = List.of(
            Toys.gmm(),
            Toys.rings(),
            Toys.fourGaussians(),
            Toys.spiral(),
            Toys.moons(),
            new Checkerboard(),
            new Pinwheel());

    private static final List<?> FORMATS =
            List.of(Cifar.class, Idx.class, Svhn.class, NpyImages.class, ImageFolder.class);

    private static final List<?> AUGMENTATIONS = List.of(
            Flip.class,
            Crop.class,
            ResizedCrop.class,
            ColourJitter.class,
            Greyscale.class,
            GaussianNoise.class,
            Dequantisation.class);

    private static final List<?> FIGURES = List.of();

    @Override
    public List<?> parts() {
        return Stream.of(
                        KERNELS,
                        NETWORKS,
                        OBJECTIVES,
                        OPTIMISERS,
                        STARTS,
                        TARGETS,
                        TOYS,
                        FORMATS,
                        AUGMENTATIONS,
                        FIGURES)
                .<Object>flatMap(List::stream)
                .toList();
    }
}

package dev.kelvin.parts;

import dev.kelvin.PartProvider;
import dev.kelvin.negative.Start;
import dev.kelvin.objective.Columned;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Robust;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.sample.Decay;
import dev.kelvin.sample.GradientDescent;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Psgld;
import dev.kelvin.sample.ReplicaExchange;
import dev.kelvin.sample.Svgd;
import dev.kelvin.sample.TemperedMala;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.ChannelsLast;
import dev.kelvin.nn.ClassGains;
import dev.kelvin.nn.FeatureNet;
import dev.kelvin.nn.Generator;
import dev.kelvin.nn.Igebm;
import dev.kelvin.nn.ImprovedCd;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.ResidualMlp;
import dev.kelvin.nn.Resnet;
import dev.kelvin.nn.ShortRun;
import dev.kelvin.nn.WideResnet;
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
    private static final List<?> KERNELS = List.of(
            Langevin.class,
            GradientDescent.class,
            Mala.class,
            TemperedMala.class,
            Psgld.class,
            Hmc.class,
            Svgd.class,
            ReplicaExchange.class,
            Decay.Polynomial.class,
            Decay.Cosine.class);

    private static final List<?> NETWORKS = List.of(
            Mlp.class,
            ResidualMlp.class,
            ShortRun.class,
            Igebm.class,
            ImprovedCd.class,
            WideResnet.class,
            Resnet.class,
            Generator.class,
            FeatureNet.class,
            ClassGains.class,
            Bfloat16.class,
            ChannelsLast.class);

    private static final List<?> OBJECTIVES = List.of(
            Contrastive.class,
            Robust.class,
            Columned.CdCe.class,
            Columned.JointCd.class,
            Columned.ConditionalCd.class,
            Columned.CrossEntropy.class,
            Columned.Columns.class);

    private static final List<?> OPTIMISERS = List.of(
            Sgd.class,
            Adam.class,
            Adamw.class,
            Schedule.Constant.class,
            Schedule.Step.class,
            Schedule.Milestones.class,
            Schedule.Exponential.class,
            Schedule.Cosine.class,
            Schedule.Linear.class);

    private static final List<?> STARTS =
            List.of(Start.GaussianStart.class, Start.UniformStart.class, Start.DataStart.class, Start.BatchStart.class);

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

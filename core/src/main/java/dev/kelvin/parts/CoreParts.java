package dev.kelvin.parts;

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
import dev.kelvin.data.toy.Toys;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.diagnostic.EffectiveSampleSize;
import dev.kelvin.diagnostic.Rhat;
import dev.kelvin.energy.analytic.Banana;
import dev.kelvin.energy.analytic.CorrelatedGaussian;
import dev.kelvin.energy.analytic.Funnel;
import dev.kelvin.energy.analytic.ModesOnCircle;
import dev.kelvin.energy.analytic.Normal;
import dev.kelvin.energy.analytic.Rings;
import dev.kelvin.energy.analytic.TwoWells;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.MaximumMeanDiscrepancy;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.ProjectedGradient;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.metric.SteinDiscrepancy;
import dev.kelvin.metric.figure.Declaration;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.metric.figure.TrainingFigures;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.metric.image.InceptionScore;
import dev.kelvin.metric.image.KernelDistance;
import dev.kelvin.negative.GeneratorStart;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.ClassGains;
import dev.kelvin.nn.GaussianBase;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.ResidualMlp;
import dev.kelvin.nn.SquaredNorm;
import dev.kelvin.nn.conv.FeatureNet;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ImprovedCd;
import dev.kelvin.nn.conv.PreactResnet;
import dev.kelvin.nn.conv.ResidualGenerator;
import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.Sngan;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.objective.BinaryCrossEntropy;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Kl;
import dev.kelvin.objective.Robust;
import dev.kelvin.objective.Trimmed;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Sam;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.part.PartProvider;
import dev.kelvin.sample.Annealed;
import dev.kelvin.sample.Decay;
import dev.kelvin.sample.GradientDescent;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Psgld;
import dev.kelvin.sample.ReplicaExchange;
import dev.kelvin.sample.SteinLangevin;
import dev.kelvin.sample.Svgd;
import dev.kelvin.sample.TemperedMala;
import java.util.List;
import java.util.stream.Stream;

/** The library's own parts, in the order in which people want to see them. */
public final class CoreParts implements PartProvider {
    private static final List<?> PARTS = List.of(
            // kernels
            Langevin.class,
            GradientDescent.class,
            Mala.class,
            TemperedMala.class,
            Psgld.class,
            Hmc.class,
            JitteredHmc.class,
            Svgd.class,
            SteinLangevin.class,
            ReplicaExchange.class,
            Annealed.class,
            Decay.Polynomial.class,
            Decay.Cosine.class,
            // networks
            Mlp.class,
            ResidualMlp.class,
            ShortRun.class,
            Igebm.class,
            ImprovedCd.class,
            WideResnet.class,
            Resnet.class,
            PreactResnet.class,
            Sngan.class,
            SquaredNorm.class,
            Generator.class,
            ResidualGenerator.class,
            FeatureNet.class,
            ClassGains.class,
            Bfloat16.class,
            GaussianBase.class,
            // objectives
            Contrastive.class,
            Robust.class,
            JointObjective.CdCe.class,
            JointObjective.JointCd.class,
            JointObjective.ConditionalCd.class,
            JointObjective.CrossEntropy.class,
            JointObjective.Custom.class,
            Trimmed.class,
            BinaryCrossEntropy.class,
            Kl.class,
            // optimisers and schedules
            Sgd.class,
            Adam.class,
            Adamw.class,
            Sam.class,
            Schedule.Constant.class,
            Schedule.Step.class,
            Schedule.Milestones.class,
            Schedule.Exponential.class,
            Schedule.Cosine.class,
            Schedule.Linear.class,
            // starts
            Start.GaussianStart.class,
            Start.UniformStart.class,
            Start.DataStart.class,
            Start.BatchStart.class,
            Start.ClassGaussianStart.class,
            GeneratorStart.class,
            // targets
            Normal.class,
            CorrelatedGaussian.class,
            Funnel.class,
            Banana.class,
            TwoWells.class,
            ModesOnCircle.class,
            Rings.class,
            // toy sets
            Toys.gmm(),
            Toys.rings(),
            Toys.fourGaussians(),
            Toys.spiral(),
            Toys.moons(),
            Toys.checkerboard(),
            Toys.pinwheel(),
            // image formats
            Cifar.class,
            Idx.class,
            Svhn.class,
            NpyImages.class,
            ImageFolder.class,
            // augmentations
            Flip.class,
            Crop.class,
            ResizedCrop.class,
            ColourJitter.class,
            Greyscale.class,
            GaussianNoise.class,
            Dequantisation.class);

    private static final List<?> FIGURES = List.of(
            Declaration.of(GridDensity.class),
            Declaration.of(SampleDistance.class),
            Declaration.of(FrechetDistance.class),
            Declaration.of(KernelDistance.class),
            Declaration.of(InceptionScore.class),
            Declaration.of(HeldOut.class),
            Declaration.of(TableFigures.class),
            MaximumMeanDiscrepancy.class,
            SteinDiscrepancy.class,
            Declaration.of(OutOfDistribution.class),
            Declaration.of(Calibration.class),
            Declaration.of(ProjectedGradient.class),
            Declaration.of(Rhat.class),
            Declaration.of(EffectiveSampleSize.class),
            Declaration.of(ChainFigures.class),
            Declaration.of(ModelFigures.class),
            Declaration.of(TrainingFigures.class));

    @Override
    public List<?> parts() {
        return Stream.of(PARTS, FIGURES).<Object>flatMap(List::stream).toList();
    }
}

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
import dev.kelvin.data.toy.Checkerboard;
import dev.kelvin.data.toy.Pinwheel;
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
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.metric.figure.TrainingFigures;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.metric.image.InceptionScore;
import dev.kelvin.metric.image.KernelDistance;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.ClassGains;
import dev.kelvin.nn.GaussianBase;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.ResidualMlp;
import dev.kelvin.nn.conv.FeatureNet;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ImprovedCd;
import dev.kelvin.nn.conv.PreactResnet;
import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Kl;
import dev.kelvin.objective.Robust;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Sam;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.part.PartProvider;
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
    private static final List<?> KERNELS = List.of(
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
            PreactResnet.class,
            Generator.class,
            FeatureNet.class,
            ClassGains.class,
            Bfloat16.class,
            GaussianBase.class);

    private static final List<?> OBJECTIVES = List.of(
            Contrastive.class,
            Robust.class,
            JointObjective.CdCe.class,
            JointObjective.JointCd.class,
            JointObjective.ConditionalCd.class,
            JointObjective.CrossEntropy.class,
            JointObjective.Custom.class,
            Kl.class);

    private static final List<?> OPTIMISERS = List.of(
            Sgd.class,
            Adam.class,
            Adamw.class,
            Sam.class,
            Schedule.Constant.class,
            Schedule.Step.class,
            Schedule.Milestones.class,
            Schedule.Exponential.class,
            Schedule.Cosine.class,
            Schedule.Linear.class);

    private static final List<?> STARTS = List.of(
            Start.GaussianStart.class,
            Start.UniformStart.class,
            Start.DataStart.class,
            Start.BatchStart.class,
            Start.ClassGaussianStart.class);

    private static final List<?> TARGETS = List.of(
            Normal.class,
            CorrelatedGaussian.class,
            Funnel.class,
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

    private static final List<?> FIGURES = List.of(
            GridDensity.KL,
            GridDensity.TOTAL_VARIATION,
            SampleDistance.SAMPLE_TV,
            SampleDistance.SAMPLE_TV_FLOOR,
            SampleDistance.TRAINING_TV,
            SampleDistance.TRAINING_TV_FLOOR,
            SampleDistance.LONG_SAMPLE_TV,
            SampleDistance.LONG_SAMPLE_TV_FLOOR,
            FrechetDistance.FID,
            FrechetDistance.FID_TRAINING,
            FrechetDistance.FID_GAUSSIAN,
            FrechetDistance.FID_SHARE,
            FrechetDistance.FID_BUFFER,
            FrechetDistance.FID_INFINITY,
            KernelDistance.KID,
            KernelDistance.KID_SPREAD,
            KernelDistance.KID_INFINITY,
            InceptionScore.INCEPTION_SCORE,
            InceptionScore.OF_DATA,
            HeldOut.LOG_LIKELIHOOD,
            HeldOut.ERROR,
            HeldOut.TRUE_LOG_LIKELIHOOD,
            TableFigures.LOWER,
            TableFigures.UPPER,
            TableFigures.OF_GAUSSIAN,
            TableFigures.SCORE,
            TableFigures.MARGINAL,
            TableFigures.MARGINAL_FLOOR,
            TableFigures.CORRELATION,
            TableFigures.LOG_Z,
            TableFigures.EFFECTIVE,
            ModelFigures.LOG_Z_GAP,
            ModelFigures.LOG_Z_LOWER,
            ModelFigures.LOG_Z_UPPER,
            ModelFigures.LOG_Z_MAX,
            ModelFigures.LOG_Z_LAST,
            ModelFigures.LEARNT_LOG_LIKELIHOOD,
            ModelFigures.KL_MEAN,
            ModelFigures.FID_WITHOUT_PRIOR,
            ModelFigures.RECONSTRUCTION,
            ModelFigures.INTEGRATED,
            ModelFigures.INTEGRATED_ERROR,
            ModelFigures.CORRECTED,
            ModelFigures.IMPORTANCE,
            ModelFigures.IMPORTANCE_ERROR,
            ModelFigures.GRADIENT_VARIANCE,
            ModelFigures.GRADIENT_VARIANCE_OVER_DRAWS,
            ModelFigures.MS_PER_STEP,
            ModelFigures.CPU_MS_PER_STEP,
            ModelFigures.FLOPS_PER_STEP,
            MaximumMeanDiscrepancy.OfSamples.class,
            SteinDiscrepancy.OfSamples.class,
            OutOfDistribution.AUROC,
            OutOfDistribution.AUROC_AGAINST,
            TableFigures.AUPR,
            OutOfDistribution.AUPR_AGAINST,
            OutOfDistribution.FPR95_AGAINST,
            OutOfDistribution.AUROC_BY_MAX_P,
            OutOfDistribution.AUPR_BY_MAX_P,
            OutOfDistribution.FPR95_BY_MAX_P,
            OutOfDistribution.AUROC_BY_GRADIENT,
            OutOfDistribution.AUPR_BY_GRADIENT,
            OutOfDistribution.FPR95_BY_GRADIENT,
            OutOfDistribution.AUROC_TEST_TRAIN,
            Calibration.ACCURACY,
            Calibration.BEST_ACCURACY,
            Calibration.ERROR,
            Calibration.NLL,
            Calibration.BRIER,
            Calibration.ECE,
            Calibration.ECE_20,
            Calibration.SAMPLE_ACCURACY,
            Calibration.CLASS_SAMPLE_ACCURACY,
            Calibration.ACCURACY_REFINED,
            ProjectedGradient.ACCURACY_LINF,
            ProjectedGradient.ACCURACY_LINF_REFINED,
            ProjectedGradient.ACCURACY_L2,
            ProjectedGradient.ACCURACY_L2_REFINED,
            Rhat.RHAT,
            Rhat.RHAT_LOW,
            Rhat.RHAT_HIGH,
            Rhat.RANK_RHAT,
            Rhat.CLASSIC_RHAT,
            EffectiveSampleSize.ESS,
            EffectiveSampleSize.ESS_BULK,
            EffectiveSampleSize.ESS_TAIL,
            ChainFigures.ACCEPTANCE,
            ChainFigures.ENERGY_ERROR,
            ChainFigures.SWAP_RATES,
            ChainFigures.STEP_SIZE,
            ChainFigures.ESS_PER_SECOND,
            ChainFigures.GRADIENTS_PER_EFFECTIVE_DRAW,
            ChainFigures.GRADIENTS,
            ChainFigures.SECONDS,
            ModelFigures.EFFECTIVE_NEGATIVES,
            ModelFigures.LIGHTER_HALF,
            ModelFigures.GRAD_SCALE,
            ModelFigures.POSITIVE_WEIGHT,
            ModelFigures.STEP_RATIO,
            ModelFigures.STEP_MISFIT,
            GridDensity.EDGE_MASS,
            GridDensity.SHIFT_X,
            GridDensity.SHIFT_Y,
            SampleDistance.SAMPLE_SHIFT_X,
            SampleDistance.SAMPLE_SHIFT_Y,
            OutOfDistribution.F_AT,
            ModelFigures.TEMPERATURE,
            ModelFigures.SAMPLES,
            ModelFigures.BUFFER_SAMPLES,
            ModelFigures.DIVERGED,
            ModelFigures.DIVERGED_AT,
            TrainingFigures.LOSS,
            TrainingFigures.GAP,
            TrainingFigures.POSITIVE,
            TrainingFigures.NEGATIVE,
            TrainingFigures.SQUARES,
            TrainingFigures.CROSS_ENTROPY,
            TrainingFigures.ENTROPY,
            TrainingFigures.KL_TERM,
            TrainingFigures.NEIGHBOUR_DISTANCE,
            TrainingFigures.ALPHA,
            TrainingFigures.SHARPNESS,
            TrainingFigures.BETA,
            TrainingFigures.GRADIENT_NORM,
            TrainingFigures.LEARNING_RATE);

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

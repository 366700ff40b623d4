package dev.kelvin.parts;

import dev.kelvin.PartProvider;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.diagnostic.EffectiveSampleSize;
import dev.kelvin.diagnostic.Rhat;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.FrechetDistance;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.InceptionScore;
import dev.kelvin.metric.KernelDistance;
import dev.kelvin.metric.MaximumMeanDiscrepancy;
import dev.kelvin.metric.ModelFigures;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.metric.SteinDiscrepancy;
import dev.kelvin.metric.TrainingFigures;
import java.util.List;
import java.util.stream.Stream;

/** The library's own parts, in the order in which people want to see them. */
public final class CoreParts implements PartProvider {
    private static final List<?> KERNELS = List.of();

    private static final List<?> NETWORKS = List.of();

    private static final List<?> OBJECTIVES = List.of();

    private static final List<?> OPTIMISERS = List.of();

    private static final List<?> STARTS = List.of();

    private static final List<?> TARGETS = List.of();

    private static final List<?> TOYS = List.of();

    private static final List<?> FORMATS = List.of();

    private static final List<?> AUGMENTATIONS = List.of();

    private static final List<?> FIGURES = List.of(
            GridDensity.KL,
            GridDensity.TOTAL_VARIATION,
            SampleDistance.SAMPLE_TV,
            SampleDistance.SAMPLE_TV_FLOOR,
            SampleDistance.LONG_SAMPLE_TV,
            SampleDistance.LONG_SAMPLE_TV_FLOOR,
            FrechetDistance.FID,
            FrechetDistance.FID_GAUSSIAN,
            FrechetDistance.FID_BUFFER,
            FrechetDistance.FID_INFINITY,
            KernelDistance.KID,
            KernelDistance.KID_SPREAD,
            KernelDistance.KID_INFINITY,
            InceptionScore.INCEPTION_SCORE,
            HeldOut.LOG_LIKELIHOOD,
            HeldOut.ERROR,
            HeldOut.TRUE_LOG_LIKELIHOOD,
            ModelFigures.LOG_Z_GAP,
            ModelFigures.LOG_Z_LOWER,
            ModelFigures.LOG_Z_UPPER,
            ModelFigures.LOG_Z_MAX,
            ModelFigures.LOG_Z_LAST,
            ModelFigures.KL_MEAN,
            MaximumMeanDiscrepancy.OfSamples.class,
            SteinDiscrepancy.OfSamples.class,
            OutOfDistribution.AUROC,
            OutOfDistribution.AUROC_AGAINST,
            OutOfDistribution.AUPR_AGAINST,
            OutOfDistribution.FPR95_AGAINST,
            OutOfDistribution.AUROC_TEST_TRAIN,
            Calibration.ACCURACY,
            Calibration.NLL,
            Calibration.BRIER,
            Calibration.ECE,
            Calibration.SAMPLE_ACCURACY,
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
            TrainingFigures.LOSS,
            TrainingFigures.GAP,
            TrainingFigures.POSITIVE,
            TrainingFigures.NEGATIVE,
            TrainingFigures.SQUARES,
            TrainingFigures.CROSS_ENTROPY,
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

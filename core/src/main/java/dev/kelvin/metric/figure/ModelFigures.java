package dev.kelvin.metric.figure;

import java.util.Arrays;

/** Figures of models and objectives, which have no metric of their own: normalisers, noise levels, weights, counts. */
public final class ModelFigures {
    // ---- normalisers, by annealed importance sampling in both directions

    public static final Figure LOG_Z_LOWER = Figure.of("log_z_lower", "Lower bound of log Z", "nats")
            .meaning(
                    "By annealed importance sampling from a Gaussian to the model: the mean log-weight less three standard errors.")
            .citing("neal2001", "grosse2015");

    public static final Figure LOG_Z_UPPER = Figure.of("log_z_upper", "Upper bound of log Z", "nats")
            .meaning(
                    "By annealed importance sampling backwards, from the model's samples to a Gaussian. It is valid only if those samples are from the model.")
            .citing("neal2001", "grosse2015");

    public static final Figure LOG_Z_GAP = Figure.of("log_z_gap", "Gap between the bounds of log Z", "nats")
            .meaning("How precisely the normaliser is known: the upper bound minus the lower one.")
            .lower(0.1, 1)
            .citing("neal2001", "grosse2015");

    // ---- latent models

    public static final Figure RECONSTRUCTION = Figure.of("reconstruction", "Reconstruction error")
            .meaning(
                    "The mean squared error per pixel between an image and its reconstruction from a posterior sample of its latent vector; in evaluations of held-out images.")
            .lower();

    public static final Figure INTEGRATED = Figure.of(
                    "integrated_log_likelihood", "log p(x) by thermodynamic integration", "nats")
            .meaning(
                    "The mean of log p(x): the log-likelihood integrated over temperatures from the prior to the posterior. In"
                            + " evaluations of held-out images by exact chains; in training of each batch by short ones.")
            .higher()
            .citing("friel2008", "calderhead2009");

    public static final Figure INTEGRATED_ERROR = Figure.of(
                    "integrated_log_likelihood_error", "Standard error of log p(x)", "nats")
            .meaning("The standard error of that mean, over images.");

    public static final Figure CORRECTED = Figure.of("corrected_log_likelihood", "log p(x), corrected integral", "nats")
            .meaning(
                    "The same with the divergences between neighbouring temperatures, of Gaussians with the chains' moments.")
            .higher();

    public static final Figure IMPORTANCE = Figure.of(
                    "importance_log_likelihood", "log p(x) by annealed importance sampling", "nats")
            .meaning(
                    "The mean of log p(x) by annealed importance sampling from the prior to the posterior; a lower bound in the"
                            + " mean.")
            .higher()
            .citing("neal2001");

    public static final Figure IMPORTANCE_ERROR = Figure.of(
                    "importance_log_likelihood_error",
                    "Standard error of log p(x) by annealed importance sampling",
                    "nats")
            .meaning("The standard error of that mean, over images.");

    public static final Figure GRADIENT_VARIANCE = Figure.of(
                    "gradient_variance", "Variance of the gradient over parameters")
            .meaning(
                    "The quantity of Raj and Girolami 2024: the variance, over all parameters of the prior and the generator, of one batch's gradient; in"
                            + " evaluations the mean over batches at the end of training.")
            .citing("raj2024");

    public static final Figure GRADIENT_VARIANCE_OVER_DRAWS = Figure.of(
                    "gradient_variance_over_draws", "Variance of the gradient over draws")
            .meaning(
                    "The variance of a parameter's gradient over draws of the batch and of the chains at the end of training, in the mean"
                            + " over parameters: the noise of the gradient.");

    public static final Figure FID_WITHOUT_PRIOR = Figure.of("fid_without_prior", "FID without the learnt prior")
            .meaning("FID of samples from the Gaussian without the learnt prior, which should do better.")
            .lower()
            .citing("heusel2017");

    // ---- what a step takes

    public static final Figure MS_PER_STEP = Figure.of("ms_per_step", "Time per step", "ms")
            .meaning(
                    "The median wall-clock time of a training step, on the machine that trained and under its other load.");

    public static final Figure CPU_MS_PER_STEP = Figure.of("cpu_ms_per_step", "CPU time per step", "ms")
            .meaning(
                    "The median CPU time of the training thread per step, which moves one half of the chains where they are moved in two: it depends little on the machine's other load. It does not include a GPU's time.");

    public static final Figure FLOPS_PER_STEP = Figure.of("flops_per_step", "Floating-point operations per step")
            .meaning(
                    "An estimate from the layers and the number of passes through them, a gradient counting as another pass; it does not depend on the machine.");

    // ---- time-joint models

    public static final Figure LOG_Z_MAX = Figure.of("log_z_max", "Largest |log Z| over all noise levels", "nats")
            .meaning(
                    "A time-joint model should be normalised by itself at every noise level, starting from the reference; this is the error at the worst one.")
            .lower(0.1, 0.5);

    public static final Figure LOG_Z_LAST = Figure.of("log_z_last", "log Z at the data", "nats")
            .meaning("log Z of the density without noise, which should be 0.")
            .nearZero();

    public static final Figure LEARNT_LOG_LIKELIHOOD = Figure.of(
                    "learnt_log_likelihood", "Log-likelihood by the learnt normaliser", "nats")
            .meaning(
                    "The mean of log p(x) over held-out images with the noise of training, by the normaliser that a time-joint"
                            + " model has learnt; log Z at the data, bounded by annealed importance sampling, says how far that"
                            + " is off.")
            .higher()
            .citing("anonymous-time");

    public static final Figure KL_MEAN = Figure.of("kl_mean", "KL(data‖model), mean over noise levels", "nats")
            .meaning("The mean of KL(data‖model) at noise levels from the reference to the data.")
            .lower(0.1, 0.5);

    public static final Figure STITCHING_ERROR = Figure.of(
                    "stitching_error", "Error of log p(z|t) at the draws of an earlier time", "nats")
            .meaning(
                    "The mean of |log p̂(z|t) − log p(z|t)| where z is drawn from the time before t among seven from the reference to"
                            + " the data: how accurate each time's density is where chains come from when they are annealed. Both"
                            + " normalised on a grid.")
            .lower()
            .citing("anonymous-time");

    public static final Figure STEP_RATIO = Figure.of("step_ratio", "Step size in units of the noise")
            .meaning(
                    "The median over noise levels of the adapted step μ over the noise βσ in z; 0.4 is reported in Thinking Fourth"
                            + " Dimensionally.");

    public static final Figure STEP_RATIO_FIRST = Figure.of(
                    "step_ratio_first", "Step size in units of the noise, t = 0")
            .meaning("The adapted step μ over the noise βσ in z at the first time, where z is noise alone.");

    public static final Figure STEP_RATIO_EARLY = Figure.of(
                    "step_ratio_early", "Step size in units of the noise, a quarter of the way")
            .meaning("The adapted step μ over the noise βσ in z at a quarter of the times.");

    public static final Figure STEP_RATIO_LATE = Figure.of(
                    "step_ratio_late", "Step size in units of the noise, three quarters of the way")
            .meaning("The adapted step μ over the noise βσ in z at three quarters of the times.");

    public static final Figure STEP_MISFIT = Figure.of("step_misfit", "Relative difference of step sizes from 0.4βσ")
            .meaning(
                    "The median over noise levels of |μ/0.4βσ − 1|: how far the adapted steps lie from those reported in"
                            + " Thinking Fourth Dimensionally.")
            .lower();

    // ---- the robust objective's weights

    public static final Figure EFFECTIVE_NEGATIVES = Figure.of("effective_negatives", "Effective number of negatives")
            .meaning(
                    "1/Σw₋² of a batch under the robust objective: all of them where the weights are equal, 1 where one"
                            + " negative has all the weight.")
            .higher();

    public static final Figure LIGHTER_HALF = Figure.of("lighter_half", "Weight of the lighter half of the negatives")
            .meaning(
                    "The share of the robust objective's weight that the lighter half of the negatives has; a half where all"
                            + " weights are equal. If it is small, most chains end where the model has no mass.")
            .atLeast(0.02);

    public static final Figure GRAD_SCALE = Figure.of("grad_scale", "GradScale")
            .meaning("mean(1 − w₊): the share of the gradient that the robust objective uses; at 0 nothing is learnt.")
            .atLeast(0.05);

    public static final Figure POSITIVE_WEIGHT = Figure.of("w_positive", "Mean weight of the positives")
            .meaning("mean w₊: the weight that a positive would have among the negatives under the robust objective.");

    // ---- how it was measured

    public static final Figure TEMPERATURE = Figure.of("temperature", "Sampling temperature T")
            .meaning("The chains sample exp(f/T), T = σ²/2h, and that density is evaluated.");

    public static final Figure ROUNDING = Figure.of("rounding", "Rounding error of f/T", "nats")
            .meaning(
                    "Half a unit in the last place of the largest |f| at the data, over T: f is computed in float, and a low"
                            + " temperature magnifies what its rounding leaves to chance. From about 0.1 on, acceptances, weights"
                            + " and densities at this temperature are noise.")
            .lower(0.01, 0.1);

    /** Of these values of f. */
    public static double rounding(double[] f, double temperature) {
        double largest = Arrays.stream(f).map(Math::abs).max().orElse(Double.NaN);
        return Math.ulp((float) largest) / 2 / temperature;
    }

    public static final Figure SAMPLES =
            Figure.of("n", "Number of samples").meaning("How many samples the distances between features are by.");

    public static final Figure BUFFER_SAMPLES = Figure.of("n_buffer", "Number of chains of the replay buffer")
            .meaning("How many of them the FID of the replay buffer is by.");

    public static final Figure GAUSSIAN_SAMPLES = Figure.of("n_gaussian", "Number of samples of the fitted Gaussian")
            .meaning("How many samples its FID, KID and Inception score are by.");

    public static final Figure TEST_SAMPLES = Figure.of("n_test", "Number of held-out images beside the samples")
            .meaning("How many held-out images their FID, KID and Inception score are by.");

    public static final Figure CLASS_SAMPLES = Figure.of("n_class", "Number of samples of given classes")
            .meaning("How many samples of given classes the feature classifier saw.");

    public static final Figure BUFFER_UNLIKELY = Figure.of("buffer_unlikely", "Unlikely chains of the replay buffer")
            .meaning(
                    "The share of the replay buffer's chains at which f is lower than at 99 % of training images: chains that are"
                            + " still near their start, or have left the images. Of chains of the data it is 0.01.")
            .lower();

    public static final Figure DIVERGED = Figure.of("diverged", "Diverged")
            .meaning(
                    "1 where training broke and may not go back once more (train.guard.retries), otherwise 0. It breaks at a number"
                            + " that is not finite, or where |f₊ − f₋| lies beyond train.guard.bound for train.guard.patience"
                            + " iterations in a row.")
            .lower();

    public static final Figure DIVERGED_AT = Figure.of("diverged_at", "Diverged at step")
            .meaning("The step at which the run broke for the last time it was allowed to.");

    public static final Figure STEPS_TRAINED = Figure.of("steps_trained", "Iterations before divergence")
            .meaning(
                    "The step at which the run broke for the last time it was allowed to; of a run that did not diverge, all of its"
                            + " iterations. In studies.")
            .higher();

    private ModelFigures() {}
}

package dev.kelvin.metric.figure;

/** What is logged at each step of training; none of it measures how good the model is. */
public final class TrainingFigures {
    public static final Figure LOSS = Figure.of("loss", "Loss")
            .meaning(
                    "The training objective. An energy-based model's is no measure of its quality: it should fluctuate around a constant, not fall.");

    public static final Figure GAP = Figure.of("gap", "f₊ − f₋")
            .meaning(
                    "The mean of f at the data minus that at the negatives. Healthy training keeps it near 0; a drift means that the sampler does not keep up with the model.")
            .nearZero();

    public static final Figure POSITIVE = Figure.of("f_positive", "f₊, at the data")
            .meaning("The mean of f at the data: only differences of f matter.");

    public static final Figure NEGATIVE = Figure.of("f_negative", "f₋, at the negatives")
            .meaning("The mean of f at the negatives: only differences of f matter.");

    public static final Figure SQUARES =
            Figure.of("l2", "L2 penalty on f").meaning("The part of the loss that keeps f near 0.");

    public static final Figure CROSS_ENTROPY = Figure.of("cross_entropy", "Cross-entropy", "nats")
            .meaning("−mean log p(k|x) of the class or the noise level that a sample has: the label term of the loss.")
            .lower();

    public static final Figure ENTROPY = Figure.of("entropy", "Entropy of the samples, weighted")
            .meaning(
                    "−weight·mean f(negatives): the part of the loss that is meant as the samples' entropy. It has no lower bound.");

    public static final Figure KL_TERM = Figure.of("kl_term", "KL term")
            .meaning(
                    "The weighted energy of the samples, minus their entropy where that is included: the part of the loss whose gradient is backpropagated through the sampler. Its value alone says little, as f has an arbitrary constant.");

    public static final Figure NEIGHBOUR_DISTANCE = Figure.of(
                    "neighbour_log_distance", "Log distance to the nearest neighbour", "nats")
            .meaning(
                    "The mean logarithm of the L2 distance from the chains' ends to the nearest of some samples of the replay"
                            + " buffer, an estimate of their entropy: it falls where samples become alike.")
            .higher();

    public static final Figure ALPHA = Figure.of("alpha", "α")
            .meaning(
                    "The smoothing factor at this step: the generative part of the loss is divided by it, so that its gradient keeps a"
                            + " set ratio to the label term's.");

    public static final Figure SHARPNESS = Figure.of("sharpness", "Sharpness")
            .meaning(
                    "How much the loss rises along the ascent step of sharpness-aware minimisation: the smaller, the wider the"
                            + " minimum.")
            .lower();

    public static final Figure DISPLACEMENT = Figure.of("displacement", "Mean squared displacement of the particles")
            .meaning(
                    "The mean over particles and coordinates of the squared difference between where they start in an iteration and where its steps leave them: how far they explore (Shah 2024, section 5.1).");

    public static final Figure GENERATOR_ERROR = Figure.of("generator_error", "Error of the generator of starts")
            .meaning(
                    "The mean squared difference per pixel between where a chain started, at the generator's image as it is now, and where it ended: how much the chains still change.")
            .lower();

    public static final Figure BETA = Figure.of("beta", "β").meaning("The robust objective's β at this step.");

    public static final Figure GRADIENT_NORM = Figure.of("gradient_norm", "Norm of the gradient")
            .meaning("The norm of the gradient of the loss with respect to the parameters, before clipping.");

    public static final Figure LEARNING_RATE =
            Figure.of("learning_rate", "Learning rate").meaning("Of the parameters, at this step of the schedule.");

    private TrainingFigures() {}
}

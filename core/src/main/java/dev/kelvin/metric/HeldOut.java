package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;

/**
 * The mean log-likelihood of samples that a model has not seen, (1/n) Σ f(xᵢ) − log Z, in nats; its negative is the
 * cross-entropy, KL(data‖model) plus the data's own entropy.
 *
 * @param mean NaN or infinite where f is at a sample
 * @param standardError the sample standard deviation over √n
 */
public record HeldOut(double mean, double standardError) {
    public static final Figure ERROR = Figure.of(
                    "log_likelihood_error", "Standard error of the held-out log-likelihood", "nats")
            .meaning("From the finite number of held-out samples.");

    public static final Figure LOG_LIKELIHOOD = Figure.of("log_likelihood", "Held-out log-likelihood", "nats")
            .meaning("Mean log-density, under the model, of data that it was not trained on.")
            .higher()
            .withError(ERROR);

    public static final Figure TRUE_LOG_LIKELIHOOD = Figure.of(
                    "true_log_likelihood", "Log-likelihood of the true density", "nats")
            .meaning(
                    "The mean log-density of the same held-out data under the true density: the best that a model can reach, up to sampling noise.");

    /** The samples in the type and place that f takes. */
    public static HeldOut of(LogDensity f, double logNormaliser, Tensor samples) {
        double[] values = Batches.values(f, samples);
        if (values.length < 2) {
            throw new InvalidInputException("a held-out likelihood takes two samples or more, found " + samples);
        }
        double mean = 0; // Welford
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            double move = values[i] - mean;
            mean += move / (i + 1);
            squares += move * (values[i] - mean);
        }
        if (!Arrays.stream(values)
                .allMatch(Double::isFinite)) { // Welford makes NaN of infinities, a plain sum keeps -infinity
            mean = Arrays.stream(values).sum();
        }
        double error = Math.sqrt(squares / (values.length - 1) / values.length);
        return new HeldOut(mean - logNormaliser, error);
    }
}

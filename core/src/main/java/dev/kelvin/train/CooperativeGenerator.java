package dev.kelvin.train;

import dev.kelvin.metric.figure.TrainingFigures;
import dev.kelvin.negative.GeneratedStarts;
import dev.kelvin.negative.LearningStart;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A generator of where chains start, trained beside the model that they run on.
 *
 * <pre>
 * x₀ = G(z), z ~ N(0, I)      the chain starts
 * x                           it ends, under the model as it is
 * θ_G ← θ_G − η∇ mean ‖G(z) − x‖²     over the step's chains, x held still
 * </pre>
 *
 * <p>Norms look at the batch in both places. Chains after training start at the image that the averaged parameters make,
 * where there is an average, with running statistics.
 *
 * <p>Source: Xie et al. 2018, algorithm 1; Hill et al. 2022.
 */
public final class CooperativeGenerator implements LearningStart {
    private static final String GRADIENT_NORM = "generator_gradient_norm";

    private final Network network;
    private final Descent descent;
    private final GeneratedStarts judged;

    /** Takes over the descent, and closes it with itself; {@code latent} is the dimension of z. */
    public CooperativeGenerator(Network network, int latent, Descent descent) {
        this.network = network;
        this.descent = descent;
        this.judged = new GeneratedStarts(network, latent, descent::averaged);
    }

    @Override
    public Tensor draw(Key key, int count) {
        return judged.draw(key, count);
    }

    @Override
    public Tensor latents(Key key, int count) {
        return judged.latents(key, count);
    }

    @Override
    public Tensor begun(Tensor latents) {
        try (NoGrad noGrad = NoGrad.open()) {
            return network.inTraining(descent.parameters(), latents);
        }
    }

    @Override
    public Map<String, Double> learn(long iteration, Tensor latents, Tensor ends) {
        try (Scope scope = Scope.open()) {
            Pullback images = network.pullback(descent.parameters(), latents);
            double error = images.output().detach().minus(ends).square().mean().item();
            Tensor gradient = descent.climbed(
                    gradient(images, ends), () -> gradient(network.pullback(descent.parameters(), latents), ends));
            Map<String, Double> step = new LinkedHashMap<>();
            descent.step(gradient, iteration, step);
            network.advance(descent.parameters(), latents);
            return Map.of(
                    TrainingFigures.GENERATOR_ERROR.name(),
                    error,
                    GRADIENT_NORM,
                    step.getOrDefault(StepReport.GRADIENT_NORM, Double.NaN));
        }
    }

    /** Of the mean over samples of the squared distance. */
    private static Tensor gradient(Pullback images, Tensor ends) {
        Tensor apart = images.output().detach().minus(ends);
        return images.gradient().apply(apart.timesInPlace(2.0 / ends.size(0)));
    }

    /** What moves its parameters. */
    public Descent descent() {
        return descent;
    }

    @Override
    public void save(State state) {
        descent.save(state);
    }

    @Override
    public void load(State state) {
        descent.load(state);
    }

    @Override
    public void close() {
        descent.close();
    }
}

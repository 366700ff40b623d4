package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Map;

/**
 * Metropolis-adjusted Langevin: proposes as {@link Langevin} does and accepts so that exp(f/T) is exactly invariant.
 *
 * <p>y = x + h∇f(x) + σξ, accepted with probability min(1, exp(f(y)/T − f(x)/T)·q(x|y)/q(y|x)), q(·|x) = N(x + h∇f(x),
 * σ²). Tied, T = σ²/(2h), the drift points where exp(f/T) grows and small steps are nearly always accepted. Untied, the
 * chain is still exact for exp(f/T), but σ and h answer to no one density: paper 001's image runs (h = 100, σ = 1e-4, T
 * = 1, so σ²/(2h) = 5e-11) refuse everything.
 *
 * <p>Source: paper 001, section on MALA. Differs from the paper: it prints the ratio with E itself and ∇log E; the
 * ratio here is Roberts and Tweedie's (1996).
 */
public record Mala(double stepSize, double noise, double temperature) implements StepSized<Evaluated> {
    /** Numbers up to which Java is faster than a few operations on tensors. */
    private static final int FEW = 4096;

    public Mala {
        Check.positive("stepSize", stepSize);
        Check.positive("temperature", temperature);
        Check.positive("noise", noise);
    }

    /** Noise tied to the step: σ = √(2hT). */
    public Mala(double stepSize, double temperature) {
        this(stepSize, tied(stepSize, temperature), temperature);
    }

    private static double tied(double stepSize, double temperature) {
        return Math.sqrt(2 * Check.positive("stepSize", stepSize) * Check.positive("temperature", temperature));
    }

    @Override
    public Mala withStepSize(double other) {
        return new Mala(other, noise * Math.sqrt(other / stepSize), temperature);
    }

    @Override
    public Evaluated start(LogDensity target, Tensor x) {
        return Evaluated.at(target, x);
    }

    @Override
    public Transition<Evaluated> step(Key key, LogDensity target, Evaluated from) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Tensor noisy = Tensors.normalLike(keys[0], noise, from.x());
            Evaluated to = start(target, noisy.plus(from.x()).addInPlace(from.gradient(), stepSize));
            double[] here = from.value().toDoubles();
            double[] there = to.value().toDoubles();
            return from.orProposal(
                    scope, keys[1], to, here, there, logAcceptance(from, to, noisy, here, there), Map.of());
        }
    }

    /**
     * log of exp(f(y)/T − f(x)/T)·q(x|y)/q(y|x) for each chain, where noisy = y − x − h∇f(x), which is written over;
     * the probability is its exponential, at most 1.
     */
    double[] logAcceptance(Evaluated x, Evaluated y, Tensor noisy) {
        return logAcceptance(x, y, noisy, x.value().toDoubles(), y.value().toDoubles());
    }

    private double[] logAcceptance(Evaluated x, Evaluated y, Tensor noisy, double[] here, double[] there) {
        double[] log = noisy.count() <= FEW ? proposalRatio(x, y, noisy) : proposalRatioByTensors(x, y, noisy);
        for (int i = 0; i < log.length; i++) {
            log[i] = (there[i] - here[i]) / temperature - stepSize / (noise * noise) * log[i];
        }
        return log;
    }

    // log q(x|y) - log q(y|x) = (|n|^2 - |n + h s|^2) / 2 sigma^2 = -h s.(n + h s / 2) / sigma^2
    // n = noisy, s = grad f(x) + grad f(y); told is s.(n + h s / 2)

    private double[] proposalRatio(Evaluated x, Evaluated y, Tensor noisy) {
        double[] here = x.gradient().toDoubles();
        double[] there = y.gradient().toDoubles();
        double[] n = noisy.toDoubles();
        double[] ratio = new double[(int) noisy.size(0)];
        int width = n.length / ratio.length;
        for (int i = 0; i < n.length; i++) {
            double s = here[i] + there[i];
            ratio[i / width] += s * (n[i] + stepSize / 2 * s);
        }
        return ratio;
    }

    private double[] proposalRatioByTensors(Evaluated x, Evaluated y, Tensor noisy) {
        try (NoGrad noGrad = NoGrad.open()) {
            Tensor s = x.gradient().plus(y.gradient());
            return noisy.addInPlace(s, stepSize / 2)
                    .timesInPlace(s)
                    .sumPerSample()
                    .toDoubles();
        }
    }
}

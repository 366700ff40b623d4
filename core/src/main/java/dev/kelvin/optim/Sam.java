package dev.kelvin.optim;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Sharpness-aware minimisation around any optimiser: its step from θ is taken with the gradient at θ + e, where e climbs the
 * loss by a {@link Climb} of length ρ, so that minima are wide. Choose it where a classifier is too sure of itself. A step
 * costs two passes; both see the same positives and negatives, so chains run once.
 *
 * <p>Gradient limit, weight decay and schedule are those of the optimiser inside, on the gradient at θ + e. What is not trained,
 * such as running statistics, does not climb, and moves once a step.
 *
 * <p>Sources: Foret 2021; Kwon 2021 for the adaptive form.
 */
@Doc(
        "sharpness-aware minimisation (SAM) around another optimiser: it descends by the gradient at the worst nearby point")
@Cites("foret2021")
public record Sam(
        @Doc("the optimiser that takes the step") Optimiser by,

        @Doc("ρ, the radius of the neighbourhood") @Default("0.05")
        double rho,

        @Doc("adaptive SAM: the neighbourhood is scaled by each parameter's size, and ρ is larger, such as 0.5 or 2")
        @Default("false")
        @Cites("kwon2021")
        boolean adaptive)
        implements Optimiser {
    public Sam {
        Check.all(
                () -> Check.positive("rho", rho),
                () -> Check.require(
                        by == null || by.climb().isEmpty(), "by", "must be an optimiser that does not climb itself"));
    }

    @Override
    public double learningRate() {
        return by.learningRate();
    }

    @Override
    public double weightDecay() {
        return by.weightDecay();
    }

    @Override
    public Schedule schedule() {
        return by.schedule();
    }

    @Override
    public OptionalDouble clipNorm() {
        return by.clipNorm();
    }

    @Override
    public Optional<Climb> climb() {
        return Optional.of(new Climb(rho, adaptive));
    }

    @Override
    public OptimiserState start(Tensor parameters) {
        return by.start(parameters);
    }

    @Override
    public String words() {
        return by.words() + " with " + (adaptive ? "adaptive " : "") + "sharpness-aware minimisation (ρ = "
                + dev.kelvin.part.Words.number(rho) + ")";
    }

    /**
     * The climb of sharpness-aware minimisation: the move, of length ρ, along which the loss rises fastest.
     *
     * <p>e = ρ·g/‖g‖; adaptive, which does not depend on the scale of the weights, e = ρ·p²g/‖|p|·g‖ for parameters p.
     *
     * <p>Sources: Foret 2021, equation 2; Kwon 2021, equation 3.
     */
    public record Climb(double rho, boolean adaptive) {
        /** The move from these parameters along this gradient; none where the gradient has no length, or is not finite. */
        public Optional<Tensor> move(Tensor parameters, Tensor gradient) {
            try (Scope scope = Scope.open()) {
                Tensor scaled = adaptive ? parameters.abs().timesInPlace(gradient) : gradient;
                double length = scaled.norm().item();
                if (!(length > 0) || Double.isInfinite(length)) {
                    return Optional.empty();
                }
                Tensor direction = adaptive ? scaled.timesInPlace(parameters.abs()) : gradient.copy();
                return Optional.of(scope.keep(direction.timesInPlace(rho / length)));
            }
        }
    }
}

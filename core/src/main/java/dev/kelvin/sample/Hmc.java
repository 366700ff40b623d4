package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Map;

/**
 * Hamiltonian Monte Carlo: a random push, then a ball rolling on −f for some leapfrog steps; exact for exp(f/T). Crosses
 * correlated and high-dimensional densities in far fewer gradients than {@link Mala}, which is its case of one leap
 * (MALA's h is half the square of ε here).
 *
 * <pre>
 * p ~ N(0, TM);  leaps times: p += ½ε∇f(x), x += εM⁻¹p, p += ½ε∇f(x)
 * accepted with probability min(1, exp((H(start) − H(end))/T)),  H = −f(x) + ½pᵀM⁻¹p
 * </pre>
 *
 * <p>ε is the step size times 1 + {@code jitter}·u, u uniform on [−1, 1), the same for all chains: without jitter a
 * trajectory can close on itself. M is the diagonal {@code mass}, one number a coordinate, or 1 if the list is empty:
 * 1/variance makes all coordinates equally wide.
 *
 * <p>Source: Neal 2011, section 5.3.
 */
@Doc("Hamiltonian Monte Carlo, exact for exp(f/T)")
@Cites("neal2011")
public record Hmc(
        @Doc("ε, the leapfrog step") double stepSize,

        @Doc("leapfrog steps per proposal") @Default("10") int leaps,

        @Doc("the relative random jitter of ε") @Default("0.1")
        double jitter,

        @Doc("the mass of each coordinate; all 1 if the list is empty") @Default("[]")
        List<Double> mass,

        @Doc("T, the temperature") @Default("1") double temperature)
        implements StepSized<Evaluated> {
    /** Where it moves furthest for its cost, with some room: Beskos et al. (2013) have 0.651, Stan 0.8. */
    private static final double BEST_ACCEPTANCE = 0.8;

    public Hmc {
        List<Double> masses = List.copyOf(mass);
        Check.all(
                () -> Check.positive("stepSize", stepSize),
                () -> Check.atLeast("leaps", leaps, 1),
                () -> Check.within("jitter", jitter, 0, 1),
                () -> masses.forEach(each -> Check.positive("mass", each)),
                () -> Check.positive("temperature", temperature));
        mass = masses;
    }

    /** At T = 1 with unit mass and a jitter of a tenth. */
    public static Hmc of(double stepSize, int leaps) {
        return new Hmc(stepSize, leaps, 0.1, List.of(), 1);
    }

    /** ε itself, by which a leap carries a momentum of unit variance. */
    @Override
    public double stepLength() {
        return stepSize;
    }

    @Override
    public Hmc withStepSize(double other) {
        return new Hmc(other, leaps, jitter, mass, temperature);
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.exact(temperature).withMemoryless(true).withBestAcceptance(BEST_ACCEPTANCE);
    }

    @Override
    public String words() {
        return "Hamiltonian Monte Carlo with " + leaps + " leaps and " + Noise.words(stepSize)
                + Noise.words(traits().temperature());
    }

    @Override
    public void requireFit(long dimensions) {
        Check.require(
                mass.isEmpty() || mass.size() == dimensions,
                "mass",
                "must have one number for each of the " + dimensions + " coordinates, found " + mass.size());
    }

    @Override
    public Evaluated start(LogDensity target, Tensor x) {
        return Evaluated.at(target, x);
    }

    @Override
    public Transition<Evaluated> step(Key key, LogDensity target, Evaluated from) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(3);
            double epsilon = stepSize * (1 + jitter * (2 * keys[2].stream().nextDouble() - 1));
            requireFit(from.x().count() / Math.max(1, from.x().size(0)));
            Leapfrog flow = new Leapfrog(target, Metric.of(scales(), from.x()));
            Tensor push = Tensors.normalLike(keys[0], Math.sqrt(temperature), from.x());
            Leapfrog.Phase start = new Leapfrog.Phase(from, push);
            Leapfrog.Phase end = flow.run(start, leaps, epsilon);
            double[] before = start.energy();
            double[] log = end.energy();
            double error = 0;
            for (int i = 0; i < log.length; i++) {
                error += Math.abs(log[i] - before[i]) / log.length;
                log[i] = (before[i] - log[i]) / temperature;
            }
            Tensor mean = Tensors.of(new double[] {error}, 1);
            return from.metropolis(scope, keys[1], end.at(), log, Map.of(StepInfo.ENERGY_ERROR, mean));
        }
    }

    /** The metric whose L is M^(−½), so that p = L⁻¹v. */
    List<Double> scales() {
        return mass.stream().map(each -> 1 / Math.sqrt(each)).toList();
    }
}

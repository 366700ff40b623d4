package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * Hamiltonian dynamics by leapfrog steps: v += ½εLᵀ∇f(x), x += εLv, v += ½εLᵀ∇f(x). v = L⁻¹p is the velocity in the metric's
 * coordinates y = L⁻¹x; the mass in x is (LLᵀ)⁻¹.
 */
record Leapfrog(LogDensity target, Metric metric) {
    /** Positions, with f and ∇f there, and velocities in the metric's coordinates. */
    record Phase(Evaluated at, Tensor velocity) {
        /** H = −f(x) + ½|v|² of each chain. */
        double[] energy() {
            double[] energy = velocity.square().sumPerSample().toDoubles();
            double[] value = at.value().toDoubles();
            for (int i = 0; i < energy.length; i++) {
                energy[i] = energy[i] / 2 - value[i];
            }
            return energy;
        }
    }

    /** Takes {@code leaps} steps of size ε; the phase that is passed in stays as it was. */
    Phase run(Phase start, int leaps, double epsilon) {
        Tensor v = start.velocity.copy();
        Tensor x = start.at.x().contiguous().copy();
        metric.push(v, start.at.gradient(), epsilon / 2);
        metric.move(x, v, epsilon);
        for (int leap = 1; leap < leaps; leap++) {
            try (Scope scope = Scope.open()) {
                metric.push(v, target.gradient(x), epsilon);
                metric.move(x, v, epsilon);
            }
        }
        Evaluated at = Evaluated.at(target, x);
        metric.push(v, at.gradient(), epsilon / 2);
        return new Phase(at, v);
    }
}

package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Positions with f and ∇f there: [chains, ...], [chains], [chains, ...]. */
public record Evaluated(Tensor x, Tensor value, Tensor gradient) implements ChainState {
    /** Evaluates f and its gradient at x. */
    public static Evaluated at(LogDensity target, Tensor x) {
        ValueAndGradient at = target.valueAndGradient(x);
        return new Evaluated(x, at.value(), at.gradient());
    }

    @Override
    public List<Tensor> tensors() {
        return List.of(x, value, gradient);
    }

    /**
     * The Metropolis choice, made in Java, where a few numbers a chain take less time than an operation on tensors: each
     * chain goes to its proposal with probability min(1, exp(log)). A proposal where the density is not a number is
     * refused; a chain that already stands at one reports NaN.
     */
    Transition<Evaluated> metropolis(Scope scope, Key key, Evaluated to, double[] logs, Map<String, Tensor> more) {
        double[] here = value.toDoubles();
        double[] there = to.value.toDoubles();
        double[] next = new double[logs.length];
        RandomGenerator random = key.stream();
        float[] probability = new float[logs.length];
        boolean[] accepted = new boolean[logs.length];
        for (int i = 0; i < logs.length; i++) {
            accepted[i] = Math.log(random.nextDouble()) < logs[i];
            next[i] = accepted[i] ? there[i] : here[i];
            probability[i] = Double.isNaN(here[i])
                    ? Float.NaN
                    : Double.isNaN(logs[i]) ? 0 : (float) Math.exp(Math.min(0, logs[i]));
        }
        Evaluated chosen = new Evaluated(
                scope.keep(to.x.rowsWhere(accepted, x)),
                scope.keep(Tensors.like(value, next)),
                scope.keep(to.gradient.rowsWhere(accepted, gradient)));
        more.values().forEach(scope::keep);
        Tensor rate = scope.keep(Tensors.of(probability, probability.length));
        return new Transition<>(chosen, new StepInfo(Optional.of(rate), more));
    }

    /**
     * The Metropolis choice on the chains' device, without reading anything on the host, for chains on a GPU; {@code logs}
     * are doubles. −log u of a uniform u is half the squared radius of a normal point in the plane.
     */
    Transition<Evaluated> metropolis(Scope scope, Key key, Evaluated to, Tensor logs) {
        Tensor point = Tensors.normal(key, DType.DOUBLE, x.device(), x.size(0), 2);
        Tensor accepted = point.square().sum(1L).times(-0.5).lessThan(logs);
        Tensor rows = accepted.reshape(x.rowShape());
        Tensor capped = logs.clamp(-Double.MAX_VALUE, 0);
        Tensor probability = capped.exp().where(isNumber(capped), Tensors.zerosLike(capped));
        Tensor rates =
                probability.where(isNumber(value), value.to(DType.DOUBLE)).to(DType.FLOAT);
        Evaluated chosen = new Evaluated(
                scope.keep(to.x.where(rows, x)),
                scope.keep(to.value.where(accepted, value)),
                scope.keep(to.gradient.where(rows, gradient)));
        return new Transition<>(chosen, new StepInfo(Optional.of(scope.keep(rates)), Map.of()));
    }

    /** The proposal, whatever its acceptance, which is reported; {@code logs} are doubles. */
    Transition<Evaluated> taken(Scope scope, Evaluated to, Tensor logs) {
        Tensor capped = logs.clamp(-Double.MAX_VALUE, 0);
        Tensor probability = capped.exp().where(isNumber(capped), Tensors.zerosLike(capped));
        Tensor rates =
                probability.where(isNumber(value), value.to(DType.DOUBLE)).to(DType.FLOAT);
        to.tensors().forEach(scope::keep);
        return new Transition<>(to, new StepInfo(Optional.of(scope.keep(rates)), Map.of()));
    }

    /** True but where a number is NaN, which no clamp changes. */
    private static Tensor isNumber(Tensor numbers) {
        Tensor within = numbers.clamp(-1, 1);
        return within.lessThan(Tensors.full(2, within.dtype(), within.device(), 1));
    }
}

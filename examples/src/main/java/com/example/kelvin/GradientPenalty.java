package com.example.kelvin;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.Term;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.stream.LongStream;

/**
 * A penalty on the size of ∇f at the data, which keeps f smooth there: weight·mean ‖∇f(x₊)‖², by one random direction for
 * each sample.
 *
 * <p>value = weight·mean (f(x + εξ) − f(x))²/ε², ξ ~ N(0, I), whose expectation is the penalty up to terms in ε².
 */
@Doc("a penalty on the size of ∇f at the data")
public record GradientPenalty(
        @Doc("its weight") double weight,

        @Doc("ε, the length of the differences") @Default("0.05")
        double epsilon) implements Term {
    public GradientPenalty {
        Check.all(() -> Check.notNegative("weight", weight), () -> Check.positive("epsilon", epsilon));
    }

    @Override
    public Value of(Key key, EnergyModel model, Parameters parameters, Batch positives, DrawnNegatives negatives) {
        Tensor x = positives.x();
        Tensor moved = Tensors.normalLike(key, epsilon, x).addInPlace(x);
        long[] k = LongStream.concat(LongStream.of(positives.k()), LongStream.of(positives.k()))
                .toArray();
        Pullback f = model.pullback(parameters, Tensors.concat(0, moved, x), k); // f(xᵢ)_kᵢ, [2n]
        int n = positives.size();
        Tensor slopes = f.output()
                .narrow(0, 0, n)
                .minus(f.output().narrow(0, n, n))
                .over(epsilon)
                .detach();
        // ∂ mean (slope²)/∂f(moved) = 2 slope/(ε n), and minus that at x
        Tensor up = slopes.times(2 * weight / (epsilon * n));
        Tensor gradient = f.gradient().apply(Tensors.concat(0, up, up.negate()));
        return new Value(weight * slopes.square().mean().item(), gradient);
    }

    @Override
    public String words() {
        return "a penalty on the gradient of f at the data of weight " + weight;
    }
}

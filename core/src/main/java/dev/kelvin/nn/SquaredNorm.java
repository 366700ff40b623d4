package dev.kelvin.nn;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/**
 * A network whose every output is bounded above: another network gives a vector h_k for it, and f_k = −½‖h_k‖². Choose it where
 * f of the data runs away to infinity; the energy −f can't fall below 0.
 *
 * <p>Both ways back are the inner network's with the weights −v_k·h_k for the weight v_k of output k.
 *
 * <p>Source: Lee et al. 2023, section 3.1: E(x) = ½‖f(x)‖² of an f with 128 outputs, trained with an L2 penalty on E of weight
 * 1.
 */
@Doc("f = −½‖h‖², h being a vector of outputs of another network, so that f is bounded above by 0")
@Cites("lee2023")
public record SquaredNorm(
        @Doc("the network whose outputs are h") Network inner,

        @Doc("how many outputs h has, for each class where there are some") @Default("128")
        int size)
        implements WrappedNetwork {
    public SquaredNorm {
        Check.atLeast("size", size, 1);
    }

    @Override
    public SquaredNorm shaped(List<Long> shape, int outputs) {
        return new SquaredNorm(inner.shaped(shape, Memory.array(Float.BYTES, outputs, size)), size);
    }

    @Override
    public Tensor around(Forward network, Parameters parameters, Tensor input) {
        return bounded(network.of(parameters, input));
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor input) {
        return bounded(inner.pullback(parameters, input));
    }

    @Override
    public Pullback inputPullback(Parameters parameters, Tensor input) {
        return bounded(inner.inputPullback(parameters, input));
    }

    /** [n, outputs·size] -> [n, outputs]; the sum of squares in float, in whatever numbers the network computes. */
    private Tensor bounded(Tensor h) {
        Tensor wide = h.dtype() == DType.BFLOAT16 ? h.to(DType.FLOAT) : h;
        return wide.reshape(h.size(0), h.size(1) / size, size).square().sum(2L).times(-0.5);
    }

    private Pullback bounded(Pullback all) {
        try (NoGrad noGrad = NoGrad.open()) {
            Tensor h = all.output().detach();
            long n = h.size(0);
            long outputs = h.size(1) / size;
            return new Pullback(bounded(h), weights -> {
                Tensor each = weights.unsqueeze(2).times(h.reshape(n, outputs, size));
                return all.gradient().apply(each.times(-1).reshape(n, outputs * size));
            });
        }
    }

    @Override
    public String words() {
        return inner.words() + ", whose " + size + " outputs h give f = −½‖h‖²";
    }
}

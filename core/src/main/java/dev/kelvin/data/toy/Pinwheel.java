package dev.kelvin.data.toy;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.ExactSampler;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Five long blobs, bent like the sails of a pinwheel (Johnson et al. 2016): z ~ N((1, 0), diag(.3², .1²)), turned by
 * 2πk/5 + ¼ exp(|z|), k uniform, and doubled in size.
 *
 * <p>Differs from the paper's code: that turns by ¼ exp(z₁), we by ¼ exp(|z|), which looks the same, but turning by an
 * angle that depends only on the distance keeps areas. So the density is simply that of z, over the scale's square:
 *
 * <pre>f(x) = log (1/5) Σₖ N(R(−2πk/5 − ¼ exp(|x|/2)) x/2; (1, 0), diag(.3², .1²)) − log 4.</pre>
 */
final class Pinwheel implements LogDensity, ExactSampler {
    private static final int SAILS = 5;
    private static final double ALONG = 0.3;
    private static final double ACROSS = 0.1;
    private static final double TWIST = 0.25;
    private static final double SCALE = 2;
    static final Box DOMAIN = Box.square(0, 0, SCALE * (1 + 5 * ALONG));

    private static final double REACH = 4; // beyond ten standard deviations the twist stays: exp would overflow
    private static final double TINY = 1e-30; // gives |z| a gradient, 0, at the origin

    @Override
    public int dimension() {
        return 2;
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        double along = 1 + ALONG * random.nextGaussian();
        double across = ACROSS * random.nextGaussian();
        double angle = 2 * Math.PI * random.nextInt(SAILS) / SAILS
                + TWIST * Math.exp(Math.min(Math.hypot(along, across), REACH));
        double cos = Math.cos(angle);
        double sin = Math.sin(angle);
        point[0] = SCALE * (cos * along - sin * across);
        point[1] = SCALE * (sin * along + cos * across);
    }

    @Override
    public Tensor at(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor z = Constants.samples(x, 2).over(SCALE);
            Tensor first = z.select(1, 0);
            Tensor second = z.select(1, 1);
            Tensor twist =
                    z.square().sum(1L).plus(TINY).sqrt().clamp(0, REACH).exp().times(TWIST);
            List<Tensor> terms = new ArrayList<>();
            for (int k = 0; k < SAILS; k++) {
                Tensor angle = twist.plus(2 * Math.PI * k / SAILS);
                Tensor cos = angle.cos();
                Tensor sin = angle.sin();
                Tensor along = first.times(cos).plus(second.times(sin)).minus(1).over(ALONG);
                Tensor across = second.times(cos).minus(first.times(sin)).over(ACROSS);
                terms.add(along.square().plus(across.square()).times(-0.5));
            }
            double constant = Math.log(SAILS * 2 * Math.PI * ALONG * ACROSS * SCALE * SCALE);
            return scope.keep(Tensors.stack(1, terms).logSumExp(1).minus(constant));
        }
    }
}

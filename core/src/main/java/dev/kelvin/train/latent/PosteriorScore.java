package dev.kelvin.train.latent;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.energy.PowerPosterior;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;

/**
 * What a latent model says of samples: the mean of log p(x, z) = log p(x|z) + f(z) + log N(z; 0, σ₀²I) over the ends of a few
 * posterior chains for each, an unnormalised stand-in for log p(x). Chains draw by the row, so that an image has another score,
 * by some nats, where rows come in another order; it has no gradient.
 *
 * <p>Source: Pang et al. 2020, section 4.4, where it detects anomalies.
 */
record PosteriorScore(LatentModel model, Parameters alpha, Parameters beta, LatentLearner.Settings settings)
        implements Network {
    private static final int CHAINS = 4;
    private static final Key KEY = Key.of(0x5c03e);

    /** As a model's only component. */
    JointDensity table() {
        Layout none = layout();
        return EnergyModel.plain(this)
                .bind(new Parameters(none, Tensors.zerosLike(alpha.flat().narrow(0, 0, 0))));
    }

    @Override
    public Layout layout() {
        return new Layout(List.of());
    }

    @Override
    public Tensor apply(Parameters nothing, Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor rows = PowerChains.repeated(x, CHAINS);
            PowerPosterior density = model.posterior(alpha, beta, rows, PowerChains.perRow(new double[] {1}, rows));
            Key[] keys = KEY.split(2);
            Tensor start = Tensors.normal(keys[0], x.dtype(), x.device(), rows.size(0), settings.size())
                    .timesInPlace(settings.std());
            Tensor z = ChainRun.inHalves(keys[1], settings.kernel(), density, start, settings.steps())
                    .x();
            Tensor each = density.at(z).reshape(CHAINS, x.size(0));
            return scope.keep(each.mean(0L).to(x.dtype()).unsqueeze(1));
        }
    }

    @Override
    public Pullback inputPullback(Parameters nothing, Tensor x) {
        throw new UnsupportedOperationException(
                "the score of a latent model comes from chains and has no gradient with respect to the sample");
    }
}

package dev.kelvin.negative;

import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Images G(z) that a generator makes of latent vectors z ~ N(0, I).
 *
 * @param latent the dimension of z
 * @param parameters those of the generator, which may change while it learns
 */
public record GeneratedStarts(Network network, int latent, Supplier<Parameters> parameters) implements SampleSource {
    /** As many images as a generator makes with little memory. */
    private static final int AT_ONCE = 250;

    /** The latent vectors [count, latent] of what is drawn by the same key. */
    public Tensor latents(Key key, int count) {
        return Tensors.normal(key, DType.FLOAT, parameters.get().flat().device(), count, latent);
    }

    @Override
    public Tensor draw(Key key, int count) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor z = latents(key, count);
            List<Tensor> images = new ArrayList<>();
            for (int from = 0; from < count; from += AT_ONCE) {
                images.add(network.apply(parameters.get(), z.narrow(0, from, Math.min(AT_ONCE, count - from))));
            }
            return scope.keep(images.size() == 1 ? images.get(0) : Tensors.concat(0, images));
        }
    }
}

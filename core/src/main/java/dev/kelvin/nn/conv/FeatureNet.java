package dev.kelvin.nn.conv;

import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/**
 * A small classifier whose last but one layer serves as features, for figures such as FID: a {@link ShortRun} to the
 * features, its activation, and a linear layer to the classes' logits.
 */
public record FeatureNet(ShortRun trunk, int classes) implements Network {
    private static final String HEAD = "classes";

    public FeatureNet {
        Check.atLeast("classes", classes, 2);
    }

    @Override
    public Layout layout() {
        return trunk.layout()
                .and(new Layout.Builder().linear(HEAD, trunk.outputs(), classes).build());
    }

    /** An output is a class here. */
    @Override
    public FeatureNet shaped(List<Long> shape, int outputs) {
        return new FeatureNet(trunk.shaped(shape, trunk.outputs()), outputs);
    }

    @Override
    public boolean takesImages() {
        return trunk.takesImages();
    }

    /** The features, [n, trunk's outputs]. */
    public Tensor features(Parameters parameters, Tensor images) {
        return Scope.kept(() -> trunk.activation().apply(trunk.apply(parameters, images), trunk.slope()));
    }

    /** The classes' logits, [n, classes], of features. */
    public Tensor logits(Parameters parameters, Tensor features) {
        return parameters.linear(HEAD, features);
    }

    /** The classes' logits, [n, classes]. */
    @Override
    public Tensor apply(Parameters parameters, Tensor images) {
        return Scope.kept(() -> logits(parameters, features(parameters, images)));
    }
}

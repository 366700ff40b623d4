package dev.kelvin.data.augment;

import dev.kelvin.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** Adds independent normal noise, x + σξ, and leaves values that go beyond [0, 1] there. */
public record GaussianNoise(double noise) implements Augmentation {
    public GaussianNoise {
        Check.notNegative("noise", noise);
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        return Tensors.normalLike(key, noise, images).addInPlace(images);
    }
}

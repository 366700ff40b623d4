package dev.kelvin.data.augment;

import dev.kelvin.part.Check;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** Adds independent Gaussian noise, x + σξ, and leaves values that go beyond [0, 1] there. */
@Doc("Gaussian noise")
public record GaussianNoise(
        @Doc("standard deviation of the noise, where the distance from black to white is 1")
        double std) implements Augmentation {
    public GaussianNoise {
        Check.notNegative("std", std);
    }

    @Override
    public String words() {
        return "Gaussian noise of standard deviation " + Words.number(std);
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        return Tensors.normalLike(key, std, images).addInPlace(images);
    }
}

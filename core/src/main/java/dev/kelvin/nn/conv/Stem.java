package dev.kelvin.nn.conv;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Tensor;

/** What a residual network begins with, before its first block. */
public enum Stem {
    /** A 3×3 convolution, which keeps the images' size: for small images. */
    SMALL(0) {
        @Override
        Convolution convolution(String name, int inputs, int outputs) {
            return Convolution.small(name, inputs, outputs);
        }

        @Override
        Tensor pooled(Tensor features) {
            return features;
        }
    },

    /**
     * A 7×7 convolution of stride 2 and, after the activation, the maximum over 3×3 pixels with a stride of 2 (He et al. 2016):
     * what follows sees a sixteenth of the pixels.
     */
    IMAGENET(2) {
        @Override
        Convolution convolution(String name, int inputs, int outputs) {
            return new Convolution(name, inputs, outputs, WIDE, 2, WIDE / 2, true);
        }

        @Override
        Tensor pooled(Tensor features) {
            return features.maxPool3();
        }
    };

    private static final int WIDE = 7;

    private final int halvings;

    Stem(int halvings) {
        this.halvings = halvings;
    }

    /** How often it halves the images, rounding up. */
    int halvings() {
        return halvings;
    }

    /** As recipes and checkpoints write it: imagenet. */
    @JsonValue
    public String word() {
        return Words.kebab(name());
    }

    /** Its convolution. */
    abstract Convolution convolution(String name, int inputs, int outputs);

    /** What the first block sees of the convolution's output after the activation. */
    abstract Tensor pooled(Tensor features);
}

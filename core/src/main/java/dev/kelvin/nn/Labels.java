package dev.kelvin.nn;

import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** The classes of a batch's samples, in its order. */
public record Labels(long... numbers) {
    /** As [n, 1], where the batch lives. */
    Tensor indices(Tensor batch) {
        require(batch);
        return Tensors.of(numbers).to(batch.device()).unsqueeze(1);
    }

    /** 1 at each sample's class, else 0, in the shape of outputs [n, classes]. */
    Tensor oneHot(Tensor outputs) {
        return Tensors.of(numbers).to(outputs.device()).oneHot(outputs.size(1), outputs.dtype());
    }

    Labels require(Tensor batch) {
        if (batch.size(0) != numbers.length) {
            throw new IllegalArgumentException(
                    "there are " + numbers.length + " labels for the samples " + batch + "; expected one for each");
        }
        return this;
    }
}

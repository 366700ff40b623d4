package dev.kelvin.sample;

import dev.kelvin.tensor.Tensor;
import java.util.List;

/** Where many chains are: one row a chain, and what the next step needs besides. */
public interface ChainState {
    /** The positions [chains, ...]. */
    Tensor x();

    /** All tensors of the state, so that the code that runs the chain can keep or free them. */
    List<Tensor> tensors();

    /** Frees what the next state does not have, except for where the chains started. */
    default void free(ChainState next, Tensor start) {
        for (Tensor tensor : tensors()) {
            if (tensor != start && !next.tensors().contains(tensor)) {
                tensor.close();
            }
        }
    }
}

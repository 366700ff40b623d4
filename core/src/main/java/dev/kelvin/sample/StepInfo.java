package dev.kelvin.sample;

import dev.kelvin.tensor.Tensor;
import java.util.Optional;

/** What a person wants to know of a step: the probability with which each chain's proposal was accepted, [chains]. */
public record StepInfo(Optional<Tensor> acceptance) {
    /** Of a kernel that accepts without asking. */
    public static final StepInfo UNADJUSTED = new StepInfo(Optional.empty());
}

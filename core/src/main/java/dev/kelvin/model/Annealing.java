package dev.kelvin.model;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.anneal.AnnealedChainRun;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;

/**
 * Leads chains of a time-joint model through its times. Their steps are found on the way, for the acceptance that is asked
 * for, where there is one; otherwise they follow each time's noise.
 *
 * @param acceptance that steps are found for; without it, the kernel's step is scaled by each time's noise
 * @param rounds how many densities there are of each time but the first
 * @param steps how many on each of them
 */
public record Annealing(Model model, Kernel<?> kernel, OptionalDouble acceptance, int rounds, int steps) {
    /** From the first of these densities, where the chains are, on to those of the model's last time. */
    public ChainRun walk(Key key, List<LogDensity> densities, Tensor start, AnnealedChainRun.Observer observer) {
        return walk(key, densities, i -> Double.POSITIVE_INFINITY, start, observer);
    }

    /** From the first of these densities on, by steps on the i-th that are no longer than this where they are not found. */
    public ChainRun walk(
            Key key,
            List<LogDensity> densities,
            IntToDoubleFunction longest,
            Tensor start,
            AnnealedChainRun.Observer observer) {
        Optional<StepSized<?>> sized = StepSized.of(kernel);
        double[] noise = model.timeline().orElseThrow().firstSteps();
        int last = densities.size() - 1;
        AnnealedChainRun walk = acceptance.isPresent()
                ? AnnealedChainRun.adapting(
                        key, densities, sized.orElseThrow(), acceptance.getAsDouble(), start, steps, observer)
                : AnnealedChainRun.run(
                        key,
                        densities,
                        i -> model.chainSettings()
                                .inSets(sized.<Kernel<?>>map(one -> one.withStepSize(Math.min(
                                                one.stepSize() * noise[noise.length - 1 - (last - i) / rounds],
                                                longest.applyAsDouble(i))))
                                        .orElse(kernel)),
                        start,
                        steps,
                        observer);
        double[] accepted = Arrays.stream(walk.acceptance())
                .filter(rate -> !Double.isNaN(rate))
                .toArray();
        return new ChainRun(walk.x(), accepted, Map.of());
    }
}

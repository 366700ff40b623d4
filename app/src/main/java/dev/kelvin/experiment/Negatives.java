package dev.kelvin.experiment;

import dev.kelvin.Check;
import dev.kelvin.Doc;
import dev.kelvin.Words;
import dev.kelvin.negative.ColumnSteps;
import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.sample.Kernel;
import java.util.Optional;
import java.util.OptionalInt;

/** Where the model's samples come from: chains with a start, a kernel that moves them, and perhaps a memory. */
@Doc("where the model's samples come from: chains")
public record Negatives(
        @Doc("where chains start") Start start,

        @Doc("what moves the chains") Kernel<?> kernel,

        @Doc("how often it moves them in an iteration") Steps steps,

        @Doc(
                value = "a replay buffer, from which chains go on in the next iteration",
                otherwise = "every chain starts afresh")
        Optional<Buffer> buffer,

        @Doc(value = "the number of chains", otherwise = "train's batch")
        OptionalInt count,

        @Doc(
                value = "step sizes adapted to an acceptance while training goes on",
                otherwise = "the kernel's own step size")
        Optional<ColumnSteps.Adapt> adapt) {
    public Negatives {
        Check.all(
                () -> count.ifPresent(given -> Check.atLeast("count", given, 1)),
                () -> Check.require(
                        adapt == null
                                || adapt.isEmpty()
                                || kernel == null
                                || kernel.bestAcceptance().isPresent(),
                        "adapt",
                        "takes a kernel with a step size and an accept/reject step to adapt it by; this is "
                                + (kernel == null ? "none" : kernel.words())),
                () -> Check.require(
                        adapt == null || adapt.isEmpty() || steps == null || steps.from() > 0,
                        "steps",
                        "must be at least 1 to adapt them"));
    }

    /** T of the density exp(f/T) that the chains sample; 1 where they sample nothing. */
    public double temperature() {
        return kernel.targetTemperature().orElse(1);
    }

    /** The acceptance that step sizes are adapted to, wherever they are. */
    public double acceptance() {
        return adapt.map(ColumnSteps.Adapt::acceptance)
                .orElseGet(() -> kernel.bestAcceptance().orElse(0.6));
    }

    /** In words, for the report. */
    String words() {
        String adapted = adapt.map(setting -> ", the step size of each column adapted to an acceptance of "
                        + Words.number(setting.acceptance()))
                .orElse("");
        return "Samples of the model come from chains that start at " + start.words() + " and take " + steps.words()
                + " steps of " + kernel.words() + adapted + "."
                + buffer.map(Buffer::words).orElse(" Every draw starts new chains and forgets them.");
    }
}

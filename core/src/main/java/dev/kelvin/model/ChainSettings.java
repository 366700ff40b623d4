package dev.kelvin.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.Finish;
import dev.kelvin.negative.Start;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.ParticleSets;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The chains that a model's samples come from, in training and after it.
 *
 * @param steps the number of steps of a chain in an iteration, at the end of training
 * @param sampleSteps the number of steps of the fresh chains that are drawn after training; as many as in training where it is left out
 * @param buffer the number of chains in the replay buffer; 0 where chains begin afresh in each iteration
 * @param adapt the acceptance that step sizes are adapted to in training; the kernel's own step size where it is left out
 * @param byComponent whether each chain belongs to a component and samples f of it alone
 * @param together the number of chains in one iteration: particles that push each other are drawn in sets of as many
 * @param samplingScale 1 − β, the factor on f of the density that training's chains sample
 * @param finish what samples that are drawn after training have beside the steps of one chain
 */
public record ChainSettings(
        Start start,
        Kernel<?> kernel,
        int steps,
        OptionalInt sampleSteps,
        int buffer,
        Optional<ComponentSteps.Adapt> adapt,
        boolean byComponent,
        int together,
        double samplingScale,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Finish> finish) {
    /** From here on (1 − β)f is another density than f: at a low temperature β is a millionth, and changes nothing. */
    private static final double DIFFERS = 1e-3;

    /** The acceptance that step sizes are looked for at where the kernel names none. */
    private static final double ACCEPTANCE = 0.6;

    public ChainSettings {
        Check.all(
                () -> Check.atLeast("steps", steps, 0),
                () -> sampleSteps.ifPresent(given -> Check.atLeast("sampleSteps", given, 1)),
                () -> Check.atLeast("buffer", buffer, 0),
                () -> Check.atLeast("together", together, 1),
                () -> Check.require(
                        adapt.isEmpty() || kernel.traits().bestAcceptance().isPresent(),
                        "adapt",
                        "takes a kernel with a step size and an accept/reject step; this is " + kernel.words()));
    }

    /** Samples are where chains end. */
    public ChainSettings(
            Start start,
            Kernel<?> kernel,
            int steps,
            OptionalInt sampleSteps,
            int buffer,
            Optional<ComponentSteps.Adapt> adapt,
            boolean byComponent,
            int together,
            double samplingScale) {
        this(start, kernel, steps, sampleSteps, buffer, adapt, byComponent, together, samplingScale, Optional.empty());
    }

    /** With samples that are finished so. */
    public ChainSettings with(Finish last) {
        return new ChainSettings(
                start,
                kernel,
                steps,
                sampleSteps,
                buffer,
                adapt,
                byComponent,
                together,
                samplingScale,
                Optional.of(last));
    }

    /** How many rounds of steps fresh chains take after training. */
    public int rounds() {
        return finish.map(Finish::rounds).orElse(1);
    }

    /** Fresh chains of a plain model on f itself. */
    public static ChainSettings fresh(Start start, Kernel<?> kernel, int steps) {
        return new ChainSettings(start, kernel, steps, OptionalInt.empty(), 0, Optional.empty(), false, 1, 1);
    }

    /** With a replay buffer of this many chains. */
    public ChainSettings withBuffer(int chains) {
        return new ChainSettings(
                start, kernel, steps, sampleSteps, chains, adapt, byComponent, together, samplingScale, finish);
    }

    /** With step sizes that are adapted in training. */
    public ChainSettings withAdapt(double acceptance) {
        Optional<ComponentSteps.Adapt> wanted = Optional.of(new ComponentSteps.Adapt(acceptance));
        return new ChainSettings(
                start, kernel, steps, sampleSteps, buffer, wanted, byComponent, together, samplingScale, finish);
    }

    /** With another kernel at its own step size. */
    public ChainSettings withKernel(Kernel<?> other, int count) {
        return new ChainSettings(
                start,
                other,
                count,
                sampleSteps,
                buffer,
                Optional.empty(),
                byComponent,
                together,
                samplingScale,
                finish);
    }

    /** As a training with this batch and objective runs them, whose fresh samples take this many steps. */
    public ChainSettings in(int batch, double scale, OptionalInt fresh) {
        return new ChainSettings(start, kernel, steps, fresh, buffer, adapt, byComponent, batch, scale, finish);
    }

    /** The number of steps that chains from fresh starts take after training. */
    public int freshSteps() {
        return sampleSteps.orElse(steps);
    }

    /** The acceptance that step sizes are adapted to, wherever they are. */
    public double acceptance() {
        return adapt.map(ComponentSteps.Adapt::acceptance)
                .orElseGet(() -> kernel.traits().bestAcceptance().orElse(ACCEPTANCE));
    }

    /** Whether training's chains sample another density than the model's. */
    public boolean negativesDiffer() {
        return differs(samplingScale);
    }

    /** Whether this factor on f makes another density of it. */
    public static boolean differs(double scale) {
        return Math.abs(scale - 1) > DIFFERS;
    }

    /** Whether the chains sample a density exp(f/T) at all: without noise they only climb f. */
    public boolean hasTemperature() {
        OptionalDouble temperature = kernel.traits().temperature();
        return kernel.traits().temperatureVaries() || temperature.isPresent();
    }

    /** Whether chains push each other. */
    public boolean interacting() {
        return kernel.traits().interacting();
    }

    /** A kernel as samples are drawn with it: particles that push each other in sets as large as training's. */
    public Kernel<?> inSets(Kernel<?> other) {
        return ParticleSets.of(other, together);
    }

    private int set() {
        return interacting() ? together : 1;
    }

    /** The least number of whole sets of chains that holds this many. */
    public int wholeSets(int count) {
        return (count + set() - 1) / set() * set();
    }

    /** The largest number of chains in whole sets among those that are there; all of them where there is not even one set. */
    public int wholeSetsAmong(int there) {
        return there < set() ? there : there / set() * set();
    }
}

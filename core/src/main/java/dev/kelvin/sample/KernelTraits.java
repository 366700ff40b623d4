package dev.kelvin.sample;

import java.util.OptionalDouble;

/**
 * What the code that runs chains must know of a kernel. {@link #exact} and {@link #unadjusted} promise nothing that a kernel
 * need not keep; what more it can do is added to them.
 *
 * @param temperature T of the density exp(f/T) that the chains sample; empty where they sample none that is known
 * @param temperatureVaries whether the temperature differs from place to place, see {@link Kernel#temperatureAt}
 * @param adjusted whether proposals go through an accept/reject step
 * @param coupling whether chains depend on each other
 * @param recordable whether a step reads nothing on the host, as an accept/reject step in Java does, and takes nothing from
 *     there but the normal numbers of its key, so that a chain run on a GPU can be recorded
 * @param memoryless whether the state is the position alone, with f and ∇f there, so that starting a chain anew at any step
 *     changes nothing
 * @param bestAcceptance the acceptance at which the kernel moves furthest for its cost; empty for a kernel whose step size
 *     can't be adapted to an acceptance
 */
public record KernelTraits(
        OptionalDouble temperature,
        boolean temperatureVaries,
        boolean adjusted,
        Coupling coupling,
        boolean recordable,
        boolean memoryless,
        OptionalDouble bestAcceptance) {
    /** Whether the chains of a batch depend on each other. */
    public enum Coupling {
        /** Each chain moves as if it were alone, so that chains can be run in parts. */
        INDEPENDENT,
        /** Chains share a step size or a temperature that follows all of them. */
        SHARED_STEP,
        /** Chains push each other, so that all rows of a batch must be of one density. */
        PARTICLES
    }

    /** Of a kernel with an accept/reject step that is exact for exp(f/T). */
    public static KernelTraits exact(double temperature) {
        return of(OptionalDouble.of(temperature), true);
    }

    /** Of a kernel whose accept/reject step leaves no known density invariant. */
    public static KernelTraits inexact() {
        return of(OptionalDouble.empty(), true);
    }

    /** Of a kernel without an accept/reject step. */
    public static KernelTraits unadjusted(OptionalDouble temperature) {
        return of(temperature, false);
    }

    private static KernelTraits of(OptionalDouble t, boolean adjusted) {
        return new KernelTraits(t, false, adjusted, Coupling.INDEPENDENT, false, false, OptionalDouble.empty());
    }

    /** Whether proposals are accepted by a ratio that is exact for no known density. */
    public boolean judgedInexactly() {
        return adjusted && temperature.isEmpty();
    }

    /** Whether each chain moves as if it were alone. */
    public boolean independent() {
        return coupling == Coupling.INDEPENDENT;
    }

    /** Whether chains are particles that push each other. */
    public boolean interacting() {
        return coupling == Coupling.PARTICLES;
    }

    /** Returns a copy whose temperature differs from place to place, or not. */
    public KernelTraits withTemperatureVarying(boolean varies) {
        return new KernelTraits(temperature, varies, adjusted, coupling, recordable, memoryless, bestAcceptance);
    }

    /** Returns a copy with another coupling of the chains. */
    public KernelTraits withCoupling(Coupling other) {
        return new KernelTraits(
                temperature, temperatureVaries, adjusted, other, recordable, memoryless, bestAcceptance);
    }

    /** Returns a copy whose steps can be recorded on a GPU, or not. */
    public KernelTraits withRecordable(boolean is) {
        return new KernelTraits(temperature, temperatureVaries, adjusted, coupling, is, memoryless, bestAcceptance);
    }

    /** Returns a copy whose state is the position alone, or not. */
    public KernelTraits withMemoryless(boolean is) {
        return new KernelTraits(temperature, temperatureVaries, adjusted, coupling, recordable, is, bestAcceptance);
    }

    /** Returns a copy with the acceptance at which the kernel moves furthest for its cost. */
    public KernelTraits withBestAcceptance(double best) {
        return new KernelTraits(
                temperature, temperatureVaries, adjusted, coupling, recordable, memoryless, OptionalDouble.of(best));
    }
}

package dev.kelvin.recipe;

import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Kernel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * One source of a step's negatives, and what it refuses.
 *
 * @param at its place in the recipe: {@code negatives}, or {@code negatives.also.0}
 * @param count how many of a step's negatives it gives
 */
public record ChainSource(String at, int count, Start start, Kernel<?> kernel, Steps steps, Optional<Buffer> buffer) {
    /** Temperatures that are equal but for the rounding of σ²/(2h). */
    private static final double ROUNDING = 1e-9;

    /** Why a kernel with an accept/reject step takes floats. */
    static final String ROUNDED =
            "must be float with a kernel that has an accept/reject step: f in three digits decides nothing";

    /** Makes a check of every source. */
    static void each(List<ChainSource> sources, Consumer<ChainSource> check) {
        Check.all(sources.stream()
                .<Runnable>map(source -> () -> check.accept(source))
                .toArray(Runnable[]::new));
    }

    boolean first() {
        return at.equals("negatives");
    }

    /** The setting that says how many chains it has. */
    private String countedBy(boolean counted) {
        return !first() ? at + ".share" : counted ? "negatives.count" : "train.batch";
    }

    /** As many chains as it takes, and at the temperature of the first. */
    void checkBeside(ChainSource one, boolean counted) {
        Check.all(
                () -> Check.require(
                        count >= 1,
                        countedBy(counted),
                        first()
                                ? "leaves no chain to the first chains beside the shares of the others"
                                : "gives no chain: it must be at least 1 in " + one.count
                                        + " or so, the number of negatives"),
                () -> Check.require(
                        !kernel.traits().interacting() || count > 1 || count < 1,
                        countedBy(counted),
                        (first() ? "must be at least 2 with " : "must give at least 2 chains with ")
                                + Catalogue.name(kernel.getClass())
                                + ", whose particles push each other: one alone only climbs f"),
                () -> Check.require(
                        first()
                                || (same(
                                                kernel.traits().temperature(),
                                                one.kernel.traits().temperature())
                                        && !kernel.traits().temperatureVaries()),
                        one.kernel.traits().temperatureVaries() ? one.at + ".kernel" : at + ".kernel",
                        one.kernel.traits().temperatureVaries()
                                ? "cannot have further chains beside it, which are weighed as one set: "
                                        + withoutTemperature(one.kernel)
                                : "must sample at the temperature of the first chains, " + temperature(one.kernel)
                                        + ", because the negatives are weighed as one set; found "
                                        + temperature(kernel)));
    }

    /** Whether temperatures are equal, but for the rounding of a step and a noise. */
    private static boolean same(OptionalDouble one, OptionalDouble other) {
        return one.isPresent() == other.isPresent() && Math.abs(one.orElse(1) / other.orElse(1) - 1) < ROUNDING;
    }

    /** Why a kernel's chains have no one temperature. */
    static String withoutTemperature(Kernel<?> kernel) {
        return kernel.words()
                + (kernel.traits().temperatureVaries()
                        ? " and a noise of its own has another at every place; leave its noise out"
                        : " has none; give it noise");
    }

    static String temperature(Kernel<?> kernel) {
        return kernel.traits().temperatureVaries()
                ? "another at every place"
                : kernel.traits().temperature().isPresent()
                        ? Words.number(kernel.traits().temperature().getAsDouble())
                        : "none, for want of noise";
    }

    /** What has a number for each of the data's. */
    void checkFit(long dimensions) {
        Check.all(
                () -> Check.part(at + ".start." + Catalogue.name(start.getClass()), () -> start.requireFit(dimensions)),
                () -> Check.part(
                        at + ".kernel." + Catalogue.name(kernel.getClass()), () -> kernel.requireFit(dimensions)));
    }

    /** A start that times leave no sense to. */
    void checkStart(boolean time) {
        Check.require(
                !time || !(start instanceof Start.ClassGaussianStart),
                at + ".start",
                "cannot be class-gaussian where there is time: chains there are of noisy data; say 'start: batch'");
    }

    /** A start that latent vectors leave no sense to. */
    void checkLatent() {
        Check.require(
                start instanceof Start.GaussianStart || start instanceof Start.UniformStart,
                at + ".start",
                "must be gaussian or uniform where there are latent vectors, which no data are samples of");
    }

    void checkBuffer(boolean images, boolean time) {
        buffer.ifPresent(held -> Check.all(
                () -> Check.require(
                        held.size() >= count,
                        at + ".buffer.size",
                        "must be at least " + count + ", the number of negatives, found " + held.size()),
                () -> Check.require(
                        held.augment().isEmpty() || images,
                        at + ".buffer.augment",
                        "is for images, the data are points"),
                () -> Check.require(
                        !held.bytes() || images, at + ".buffer.bytes", "is for images, the data are points"),
                () -> Check.require(
                        !held.bytes() || !time || !images,
                        at + ".buffer.bytes",
                        "cannot be combined with time: noisy images leave the range that bytes cover"),
                () -> Check.require(
                        !held.weighted() || !kernel.traits().temperatureVaries(),
                        at + ".buffer.weighted",
                        "needs the temperature T of exp(f/T): " + withoutTemperature(kernel))));
    }

    /** Slots for each component, where chains keep theirs. */
    void checkComponents(boolean given, int components, String what) {
        buffer.ifPresent(held -> Check.require(
                !given || held.size() >= components,
                at + ".buffer.size",
                "must be at least " + what + ", found " + held.size()));
    }

    void checkNumbers(boolean rounded) {
        Check.require(!rounded || !kernel.traits().adjusted(), "train.precision", ROUNDED);
    }

    void checkParticles(boolean given) {
        Check.require(
                !given || !kernel.traits().interacting(),
                at + ".kernel",
                "cannot be combined with an objective on each component alone: its particles look at each other, whatever"
                        + " their component; let the objective compare the marginal (cd-ce)");
    }
}

package dev.kelvin.recipe;

import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.Finish;
import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.ParticleSets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Where the model's samples come from: chains with a start, a kernel that moves them, and perhaps a memory. */
@Doc("how the model is sampled: Markov chains")
public record Negatives(
        @Doc("where chains start") Start start,

        @Doc("the Markov kernel") Kernel<?> kernel,

        @Doc("the number of steps of each chain in an iteration")
        Steps steps,

        @Doc(
                value = "a replay buffer of persistent chains, which continue in the next iteration",
                otherwise = "every chain is reinitialised in each iteration")
        Optional<Buffer> buffer,

        @Doc(value = "the number of chains", otherwise = "train's batch")
        OptionalInt count,

        @Doc(
                value = "step sizes adapted to a target acceptance rate during training",
                otherwise = "the kernel's own step size")
        Optional<ComponentSteps.Adapt> adapt,

        @Doc(
                value =
                        "the number of steps of the chains that are evaluated and sampled after training, from fresh starts",
                otherwise = "as in training")
        OptionalInt sampleSteps,

        @Doc(
                "further chains that contribute a fraction of each batch's negatives, such as [{share: 0.25, start: data,"
                        + " kernel: {mala: {stepSize: 0.01}}, steps: 10}]; after training only the first chains are evaluated and sampled")
        @Default("[]")
        List<Further> also,

        @Doc(
                "the number of sets of equal size that particles which push each other are divided into, such as 10 sets of 30 with count: 300; after training, sets are as large; further chains are one set each")
        @Default("1")
        int sets,

        @Doc(
                value =
                        "the number of rounds of sampleSteps that the chains take which are evaluated and sampled after training, with images augmented by buffer.augment in between",
                otherwise = "once")
        @Cites("lee2023")
        OptionalInt sampleRounds,

        @Doc(
                value =
                        "σ of a last move x + σ²∇f/T of the samples that are evaluated and drawn after training, which takes noise of this standard deviation away",
                otherwise = "samples are where chains end")
        @Cites("zhu2024")
        OptionalDouble denoise) {
    /** Chains beside the recipe's first, which give a share of the negatives. */
    @Doc("further chains that contribute a fraction of the negatives, at the temperature of the first")
    public record Further(
            @Doc("their fraction of the negatives, above 0 and below 1")
            double share,

            @Doc("where they start") Start start,

            @Doc("the Markov kernel") Kernel<?> kernel,

            @Doc("the number of steps of each chain in an iteration")
            Steps steps,

            @Doc(value = "a replay buffer of their own", otherwise = "every chain is reinitialised in each iteration")
            Optional<Buffer> buffer) {
        public Further {
            Check.require(share > 0 && share < 1, "share", "must be above 0 and below 1, found " + Words.number(share));
        }

        String words() {
            return " " + Buffer.percent(share) + " % of the negatives come from further chains, which start at "
                    + start.words() + " and take " + steps.words() + " steps of " + kernel.words() + "."
                    + buffer.map(Buffer::words).orElse(" Chains are not persistent: each iteration starts new ones.");
        }
    }

    /** A source of {@code count} of a step's negatives, at its place in the recipe, such as {@code negatives.also.0}. */
    public record Source(String at, int count, Start start, Kernel<?> kernel, Steps steps, Optional<Buffer> buffer) {}

    public Negatives {
        also = List.copyOf(also);
        double shares = also.stream().mapToDouble(Further::share).sum();
        Check.all(
                () -> Check.require(
                        !(shares >= 1),
                        "also",
                        "must leave a share to the first chains: the shares add up to " + Words.number(shares)),
                () -> count.ifPresent(given -> Check.atLeast("count", given, 1)),
                () -> sampleSteps.ifPresent(given -> Check.atLeast("sampleSteps", given, 1)),
                () -> sampleRounds.ifPresent(given -> Check.atLeast("sampleRounds", given, 1)),
                () -> Check.positive("denoise", denoise),
                () -> Check.require(
                        adapt == null
                                || adapt.isEmpty()
                                || kernel == null
                                || kernel.traits().bestAcceptance().isPresent(),
                        "adapt",
                        "takes a kernel with a step size and an accept/reject step to adapt it by; this is "
                                + (kernel == null ? "none" : kernel.words())),
                () -> Check.require(
                        adapt == null || adapt.isEmpty() || steps == null || steps.from() > 0,
                        "steps",
                        "must be at least 1 to adapt them"),
                () -> Check.atLeast("sets", sets, 1),
                () -> Check.require(
                        sets == 1 || kernel == null || kernel.traits().interacting(),
                        "sets",
                        "are of particles that push each other, as of svgd; the chains of "
                                + (kernel == null ? "none" : kernel.words()) + " do not"));
    }

    /** Fresh chains take one round of steps, and samples are where they end. */
    public Negatives(
            Start start,
            Kernel<?> kernel,
            Steps steps,
            Optional<Buffer> buffer,
            OptionalInt count,
            Optional<ComponentSteps.Adapt> adapt,
            OptionalInt sampleSteps,
            List<Further> also,
            int sets) {
        this(
                start,
                kernel,
                steps,
                buffer,
                count,
                adapt,
                sampleSteps,
                also,
                sets,
                OptionalInt.empty(),
                OptionalDouble.empty());
    }

    /** What samples that are drawn after training have beside the steps of a chain, if anything. */
    public Optional<Finish> finish() {
        int rounds = sampleRounds.orElse(1);
        return rounds == 1 && denoise.isEmpty()
                ? Optional.empty()
                : Optional.of(new Finish(
                        rounds,
                        rounds == 1 ? List.of() : buffer.map(Buffer::augment).orElse(List.of()),
                        denoise));
    }

    /** The kernel that moves this many chains in training, in sets where there are several. */
    public Kernel<?> kernelOf(int chains) {
        return sets == 1 ? kernel : ParticleSets.of(kernel, chains / sets);
    }

    /** T of the density exp(f/T) that the chains sample; 1 where they sample nothing. */
    public double temperature() {
        return kernel.traits().temperature().orElse(1);
    }

    /** How many steps chains from fresh starts take that are judged and drawn. */
    public int freshSteps() {
        return sampleSteps.orElse(steps.last());
    }

    /** The sources of a number of negatives, the first being the recipe's own chains. */
    List<Source> sources(int negatives) {
        List<Source> all = new ArrayList<>();
        int rest = negatives;
        for (Further each : also) {
            int rows = (int) Math.round(each.share() * negatives);
            rest -= rows;
            all.add(new Source(
                    "negatives.also." + all.size(), rows, each.start(), each.kernel(), each.steps(), each.buffer()));
        }
        all.add(0, new Source("negatives", rest, start, kernel, steps, buffer));
        return all;
    }

    /** In words, for the report. */
    String words() {
        String adapted = adapt.map(
                        setting -> ", the step size of each component adapted to a target acceptance rate of "
                                + Words.number(setting.acceptance()))
                .orElse("");
        String first = "Samples of the model come from chains that start at " + start.words() + " and take "
                + steps.words() + " steps of " + kernel.words() + (sets > 1 ? " in " + sets + " sets" : "") + adapted
                + "."
                + buffer.map(Buffer::words).orElse(" Chains are not persistent: each iteration starts new ones.");
        String last = finish().map(
                        each -> " After training, fresh chains take " + freshSteps() + " steps" + each.words() + ".")
                .orElse("");
        return also.isEmpty()
                ? first + last
                : first + also.stream().map(Further::words).collect(Collectors.joining())
                        + " After training, only the first chains are evaluated and sampled." + last;
    }
}

package dev.kelvin.model.condition;

import dev.kelvin.energy.Conditional;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Observation;
import dev.kelvin.energy.Timeline;
import dev.kelvin.model.Annealing;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.model.Model;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Chains on trained models that keep to what is known of a sample: some of its pixels, or a noisy image of it. Chains of a
 * time-joint model are annealed from the noise to the data, and what is known is mixed with noise on the way, as at each time.
 *
 * @param wanted the class of the samples; without it, all together
 * @param other a kernel in the place of the model's own
 * @param finds whether the step size of that kernel is found on the way
 * @param steps how many, of a time-joint model at each time; without it, the recipe's
 */
public record ConditionedChains(
        Product models, Optional<String> wanted, Optional<Kernel<?>> other, boolean finds, Optional<Integer> steps) {
    /** Steps at one noise of the known pixels: see {@link #rounds}. */
    private static final int ROUND = 5;

    public ConditionedChains {
        wanted.ifPresent(models::requireClass);
    }

    /** With the recipe's own kernel and number of steps. */
    public static ConditionedChains of(Model model) {
        return new ConditionedChains(Product.of(model), Optional.empty(), Optional.empty(), false, Optional.empty());
    }

    private Model first() {
        return models.first();
    }

    private Kernel<?> kernel() {
        return other.orElseGet(() -> first().chainSettings().kernel());
    }

    /** How many chains it takes to have so many of one density: whole sets, where they push each other. */
    public int chainsFor(int count) {
        int set = kernel().traits().interacting() ? first().chainSettings().together() : 1;
        return (count + set - 1) / set * set;
    }

    /** How many steps a chain takes on a density. */
    public int stepsEach() {
        return steps.orElseGet(() -> first().card().components() instanceof ComponentKind.Times times
                ? times.annealing().steps()
                : first().usualSteps());
    }

    /** How many steps a chain takes from its start to where it is wanted. */
    public int length() {
        return stepsEach() * timeline().map(timeline -> timeline.times() - 1).orElse(1);
    }

    /** The same from an image on whose noise has this standard deviation. */
    public int length(double sigma) {
        return timeline()
                .map(path -> length() - stepsEach() * noiseLevel(path, sigma))
                .orElseGet(this::length);
    }

    /**
     * How often the steps at one time begin anew with other noise in the known pixels, which would otherwise lead all of them
     * astray together: after five steps each, or a few more where that divides their number.
     */
    private int rounds() {
        int rounds = Math.max(1, stepsEach() / ROUND);
        while (stepsEach() % rounds != 0) {
            rounds--;
        }
        return rounds;
    }

    /** How many images each chain holds while it fills one in: as it is, and with the noise of each time. */
    public int held() {
        return timeline().map(timeline -> timeline.times() * rounds()).orElse(1);
    }

    /** Samples of the product: each model's chains that keep to nothing but the others. */
    public ChainRun draw(Key key, int count) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            int chains = chainsFor(count);
            Tensor start = start(keys[0], chains);
            ChainRun walk = timeline().isPresent()
                    ? anneal(keys[1], 1, start, (t, round) -> at(t))
                    : walk(keys[1], density(chains), start);
            return walk.with(scope.keep(walk.x().narrow(0, 0, count)));
        }
    }

    /** Images whose free pixels, for each in the order of memory, are sampled given the others; a row of images for each chain. */
    public ChainRun fill(Key key, Tensor images, boolean... free) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(3);
            int chains = (int) images.size(0);
            Conditional last = new Conditional(density(chains), images, free);
            Tensor start = last.free(start(keys[0], chains));
            ChainRun walk = timeline()
                    .map(timeline -> anneal(keys[1], rounds(), start, (t, round) -> {
                        long[] times =
                                LongStream.generate(() -> t).limit(chains).toArray();
                        Key noise = keys[2].child(t).child(round);
                        return t == timeline.times() - 1
                                ? last
                                : new Conditional(at(t), timeline.mix(noise, images, times), free);
                    }))
                    .orElseGet(() -> walk(keys[1], last, start));
            return walk.with(scope.keep(last.samples(walk.x())));
        }
    }

    /** Samples of the posterior of clean images, where what is given are those with noise of this standard deviation. */
    public ChainRun denoise(Key key, Tensor noisy, double sigma) {
        requireTemperature();
        try (Scope scope = Scope.open()) {
            int chains = (int) noisy.size(0);
            double temperature = models.temperature(other);
            if (timeline().isEmpty()) {
                LogDensity posterior = density(chains).plus(new Observation(noisy, sigma).scaled(temperature));
                ChainRun walk = findsStep()
                        ? walkFinding(key, posterior, noisy)
                        : walk(key, atMost(longest(sigma, temperature)), posterior, noisy);
                return walk.with(scope.keep(walk.x()));
            }
            Timeline timeline = timeline().get();
            // z = αx + βn, y = x + σε: αy − z + βm has the variance α²σ² + β²σₙ² before anything is known of x
            IntToDoubleFunction spread = t -> Math.hypot(timeline.alpha(t) * sigma, timeline.beta(t) * timeline.std());
            Path path = (t, round) -> at(t).plus(
                            new Observation(centred(timeline, noisy, t), spread.applyAsDouble(t)).scaled(temperature));
            int from = noiseLevel(timeline, sigma);
            ChainRun walk = annealing(1)
                    .walk(
                            key,
                            densities(from, 1, path),
                            i -> longest(spread.applyAsDouble(from + i), temperature),
                            centred(timeline, noisy, from),
                            (i, x) -> {});
            return walk.with(scope.keep(walk.x()));
        }
    }

    /** Only of a density exp(f/T) is it known how much f counts beside the noise. */
    private void requireTemperature() {
        boolean known = other.map(kernel -> kernel.traits().temperature().isPresent())
                .orElseGet(() -> first().chainSettings().hasTemperature());
        if (!known) {
            throw new InvalidInputException("--denoise weighs f/T against the noise, and "
                    + (other.isPresent()
                            ? "the chains of this --kernel have no noise, or other noise at each place, and so no one temperature T"
                            : "the chains of " + first().name() + " have no noise and so no temperature T")
                    + "; name a --kernel that has one");
        }
    }

    /** Whether steps are found on the way: on densities of its own not even the recipe's step is right. */
    private boolean findsStep() {
        return other.isPresent() ? finds : kernel().traits().bestAcceptance().isPresent();
    }

    /** The longest step without an accept/reject step, beside noise of this standard deviation: others would overshoot. */
    private double longest(double spread, double temperature) {
        return kernel().traits().bestAcceptance().isPresent()
                ? Double.POSITIVE_INFINITY
                : spread * spread / temperature;
    }

    /** The kernel with a step that is no longer than this, where it has one. */
    private Kernel<?> atMost(double longest) {
        return StepSized.of(kernel())
                .filter(sized -> sized.stepSize() > longest)
                .<Kernel<?>>map(sized -> sized.withStepSize(longest))
                .orElse(kernel());
    }

    /** The last time at which images have as much noise for their contrast as these; the last but one at most. */
    private static int noiseLevel(Timeline timeline, double sigma) {
        int t = timeline.times() - 2;
        while (t > 0 && timeline.beta(t) * timeline.std() < timeline.alpha(t) * sigma) {
            t--;
        }
        return t;
    }

    /** αₜy + βₜm, m being the reference's mean. */
    private static Tensor centred(Timeline timeline, Tensor y, int t) {
        Tensor off = timeline.seen(y).times(timeline.std()); // y − m
        Tensor sum = timeline.mixing() == Timeline.Mixing.LINEAR ? y : y.times(timeline.alpha(t) + timeline.beta(t));
        return sum.plus(off, -timeline.beta(t)); // αy + βm = (α + β)y − β(y − m)
    }

    private Optional<Timeline> timeline() {
        return first().timeline();
    }

    private LogDensity density(int chains) {
        return models.density(other, wanted, chains);
    }

    private LogDensity at(int t) {
        return models.at(other, t);
    }

    private Tensor start(Key key, int chains) {
        if (timeline().isPresent()) {
            Timeline timeline = timeline().get();
            return SampleSource.gaussian(timeline.mean(), timeline.std(), first().shape(), first().device())
                    .draw(key, chains);
        }
        long[] components = wanted.isPresent() ? models.components(wanted, chains) : first().inTurn(chains);
        return first().starts().drawGiven(key, components);
    }

    /** On one density: by the recipe's kernel at the steps that training adapted, or by another, whose step may be found. */
    private ChainRun walk(Key key, LogDensity target, Tensor start) {
        return other.isPresent() && finds ? walkFinding(key, target, start) : walk(key, kernel(), target, start);
    }

    private ChainRun walk(Key key, Kernel<?> by, LogDensity target, Tensor start) {
        Kernel<?> kernel = first().chainSettings().inSets(by);
        long[] k = models.components(wanted, (int) start.size(0));
        return first().adapted()
                .filter(sizes -> other.isEmpty())
                .map(sizes -> sizes.settled(key, kernel, target, start, k, stepsEach()))
                .orElseGet(() -> ChainRun.inHalves(key, kernel, target, start, stepsEach()));
    }

    /** The same after as many steps that find the step size. */
    private ChainRun walkFinding(Key key, LogDensity target, Tensor start) {
        Key[] keys = key.split(2);
        StepSized<?> sized = StepSized.of(kernel()).orElseThrow();
        double acceptance = sized.traits().bestAcceptance().orElseThrow();
        WarmUp<?> warm = WarmUp.run(keys[0], sized, target, start, Math.max(1, stepsEach()), acceptance);
        return ChainRun.inHalves(keys[1], first().chainSettings().inSets(warm.kernel()), target, warm.x(), stepsEach());
    }

    /** The density at a time, of which there may be several rounds. */
    private interface Path {
        LogDensity at(int t, int round);
    }

    /** Along a time-joint model's path, as a sampler goes; always on one time at once. */
    private ChainRun anneal(Key key, int rounds, Tensor start, Path path) {
        return annealing(rounds).walk(key, densities(0, rounds, path), start, (i, x) -> {});
    }

    private Annealing annealing(int rounds) {
        OptionalDouble acceptance = other.isPresent()
                ? kernel().traits().bestAcceptance()
                : OptionalDouble.of(first().chainSettings().acceptance());
        OptionalDouble found = findsStep() ? acceptance : OptionalDouble.empty();
        return new Annealing(first(), kernel(), found, rounds, stepsEach() / rounds);
    }

    private List<LogDensity> densities(int from, int rounds, Path path) {
        return IntStream.range(from, timeline().orElseThrow().times())
                .boxed()
                .flatMap(t -> IntStream.range(0, t == from ? 1 : rounds).mapToObj(round -> path.at(t, round)))
                .toList();
    }
}

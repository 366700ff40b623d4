package dev.kelvin.experiment;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Objective;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * The recipe's chains: from fresh starts or, where there is a buffer, from its chains. Particles that push each other are
 * drawn in whole sets as large as training's, and those too many are left out.
 */
record ChainSampler(Experiment experiment) implements Sampler {
    /** How many times as far as in training chains of one class walk that began in a buffer of no class. */
    private static final int BY_CLASS = 3;

    private static final int FRAMES = 12;
    private static final int LONG_CHAINS = 2_500;

    /** The steps of a film where chains go on from a buffer: as long as they may have walked. */
    private static final int LONG_FILM = 1000;

    /** The same of particles that push each other, which settle sooner and whose steps cost more. */
    private static final int LONG_FILM_OF_SETS = 200;

    /** From here on (1 − β)f is another density than f: at a low temperature β is a millionth, and changes nothing. */
    private static final double DIFFERS = 1e-3;

    private static boolean differ(Objective objective) {
        return Math.abs(objective.samplingScale() - 1) > DIFFERS;
    }

    @Override
    public boolean negativesDiffer() {
        return differ(experiment.objective());
    }

    /** The buffer's chains are the model's only where they walked on f; who says how far fresh ones walk wants those. */
    @Override
    public ChainRun draw(Key key, int count) {
        boolean apart = negativesDiffer()
                || experiment.recipe().negatives().sampleSteps().isPresent();
        return apart ? drawFresh(key, count) : drawNegatives(key, count);
    }

    @Override
    public ChainRun drawNegatives(Key key, int count) {
        return experiment.buffer().isEmpty() ? drawFresh(key, count, true) : drawNegatives(key, 0, count);
    }

    @Override
    public ChainRun drawNegatives(Key key, int batch, int count) {
        if (experiment.buffer().isEmpty()) {
            return drawFresh(key.child(batch), count, true);
        }
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            ReplayBuffer buffer = experiment.buffer().get();
            long[] k = components(Math.min(experiment.wholeSets(count), experiment.wholeSetsAmong(buffer.size())));
            Tensor start = buffer.chains(keys[0], batch, k);
            return first(count, scope, walk(keys[1].child(batch), target(true, k), start, k, steps()));
        }
    }

    @Override
    public ChainRun drawFresh(Key key, int count) {
        return drawFresh(key, count, false);
    }

    private ChainRun drawFresh(Key key, int count, boolean asInTraining) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] k = components(experiment.wholeSets(count));
            Tensor start = experiment.starts().drawGiven(keys[0], k);
            int steps = asInTraining ? steps() : experiment.recipe().negatives().freshSteps();
            return first(count, scope, walk(keys[1], target(asInTraining, k), start, k, steps));
        }
    }

    @Override
    public Optional<ChainRun> drawWithLargerSteps(Key key, int count, double times) {
        boolean fresh = experiment.buffer().isEmpty()
                && experiment.adapted().isEmpty()
                && !experiment.kernel().traits().interacting();
        return StepSized.of(experiment.kernel()).filter(sized -> fresh).map(sized -> {
            try (Scope scope = Scope.open()) {
                Key[] keys = key.split(2);
                long[] k = components(count);
                Tensor start = experiment.starts().drawGiven(keys[0], k);
                Kernel<?> larger = sized.withStepSize(times * sized.stepSize());
                int steps = experiment.recipe().negatives().freshSteps();
                ChainRun walk = ChainRun.inHalves(keys[1], larger, target(false, k), start, steps);
                return new ChainRun(scope.keep(walk.x()), walk.accepted(), walk.more());
            }
        });
    }

    /** From fresh starts, so that a buffer's age counts for nothing. */
    @Override
    public ChainRun drawLong(Key key, Tensor drawn) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] k = components(experiment.wholeSets(LONG_CHAINS));
            Tensor start = experiment.starts().drawGiven(keys[0], k);
            return first(LONG_CHAINS, scope, walk(keys[1], target(false, k), start, k, LONGER * Math.max(1, steps())));
        }
    }

    @Override
    public ChainRun drawGiven(Key key, int steps, long... k) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Optional<Grouped> grouped =
                    experiment.kernel().traits().interacting() ? Optional.of(grouped(k)) : Optional.empty();
            long[] all = grouped.map(Grouped::k).orElse(k);
            Tensor start = classStarts()
                    .map(starts -> starts.draw(keys[0], all))
                    .orElseGet(() -> experiment.starts().drawGiven(keys[0], all));
            ChainRun walk = walk(keys[1], experiment.given(all), start, all, steps);
            Tensor x = grouped.map(sets -> walk.x().rows(sets.rows)).orElse(walk.x());
            return new ChainRun(scope.keep(x), walk.accepted(), walk.more());
        }
    }

    /** Where chains of one class start, if those of training are of no class and were kept. */
    private Optional<ClassStarts> classStarts() {
        boolean ofNone = experiment.components().asked()
                && experiment.recipe().objective().compares() != ContrastedDensity.GIVEN;
        return ofNone ? experiment.buffer().map(buffer -> new ClassStarts(experiment, buffer)) : Optional.empty();
    }

    @Override
    public int givenSteps(int usual) {
        return classStarts().isPresent() ? BY_CLASS * usual : usual;
    }

    @Override
    public ChainRun refine(Key key, Tensor x, int steps) {
        if (experiment.kernel().traits().interacting()) {
            throw new UserException("the recipe's chains push each other, so that an image can't be refined alone");
        }
        try (Scope scope = Scope.open()) {
            JointDensity table = experiment.table();
            long[] k = new long[(int) x.size(0)];
            if (table.hasClasses() && experiment.adapted().isPresent()) { // steps are by class
                Scores scores = Scores.of(table, x, OodScore.F);
                Arrays.setAll(k, scores::predicted);
            }
            ChainRun walk = walk(key, table.data(), x, k, steps);
            return new ChainRun(scope.keep(walk.x()), walk.accepted(), walk.more());
        }
    }

    /** Components to draw, and the rows at which those that were asked for lie among them. */
    private record Grouped(long[] k, long[] rows) {}

    /** Whole sets of one component each: particles of one set must be of one density. */
    private Grouped grouped(long[] k) {
        long[] rows = new long[k.length];
        LongStream.Builder all = LongStream.builder();
        int from = 0;
        for (long component : Arrays.stream(k).distinct().toArray()) {
            int at = from;
            for (int i = 0; i < k.length; i++) {
                if (k[i] == component) {
                    rows[i] = at++;
                }
            }
            int count = experiment.wholeSets(at - from);
            LongStream.range(0, count).forEach(i -> all.add(component));
            from += count;
        }
        return new Grouped(all.build().toArray(), rows);
    }

    private int steps() {
        return experiment.recipe().negatives().steps().last();
    }

    private long[] components(int count) {
        return experiment.components().inTurn(count);
    }

    /** What chains run on: as in training, f or (1 − β)f under the robust objective, or f itself. */
    private LogDensity target(boolean asInTraining, long... k) {
        LogDensity f = experiment.recipe().objective().compares() == ContrastedDensity.GIVEN
                ? experiment.given(k)
                : experiment.logDensity();
        return asInTraining ? f.scaled(experiment.objective().samplingScale()) : f;
    }

    private ChainRun walk(Key key, LogDensity density, Tensor start, long[] k, int steps) {
        Kernel<?> kernel = experiment.inSets(experiment.kernel());
        return experiment
                .adapted()
                .map(sizes -> sizes.settled(key, kernel, density, start, k, steps))
                .orElseGet(() -> ChainRun.inHalves(key, kernel, density, start, steps));
    }

    /** The first chains of a walk, if there are more. */
    private static ChainRun first(int count, Scope scope, ChainRun walk) {
        long drawn = walk.x().size(0);
        Tensor x = drawn > count ? walk.x().narrow(0, 0, count) : walk.x();
        return new ChainRun(scope.keep(x), walk.accepted(), walk.more());
    }

    /** Frames at steps that grow about geometrically: much happens early. */
    @Override
    public void film(Key key, int count, Frames frames) {
        int once = Math.max(1, experiment.recipe().negatives().freshSteps());
        int often = experiment.kernel().traits().interacting() ? LONG_FILM_OF_SETS : LONG_FILM;
        boolean further = experiment.buffer().isPresent()
                && experiment.recipe().negatives().sampleSteps().isEmpty();
        int steps = further ? Math.max(once, often) : once;
        TreeSet<Integer> shown = new TreeSet<>();
        for (int i = 0; i < FRAMES - 1; i++) {
            shown.add((int) Math.round(Math.pow(steps, (double) i / (FRAMES - 2))));
        }
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] k = components(experiment.wholeSets(count));
            Tensor start = experiment.starts().drawGiven(keys[0], k);
            frames.at("step 0", start.narrow(0, 0, count));
            LogDensity density = target(false, k);
            Optional<Tensor> stretch = experiment.adapted().map(sizes -> sizes.stretch(start, k));
            ChainRun.run(
                    keys[1],
                    experiment.inSets(experiment.kernel()),
                    stretch.map(density::rescaled).orElse(density),
                    stretch.map(start::over).orElse(start),
                    steps,
                    (step, state) -> {
                        if (shown.contains(step)) {
                            Tensor x = stretch.map(state.x()::times).orElse(state.x());
                            frames.at("step " + step, x.narrow(0, 0, count));
                        }
                    });
        }
    }
}

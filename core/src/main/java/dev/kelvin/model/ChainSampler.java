package dev.kelvin.model;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.negative.Finish;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * The model's chains: from fresh starts or, where there is a buffer, from its chains. Particles that push each other are
 * drawn in whole sets as large as training's, and those too many are left out.
 */
record ChainSampler(Model model) implements Sampler {
    /** How many times as far as in training chains of one class walk that began in a buffer of no class. */
    private static final int BY_CLASS = 3;

    private static final int FRAMES = 12;
    private static final int LONG_CHAINS = 2_500;

    /** The steps of a film where chains go on from a buffer: as long as they may have walked. */
    private static final int LONG_FILM = 1000;

    /** Those of particles that push each other, which settle sooner and whose steps cost more. */
    private static final int LONG_FILM_OF_SETS = 200;

    private ChainSettings chains() {
        return model.chainSettings();
    }

    private Optional<ReplayBuffer> buffer() {
        return chains().buffer() > 0 ? model.buffer() : Optional.empty();
    }

    @Override
    public ChainRun draw(SampleRequest request) {
        ChainRun walk = walk(request);
        return switch (request.from()) {
            case MODEL, FRESH ->
                walk.with(finished(
                        walk.x(), target(false, model.inTurn((int) walk.x().size(0)))));
            case GIVEN -> walk.with(finished(walk.x(), model.given(request.components())));
            default -> walk;
        };
    }

    /** After the last move, where there is one. */
    private Tensor finished(Tensor x, LogDensity density) {
        double temperature = chains().kernel().traits().temperature().orElse(1);
        return chains().finish()
                .map(last -> last.denoised(density, x, temperature))
                .orElse(x);
    }

    private ChainRun walk(SampleRequest request) {
        Key key = request.key();
        int count = request.count();
        return switch (request.from()) {
            // the buffer's chains are the model's only where they walked on f; who says how far fresh ones walk wants
            // those
            case MODEL ->
                chains().negativesDiffer() || chains().sampleSteps().isPresent() || chains().rounds() > 1
                        ? fresh(key, count)
                        : negatives(key, 0, count);
            case FRESH -> request.stepFactor() == 1 ? fresh(key, count) : larger(request);
            case NEGATIVES ->
                buffer().isPresent() || request.batch().isEmpty()
                        ? negatives(key, request.batch().orElse(0), count)
                        : fresh(key.child(request.batch().getAsInt()), count, true, steps(), 1);
            // from fresh starts, so that a buffer's age counts for nothing
            case LONG -> fresh(key, LONG_CHAINS, false, LONGER * Math.max(1, steps()), 1);
            case GIVEN -> given(key, request.steps().orElseGet(this::steps), request.components());
            case REFINED -> refined(key, request.start(), request.steps().orElseGet(this::steps));
        };
    }

    private ChainRun negatives(Key key, int batch, int count) {
        if (buffer().isEmpty()) {
            return fresh(key, count, true, steps(), 1);
        }
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            ReplayBuffer buffer = buffer().orElseThrow();
            long[] k = model.inTurn(Math.min(chains().wholeSets(count), chains().wholeSetsAmong(buffer.size())));
            Tensor start = buffer.chains(keys[0], batch, k);
            return first(count, scope, walk(keys[1].child(batch), target(true, k), start, k, steps()));
        }
    }

    private ChainRun fresh(Key key, int count) {
        return fresh(key, count, false, chains().freshSteps(), chains().rounds());
    }

    private ChainRun fresh(Key key, int count, boolean asInTraining, int steps, int rounds) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] k = model.inTurn(chains().wholeSets(count));
            Tensor start = model.starts().drawGiven(keys[0], k);
            ChainRun walk = rounds(key, keys[1], target(asInTraining, k), start, k, steps, rounds);
            return first(count, scope, walk);
        }
    }

    /** Walks of so many steps each, the first by a key of its own, the others from what has changed where the last ended. */
    private ChainRun rounds(Key key, Key first, LogDensity density, Tensor start, long[] k, int steps, int rounds) {
        ChainRun walk = walk(first, density, start, k, steps);
        for (int round = 1; round < rounds; round++) {
            walk = walk(roundKey(key, round), density, changed(key, round, walk.x()), k, steps);
        }
        return walk;
    }

    private static Key roundKey(Key key, int round) {
        return key.child(2L * round + 1);
    }

    /** Where chains start a round after the first. */
    private Tensor changed(Key key, int round, Tensor x) {
        return chains().finish()
                .orElseThrow()
                .changed(
                        key.child(2L * round),
                        x,
                        model.card().samples().images().map(SampleKind.Images::range));
    }

    private ChainRun larger(SampleRequest request) {
        if (!traits().largerSteps()) {
            throw new InvalidInputException("the chains of " + model.name() + " have no one step size to enlarge");
        }
        StepSized<?> sized = StepSized.of(chains().kernel()).orElseThrow();
        try (Scope scope = Scope.open()) {
            Key[] keys = request.key().split(2);
            long[] k = model.inTurn(request.count());
            Tensor start = model.starts().drawGiven(keys[0], k);
            Kernel<?> larger = sized.withStepSize(request.stepFactor() * sized.stepSize());
            int steps = chains().freshSteps();
            return first(k.length, scope, ChainRun.inHalves(keys[1], larger, target(false, k), start, steps));
        }
    }

    private ChainRun given(Key key, int steps, long... k) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            Optional<Grouped> grouped = chains().interacting() ? Optional.of(grouped(k)) : Optional.empty();
            long[] all = grouped.map(Grouped::k).orElse(k);
            Tensor start = classStarts()
                    .map(starts -> starts.draw(keys[0], all))
                    .orElseGet(() -> model.starts().drawGiven(keys[0], all));
            ChainRun walk = rounds(key, keys[1], model.given(all), start, all, steps, chains().rounds());
            Tensor x = grouped.map(sets -> walk.x().rows(sets.rows)).orElse(walk.x());
            return walk.with(scope.keep(x));
        }
    }

    /** Where chains of one class start, if those of training are of no class and were kept. */
    private Optional<ClassStarts> classStarts() {
        return ofNone() ? buffer().map(buffer -> new ClassStarts(model, buffer)) : Optional.empty();
    }

    private boolean ofNone() {
        return model.hasClasses() && !chains().byComponent();
    }

    @Override
    public Traits traits() {
        boolean sized = chains().buffer() == 0
                && chains().adapt().isEmpty()
                && !chains().interacting()
                && StepSized.of(chains().kernel()).isPresent();
        int factorOfGiven = ofNone() && chains().buffer() > 0 ? BY_CLASS : 1;
        return new Traits(false, chains().negativesDiffer(), Integer.MAX_VALUE, factorOfGiven, sized);
    }

    @Override
    public int length(int steps) {
        return steps * chains().rounds();
    }

    private ChainRun refined(Key key, Tensor x, int steps) {
        if (chains().interacting()) {
            throw new InvalidInputException(
                    "the chains of " + model.name() + " push each other, so that an image can't be refined alone");
        }
        try (Scope scope = Scope.open()) {
            JointDensity joint = model.joint();
            long[] k = new long[(int) x.size(0)];
            if (joint.hasClasses() && chains().adapt().isPresent()) { // steps are by class
                Scores scores = Scores.of(joint, x, OodScore.F);
                Arrays.setAll(k, scores::predicted);
            }
            return first(k.length, scope, walk(key, joint.data(), x, k, steps));
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
            int count = chains().wholeSets(at - from);
            LongStream.range(0, count).forEach(i -> all.add(component));
            from += count;
        }
        return new Grouped(all.build().toArray(), rows);
    }

    private int steps() {
        return chains().steps();
    }

    /** What chains run on: as in training, f or (1 − β)f under the robust objective, or f itself. */
    private LogDensity target(boolean asInTraining, long... k) {
        LogDensity f = chains().byComponent() ? model.given(k) : model.logDensity();
        return asInTraining ? f.scaled(chains().samplingScale()) : f;
    }

    private ChainRun walk(Key key, LogDensity density, Tensor start, long[] k, int steps) {
        Kernel<?> kernel = chains().inSets(chains().kernel());
        return model.adapted()
                .map(sizes -> sizes.settled(key, kernel, density, start, k, steps))
                .orElseGet(() -> ChainRun.inHalves(key, kernel, density, start, steps));
    }

    /** The first chains of a walk, if there are more. */
    private static ChainRun first(int count, Scope scope, ChainRun walk) {
        long drawn = walk.x().size(0);
        Tensor x = drawn > count ? walk.x().narrow(0, 0, count) : walk.x();
        return walk.with(scope.keep(x));
    }

    /** Frames at steps that grow about geometrically: much happens early. */
    @Override
    public void film(Key key, int count, Frames frames) {
        int once = Math.max(1, chains().freshSteps());
        int often = chains().interacting() ? LONG_FILM_OF_SETS : LONG_FILM;
        int rounds = chains().rounds();
        boolean further = chains().buffer() > 0 && chains().sampleSteps().isEmpty() && rounds == 1;
        int steps = further ? Math.max(once, often) : once * rounds;
        TreeSet<Integer> shown = new TreeSet<>();
        for (int i = 0; i < FRAMES - 1; i++) {
            shown.add((int) Math.round(Math.pow(steps, (double) i / (FRAMES - 2))));
        }
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            long[] k = model.inTurn(chains().wholeSets(count));
            Tensor x = model.starts().drawGiven(keys[0], k);
            frames.at("step 0", x.narrow(0, 0, count));
            LogDensity density = target(false, k);
            for (int round = 0; round < rounds; round++) {
                int before = round * once;
                Key walk = round == 0 ? keys[1] : roundKey(key, round);
                Tensor start = round == 0 ? x : changed(key, round, x);
                x = filmed(walk, density, start, k, steps / rounds, (step, at) -> {
                    if (shown.contains(before + step)) {
                        frames.at("step " + (before + step), at.narrow(0, 0, count));
                    }
                });
            }
            if (chains().finish().flatMap(Finish::noise).isPresent()) {
                frames.at("denoised", finished(x, density).narrow(0, 0, count));
            }
        }
    }

    /** What is seen of a walk. */
    @FunctionalInterface
    private interface Seen {
        void at(int step, Tensor x);
    }

    /** A walk at the step sizes that have settled, each step of which is seen. */
    private Tensor filmed(Key key, LogDensity density, Tensor start, long[] k, int steps, Seen seen) {
        Optional<Tensor> stretch = model.adapted().map(sizes -> sizes.stretch(start, k));
        ChainRun walk = ChainRun.run(
                key,
                chains().inSets(chains().kernel()),
                stretch.map(density::rescaled).orElse(density),
                stretch.map(start::over).orElse(start),
                steps,
                (step, state) -> seen.at(step, stretch.map(state.x()::times).orElse(state.x())));
        return stretch.map(walk.x()::times).orElse(walk.x());
    }

    /**
     * Where chains of one class start, of a model whose chains of training walk on all classes together: at chains of the replay
     * buffer that the model itself assigns to the class, and afresh where there is none left. From fresh starts alone a model with
     * a buffer is seldom reached by a short chain.
     */
    private record ClassStarts(Model model, ReplayBuffer buffer) {
        private static final int BATCH = 256;

        /** Starts for these classes. */
        Tensor draw(Key key, long... k) {
            Key[] keys = key.split(2);
            List<Iterator<Long>> slots =
                    byClass(keys[0]).stream().map(List::iterator).toList();
            List<Long> rows = new ArrayList<>();
            List<Long> from = new ArrayList<>(); // where in what was asked for they go
            for (int i = 0; i < k.length; i++) {
                Iterator<Long> own = slots.get((int) k[i]);
                if (own.hasNext()) {
                    rows.add(own.next());
                    from.add((long) i);
                }
            }
            try (Scope scope = Scope.open()) {
                if (rows.size() == k.length) {
                    return scope.keep(buffer.chainsAt(longs(rows)));
                }
                Tensor starts = model.starts().drawGiven(keys[1], k);
                return scope.keep(
                        rows.isEmpty()
                                ? starts
                                : starts.copy().putRowsInPlace(longs(from), buffer.chainsAt(longs(rows))));
            }
        }

        private static long[] longs(List<Long> values) {
            return values.stream().mapToLong(Long::longValue).toArray();
        }

        /** The slots that the model assigns to each class, in random order. */
        private List<List<Long>> byClass(Key key) {
            List<List<Long>> slots = model.classes().stream()
                    .<List<Long>>map(name -> new ArrayList<>())
                    .toList();
            long[] order = key.permutation(buffer.size());
            try (Scope scope = Scope.open()) {
                JointDensity joint = model.joint();
                for (int at = 0; at < order.length; at += BATCH) {
                    try (Scope batch = Scope.open()) {
                        long[] some = Arrays.copyOfRange(order, at, Math.min(order.length, at + BATCH));
                        Scores scores = Scores.of(joint, buffer.chainsAt(some), OodScore.F);
                        for (int i = 0; i < some.length; i++) {
                            slots.get(scores.predicted(i)).add(some[i]);
                        }
                    }
                }
            }
            return slots;
        }
    }
}

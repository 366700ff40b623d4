package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.DifferentiableKernel;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Chains of the model: where they start × the kernel that moves them × how many steps × what is remembered × how step sizes
 * are adapted.
 *
 * <p>Without a buffer every draw starts new chains and forgets them: short-run sampling, or contrastive divergence from the
 * batch. With one chains go on from draw to draw: persistent contrastive divergence (Tieleman 2008; the replay buffer of
 * IGEBM and JEM), in which a few steps a draw add up to long chains while the model changes slowly.
 */
public record ModelChains(
        SampleSource start,
        Kernel<?> kernel,
        Steps steps,
        Optional<ReplayBuffer> buffer,
        Optional<ComponentSteps> adapted)
        implements NegativeSource {
    /** The corner of what is saved that a start has which learns. */
    public static final String GENERATOR = "generator";

    /** The child of a draw's key beyond those that it splits into: which of the buffer's samples are looked at. */
    private static final int LOOKED_AT = 5;

    @Override
    public DrawnNegatives draw(Key key, long iteration, Target target, Batch positives, int count) {
        long[] k = positives.components(count);
        int walked = steps.at(iteration);
        try (Scope scope = Scope.open()) {
            if (buffer.isEmpty()) {
                Key[] keys = key.split(2);
                Tensor x = start.drawBeside(keys[0], positives, k);
                DrawnNegatives drawn = walk(keys[1], target, x, k, walked, Optional.empty(), 0);
                Optional<Tensor> z = LearningStart.of(start).map(learning -> learning.latents(keys[0], count));
                return kept(scope, learnt(iteration, z, moved(x, drawn)));
            }
            Key[] keys = key.split(5);
            ReplayBuffer chains = buffer.get();
            int[] slots = chains.draw(keys[0].stream(), k);
            Optional<Tensor> z = LearningStart.of(start).map(learning -> latents(learning, keys[2], slots));
            Tensor x = beginnings(keys[2], keys[4], slots, positives, k, z);
            int wanted = target.wanted().buffered();
            Optional<Tensor> looked =
                    wanted == 0 ? Optional.empty() : Optional.of(chains.some(key.child(LOOKED_AT), wanted));
            DrawnNegatives drawn = walk(keys[1], target, x, k, walked, looked, iteration * count);
            ReplayBuffer.Written written = chains.weighted()
                    ? chains.write(keys[3].stream(), slots, k, drawn.x(), logWeights(target.of(k), drawn.x()))
                    : chains.write(keys[3].stream(), slots, k, drawn.x());
            chains.latents().ifPresent(held -> held.put(written, z.orElseThrow()));
            return kept(scope, learnt(iteration, z, moved(x, drawn)));
        }
    }

    @Override
    public double[] found() {
        return adapted.map(ComponentSteps::found).orElse(new double[0]);
    }

    @Override
    public void settle(double[] sums) {
        adapted.ifPresent(factors -> factors.settle(sums));
    }

    /** With the mean squared displacement, where chains are particles that push each other. */
    private DrawnNegatives moved(Tensor from, DrawnNegatives drawn) {
        return kernel.traits().interacting()
                ? drawn.with(
                        StepInfo.DISPLACEMENT,
                        drawn.x().minus(from).square().mean().item())
                : drawn;
    }

    /** With what a start that learns reports of its step towards the chains' ends. */
    private DrawnNegatives learnt(long iteration, Optional<Tensor> z, DrawnNegatives drawn) {
        DrawnNegatives all = drawn;
        if (z.isPresent()) {
            LearningStart learning = LearningStart.of(start).orElseThrow();
            for (Map.Entry<String, Double> each :
                    learning.learn(iteration, z.get(), drawn.x()).entrySet()) {
                all = all.with(each.getKey(), each.getValue());
            }
        }
        return all;
    }

    /** The latent vectors of the drawn slots' chains; new ones for the rows without a slot. */
    private Tensor latents(LearningStart learning, Key key, int... slots) {
        Tensor z = buffer.flatMap(ReplayBuffer::latents).orElseThrow().at(orFirst(slots));
        long[] fresh = fresh(slots);
        return fresh.length == 0 ? z : z.putRowsInPlace(fresh, learning.latents(key, fresh.length));
    }

    private static long[] orFirst(int... slots) {
        return Arrays.stream(slots).mapToLong(slot -> Math.max(0, slot)).toArray();
    }

    /** The rows whose chains begin anew. */
    private long[] fresh(int... slots) {
        ReplayBuffer chains = buffer.orElseThrow();
        return IntStream.range(0, slots.length)
                .filter(i -> chains.fresh(slots[i]))
                .asLongStream()
                .toArray();
    }

    private static DrawnNegatives kept(Scope scope, DrawnNegatives drawn) {
        scope.keep(drawn.x());
        drawn.last().ifPresent(moves -> {
            scope.keep(moves.x());
            moves.buffered().ifPresent(scope::keep);
        });
        return drawn;
    }

    /** Runs the chains, split in two runs where the tail must be replayed with gradients. */
    private DrawnNegatives walk(
            Key key, Target target, Tensor x, long[] k, int walked, Optional<Tensor> buffered, long ends) {
        int again = target.wanted().lastMoves();
        if (adapted.isPresent() || again == 0) {
            ChainRun walk = adapted.isPresent()
                    ? adapted.get().adapt(key, kernel, target, x, k, walked)
                    : target.walk(key, kernel, x, k, ChainRun.Course.of(walked));
            return DrawnNegatives.of(walk, k, walk.acceptance(), Optional.empty());
        }
        if (!(kernel instanceof DifferentiableKernel<?> differentiable) || walked < again) {
            throw new IllegalArgumentException("there are no " + again + " last moves of " + walked + " steps of "
                    + kernel.words() + " to take again");
        }
        if (!differentiable.resumes()) {
            if (again > 1) {
                throw new IllegalArgumentException(
                        "the gradient flows through the last move alone of " + kernel.words());
            }
            ChainRun walk = target.walk(key, kernel, x, k, ChainRun.Course.of(walked));
            DifferentiableTail all = new DifferentiableTail(
                    target, differentiable, x, k, 0, walked, ChainRun.parts(key, kernel, x), buffered, ends);
            return DrawnNegatives.of(walk, k, walk.acceptance(), Optional.of(all));
        }
        int from = walked - again;
        ChainRun first = target.walk(key, kernel, x, k, ChainRun.Course.of(from));
        Tensor before = first.x();
        ChainRun walk = target.walk(key, kernel, before, k, ChainRun.Course.after(from, again));
        DifferentiableTail last = new DifferentiableTail(
                target, differentiable, before, k, from, again, ChainRun.parts(key, kernel, x), buffered, ends);
        return new DrawnNegatives(walk.x(), k, acceptance(first, from, walk, again), Optional.of(last));
    }

    /** The acceptance of a run in two pieces, the first of {@code from} steps and the last of {@code again}. */
    private static OptionalDouble acceptance(ChainRun first, int from, ChainRun last, int again) {
        OptionalDouble ending = last.acceptance();
        return ending.isEmpty() || first.acceptance().isEmpty()
                ? ending
                : OptionalDouble.of(
                        (from * first.acceptance().getAsDouble() + again * ending.getAsDouble()) / (from + again));
    }

    /** f/T of the density that the chains ran on; f itself where they sample none. */
    private double[] logWeights(LogDensity density, Tensor x) {
        double temperature = kernel.traits().temperature().orElse(1);
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            return Arrays.stream(density.at(x).toDoubles())
                    .map(f -> f / temperature)
                    .toArray();
        }
    }

    /** The drawn slots' chains, changed where the buffer says so; new ones for the rows without a slot. */
    private Tensor beginnings(Key key, Key change, int[] slots, Batch positives, long[] k, Optional<Tensor> z) {
        ReplayBuffer chains = buffer.orElseThrow();
        Tensor x = chains.changed(
                change, chains.chainsAt(orFirst(slots))); // of which the rows of new chains are overwritten
        long[] fresh = fresh(slots);
        if (fresh.length > 0 && z.isPresent()) { // of all latent vectors, for what looks at the whole batch
            Tensor begun = LearningStart.of(start).orElseThrow().begun(z.get());
            x.putRowsInPlace(fresh, begun.rows(fresh));
        } else if (fresh.length > 0) {
            long[] theirs = Arrays.stream(fresh).map(row -> k[(int) row]).toArray();
            long[] inTurn =
                    Arrays.stream(fresh).map(row -> row % positives.size()).toArray();
            x.putRowsInPlace(
                    fresh, start.drawBeside(key, new Batch(positives.x().rows(inTurn), theirs), theirs));
        }
        return x;
    }

    @Override
    public void save(State state) {
        buffer.ifPresent(chains -> chains.save(state));
        adapted.ifPresent(factors -> factors.save(state));
        LearningStart.of(start).ifPresent(learning -> learning.save(state.at(GENERATOR)));
    }

    @Override
    public void load(State state) {
        buffer.ifPresent(chains -> chains.load(state));
        adapted.ifPresent(factors -> factors.load(state));
        LearningStart.of(start).ifPresent(learning -> learning.load(state.at(GENERATOR)));
    }

    @Override
    public void close() {
        buffer.ifPresent(ReplayBuffer::close);
        adapted.ifPresent(ComponentSteps::close);
        LearningStart.of(start).ifPresent(LearningStart::close);
    }
}

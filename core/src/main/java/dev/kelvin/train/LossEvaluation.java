package dev.kelvin.train;

import dev.kelvin.distributed.Shards;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Objective;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The loss of a step's rows and its gradient with respect to the parameters: one pass through the model and back.
 *
 * <p>A table with many components is worked on in two halves, on two threads: each computes f at its rows and passes its numbers
 * to the other, both ask the objective about all of them, and each pulls its rows' share back (see {@link LossPart}). So do
 * shards: this rank's, one after the other, and those of other ranks, from which only numbers and gradients come.
 *
 * @param positives those of all shards
 * @param negatives those of each of this rank's shards
 * @param tables f at every component of samples, [n, K], with the way back to the parameters
 */
record LossEvaluation(
        Key key,
        EnergyModel model,
        Parameters parameters,
        Objective objective,
        Batch positives,
        List<DrawnNegatives> negatives,
        Shards shards,
        Function<Tensor, Pullback> tables) {
    /** Numbers in a table from which two threads are faster than one. */
    private static final int MANY = 4096;

    /** The weights of the generative part and of the label term in the loss. */
    record Weights(double generative, double labels) {
        /** The objective's own, at an α. */
        static Weights of(Objective objective, double alpha) {
            return new Weights(1 / alpha, objective.labels());
        }
    }

    LossEvaluation {
        negatives = List.copyOf(negatives);
        if (positives.labelled().isPresent() && objective.labels() == 0) {
            throw new IllegalArgumentException("the batch has rows for the label term, and the objective has no such");
        }
    }

    /** Of a batch that is not cut. */
    LossEvaluation(
            Key key,
            EnergyModel model,
            Parameters parameters,
            Objective objective,
            Batch positives,
            DrawnNegatives negatives,
            Function<Tensor, Pullback> tables) {
        this(key, model, parameters, objective, positives, List.of(negatives), Shards.ONE, tables);
    }

    /** Compares by these weights, wherever the parameters are now; the components of pairs are drawn where none are given. */
    LossAndGradient compare(Weights weights, Optional<long[]> components) {
        boolean draws = objective.compares() == ContrastedDensity.PAIR && components.isEmpty();
        long[] k = below(components);
        if (shards.several()) {
            return sharded(weights, draws, k);
        }
        Tensor x = negatives.get(0).x();
        if (!halves()) {
            LossPart.Forward all = new LossPart(this, weights, draws, 0, 1, x, k).forward();
            return all.back().apply(List.of(all.numbers()));
        }
        return halved(
                half -> {
                    LossPart.Span rows = LossPart.Span.of(k.length, half, 2);
                    return new LossPart(this, weights, draws, half, 2, rows.of(x), k).forward();
                },
                weights);
    }

    private LossAndGradient halved(Function<Integer, LossPart.Forward> parts, Weights weights) {
        List<CompletableFuture<LossPart.Numbers>> numbers = Stream.generate(CompletableFuture<LossPart.Numbers>::new)
                .limit(2)
                .toList();
        List<LossAndGradient> both = Parallel.halves(half -> {
            try (Scope scope = Scope.open()) {
                LossPart.Forward part = parts.apply(half);
                LossAndGradient loss = part.back().apply(exchanged(half, part.numbers(), numbers));
                Scope.detach(loss.gradient());
                return loss;
            } catch (RuntimeException | Error e) {
                numbers.forEach(
                        each -> each.completeExceptionally(e)); // so that the other half, which waits, fails too
                throw e;
            }
        });
        both.forEach(part -> Scope.adopt(part.gradient()));
        both.get(0).gradient().addInPlace(both.get(1).gradient());
        return objective.joins()
                ? both.get(0).joining(both.get(1))
                : both.get(0).beside(both.get(1), objective, weights);
    }

    /** The numbers of both halves; of one alone where no sample's gradient depends on another's f, which need not wait. */
    private List<LossPart.Numbers> exchanged(
            int half, LossPart.Numbers own, List<CompletableFuture<LossPart.Numbers>> numbers) {
        if (!objective.joins()) {
            return List.of(own);
        }
        numbers.get(half).complete(own);
        return numbers.stream().map(Parallel::join).toList();
    }

    private LossAndGradient sharded(Weights weights, boolean draws, long[] k) {
        List<LossPart.Forward> parts = IntStream.range(0, shards.each())
                .mapToObj(i -> new LossPart(
                                this,
                                weights,
                                draws,
                                shards.first() + i,
                                shards.count(),
                                negatives.get(i).x(),
                                k)
                        .forward())
                .toList();
        LossPart.Numbers first = parts.get(0).numbers();
        List<LossPart.Numbers> all = shards
                .gather(parts.stream().map(part -> part.numbers().flat()).toList())
                .stream()
                .map(first::likewise)
                .toList();
        List<LossAndGradient> own =
                parts.stream().map(part -> part.back().apply(all)).toList();
        shards.sum(own.stream().map(LossAndGradient::gradient).toList());
        return own.stream().reduce(LossAndGradient::joining).orElseThrow();
    }

    /** The components of all shards' negatives: those that they were drawn for, or those given of this rank's. */
    private long[] below(Optional<long[]> given) {
        if (!shards.several()) {
            return given.orElse(negatives.get(0).k());
        }
        int each = negatives.get(0).k().length;
        long[] all = IntStream.range(0, shards.count())
                .mapToObj(shard -> positives.part(shard, shards.count()).components(each))
                .flatMapToLong(LongStream::of)
                .toArray();
        given.ifPresent(own -> System.arraycopy(own, 0, all, shards.first() * each, own.length));
        return all;
    }

    private boolean halves() {
        int others = positives.labelled().map(Batch::size).orElse(0);
        int below = negatives.get(0).k().length;
        long rows = positives.size() + (long) below + others;
        return model.components() > 1
                && rows * model.components() >= MANY
                && positives.size() > 1
                && below != 1
                && others != 1
                && !positives.x().device().cuda()
                && model.network().rowsAlone();
    }
}

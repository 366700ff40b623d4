package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.Objective;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The loss of a step's rows and its gradient with respect to the parameters: one pass through the model and back.
 *
 * <p>A table with many components is worked on in two halves, on two threads: each computes f at its rows and passes its numbers
 * to the other, both ask the objective about all of them, and each pulls its rows' share back (see {@link LossPart}).
 *
 * @param tables f at every component of samples, [n, K], with the way back to the parameters
 */
record LossEvaluation(
        Key key,
        EnergyModel model,
        Parameters parameters,
        Objective objective,
        Batch positives,
        DrawnNegatives negatives,
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
        if (positives.labelled().isPresent() && objective.labels() == 0) {
            throw new IllegalArgumentException("the batch has rows for the label term, and the objective has no such");
        }
    }

    /**
     * With these weights, wherever the parameters are now.
     *
     * @param components the negatives' components where pairs are compared; drawn by the key where there are none
     */
    LossAndGradient compare(Weights weights, Optional<long[]> components) {
        if (!halves()) {
            return new LossPart(this, weights, components, 0, List.of(new CompletableFuture<>())).compare();
        }
        List<CompletableFuture<LossPart.Numbers>> numbers = Stream.generate(CompletableFuture<LossPart.Numbers>::new)
                .limit(2)
                .toList();
        List<LossAndGradient> both = Parallel.halves(half -> {
            try (Scope scope = Scope.open()) {
                LossAndGradient part = new LossPart(this, weights, components, half, numbers).compare();
                Scope.detach(part.gradient());
                return part;
            } catch (RuntimeException | Error e) {
                numbers.forEach(
                        each -> each.completeExceptionally(e)); // so that the other half, which waits, fails too
                throw e;
            }
        });
        both.forEach(part -> Scope.adopt(part.gradient()));
        both.get(0).gradient().addInPlace(both.get(1).gradient());
        return objective.weighs()
                ? both.get(0).joining(both.get(1))
                : both.get(0).beside(both.get(1), objective, weights);
    }

    private boolean halves() {
        int others = positives.labelled().map(Batch::size).orElse(0);
        long rows = positives.size() + (long) negatives.k().length + others;
        return model.components() > 1
                && rows * model.components() >= MANY
                && positives.size() > 1
                && negatives.k().length != 1
                && others != 1
                && !positives.x().device().cuda()
                && model.network().rowsAlone();
    }
}

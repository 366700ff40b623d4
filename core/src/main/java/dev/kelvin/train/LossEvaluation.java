package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The loss of a step's rows and its gradient with respect to the parameters: one pass through the model and back.
 *
 * <p>A table with many components is worked on in two halves, on two threads: each computes f at its rows and passes its numbers
 * to the other, both ask the objective about all of them, and each pulls its rows' share back (see {@link Part}).
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

    /** Compares by these weights, wherever the parameters are now; the components of pairs are drawn where none are given. */
    LossAndGradient compare(Weights weights, Optional<long[]> components) {
        if (!halves()) {
            return new Part(weights, components, 0, List.of(new CompletableFuture<>())).compare();
        }
        List<CompletableFuture<Part.Numbers>> numbers =
                Stream.generate(CompletableFuture<Part.Numbers>::new).limit(2).toList();
        List<LossAndGradient> both = Parallel.halves(half -> {
            try (Scope scope = Scope.open()) {
                LossAndGradient part = new Part(weights, components, half, numbers).compare();
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
        return objective.joins()
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

    /**
     * A part of the rows of a {@link LossEvaluation}: positives, negatives and those for the label term alone, in this order. f at
     * them, the objective on it, and the label term on the positives, or on rows of its own where the batch has such. Only one
     * number a sample comes to Java's side; the table stays where it was computed.
     */
    private final class Part {
        private final Weights weights;
        private final boolean drawsComponents;
        private final int part;
        private final List<CompletableFuture<Numbers>> parts;
        private final Span up;
        private final Span down;
        private final int compared; // rows of up and down
        private final Span labelled; // the rows that the label term looks at, among this part's
        private final Tensor x;
        private final long[] k;

        /** f at a part's positives and negatives, and −log p(k|x) at its labelled rows. */
        record Numbers(double[] positives, double[] negatives, double[] crossEntropy) {}

        private record Span(int from, int count) {
            static Span of(int all, int part, int parts) {
                int from = part * (all / parts);
                return new Span(from, part == parts - 1 ? all - from : all / parts);
            }

            Tensor of(Tensor x) {
                return x.size(0) == count ? x : x.narrow(0, from, count);
            }

            long[] of(long[] k) {
                return Arrays.copyOfRange(k, from, from + count);
            }

            double[] of(double[] values) {
                return Arrays.copyOfRange(values, from, from + count);
            }

            /** These rows' numbers among those of all rows, each times the rows' share; 0 elsewhere. */
            double[] within(double[] values, int all) {
                double[] whole = new double[all];
                for (int i = 0; i < count; i++) {
                    whole[from + i] = values[i] * count / all;
                }
                return whole;
            }
        }

        /** @param parts where each part puts its numbers for the others */
        Part(Weights weights, Optional<long[]> components, int part, List<CompletableFuture<Numbers>> parts) {
            this.weights = weights;
            this.drawsComponents = objective.compares() == ContrastedDensity.PAIR && components.isEmpty();
            this.part = part;
            this.parts = parts;
            Optional<Batch> others = positives.labelled();
            up = Span.of(positives.size(), part, parts.size());
            down = Span.of(negatives.k().length, part, parts.size());
            compared = up.count + down.count;
            Span beside = Span.of(others.map(Batch::size).orElse(0), part, parts.size());
            labelled = beside.count > 0 ? new Span(compared, beside.count) : new Span(0, up.count);
            List<Tensor> rows = new ArrayList<>(List.of(up.of(positives.x())));
            if (down.count > 0) {
                rows.add(down.of(negatives.x()));
            }
            others.ifPresent(batch -> rows.add(beside.of(batch.x())));
            x = rows.size() == 1 ? rows.get(0) : Tensors.concat(0, rows);
            k = Stream.of(
                            up.of(positives.k()),
                            down.of(components.orElse(negatives.k())),
                            others.map(batch -> beside.of(batch.k())).orElse(new long[0]))
                    .flatMapToLong(LongStream::of)
                    .toArray();
        }

        LossAndGradient compare() {
            return model.components() == 1
                            || (objective.compares() == ContrastedDensity.GIVEN && objective.labels() == 0)
                    ? given()
                    : table();
        }

        /** f at each sample's own component, without the others. */
        private LossAndGradient given() {
            Pullback f;
            if (model.components() == 1) {
                Pullback table = tables.apply(x);
                f = new Pullback(
                        table.output().squeeze(1), weights -> table.gradient().apply(weights.reshape(-1, 1)));
            } else {
                f = model.pullback(parameters, x, k);
            }
            List<Numbers> numbers = numbers(f.output().toDoubles(), new double[0]);
            Loss loss = loss(numbers);
            Tensor back = Tensors.like(f.output(), own(loss));
            return result(f.gradient().apply(back), loss, numbers, false);
        }

        private LossAndGradient table() {
            Pullback table = tables.apply(x);
            Tensor f = table.output().detach();
            if (drawsComponents && down.count > 0) {
                long[] drawn = JointDensity.draw(
                        key.child(part).stream(), f.narrow(0, up.count, down.count), objective.samplingScale());
                System.arraycopy(drawn, 0, k, up.count, down.count);
            }
            boolean marginal = objective.compares() == ContrastedDensity.MARGINAL;
            Tensor index = Tensors.of(k).to(f.device());
            Tensor own = f.gather(1, index.unsqueeze(1)).squeeze(1);
            Tensor sum = f.logSumExp(1);
            double[] entropies =
                    sum.minus(own).narrow(0, labelled.from, labelled.count).toDoubles();
            List<Numbers> numbers = numbers((marginal ? sum : own).toDoubles(), entropies);
            Loss loss = loss(numbers);
            double[] gradient = own(loss);
            double[] none = new double[k.length];
            Tensor back = marginal
                    ? back(f, index, gradient, none, labelled)
                    : back(f, index, none, gradient, new Span(0, k.length));
            return result(table.gradient().apply(back), loss, numbers, true);
        }

        /**
         * The gradient with respect to the table, aᵢ·p(·|xᵢ) + bᵢ·δ_kᵢ: the weights on the marginal and on the own component, and of
         * the label term λ(p(·|x) − δ_k)/n at its rows. Only the {@code owned} rows can have a weight b.
         */
        private Tensor back(Tensor f, Tensor index, double[] a, double[] b, Span owned) {
            int n = positives.labelled().orElse(positives).size();
            double label = weights.labels() / n;
            for (int i = labelled.from; label > 0 && i < labelled.from + labelled.count; i++) {
                a[i] += label;
                b[i] -= label;
            }
            boolean ownAlone = owned.count == a.length && Arrays.stream(a).allMatch(weight -> weight == 0);
            Tensor oneHot = index.narrow(0, owned.from, owned.count).oneHot(model.components(), f.dtype());
            Tensor onOwn = Tensors.like(f, owned.of(b), owned.count, 1);
            if (ownAlone) {
                return oneHot.timesInPlace(onOwn);
            }
            Tensor back = f.softmax(1).timesInPlace(Tensors.like(f, a, a.length, 1));
            back.narrow(0, owned.from, owned.count).addProductInPlace(oneHot, onOwn, 1);
            return back;
        }

        /** The numbers of all parts; of this one alone where no sample's gradient depends on another's f, which need not wait. */
        private List<Numbers> numbers(double[] f, double[] entropies) {
            Numbers own = new Numbers(Arrays.copyOf(f, up.count), Arrays.copyOfRange(f, up.count, compared), entropies);
            if (parts.size() == 1 || !objective.joins()) {
                return List.of(own);
            }
            parts.get(part).complete(own);
            return parts.stream().map(Parallel::join).toList();
        }

        private static double[] joined(List<Numbers> numbers, Function<Numbers, double[]> which) {
            return numbers.stream().map(which).flatMapToDouble(Arrays::stream).toArray();
        }

        /**
         * The generative part by its weight, of all rows in the order of the batch. Where no sample looks at another it is that of
         * this part's rows, with gradients that count by its share of all rows.
         */
        private Loss loss(List<Numbers> numbers) {
            long[] others = negatives.k();
            double[] above = joined(numbers, Numbers::positives);
            double[] below = joined(numbers, Numbers::negatives);
            boolean apart =
                    objective.compares() == ContrastedDensity.GIVEN && model.components() > 1 && objective.joins();
            Loss loss = apart
                    ? JointObjective.byComponent(objective, above, positives.k(), below, others)
                    : objective.of(above, below);
            Loss whole = numbers.size() == parts.size()
                    ? loss
                    : new Loss(
                            loss.value(),
                            up.within(loss.positiveGradient(), positives.size()),
                            down.within(loss.negativeGradient(), others.length),
                            loss.parts());
            return whole.times(weights.generative());
        }

        /** The gradient with respect to f at this part's rows; 0 at those for the label term alone. */
        private double[] own(Loss loss) {
            double[] own = Arrays.copyOf(up.of(loss.positiveGradient()), k.length);
            System.arraycopy(loss.negativeGradient(), down.from, own, up.count, down.count);
            return own;
        }

        private LossAndGradient result(Tensor gradient, Loss loss, List<Numbers> numbers, boolean hasLabels) {
            double[] above = joined(numbers, Numbers::positives);
            double[] entropies = joined(numbers, Numbers::crossEntropy);
            double entropy = Arrays.stream(entropies).average().orElse(0);
            double value = loss.value() + weights.labels() * entropy;
            return new LossAndGradient(
                    gradient,
                    new Loss(
                            value, loss.positiveGradient(), loss.negativeGradient(), new LinkedHashMap<>(loss.parts())),
                    above,
                    down.count == 0 ? above : joined(numbers, Numbers::negatives),
                    Arrays.copyOfRange(k, up.count, compared),
                    entropy,
                    hasLabels ? entropies.length : 0);
        }
    }
}

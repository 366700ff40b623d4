package dev.kelvin.train;

import dev.kelvin.Parallel;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Table;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.Columned;
import dev.kelvin.objective.Compared;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;

/**
 * One step's loss and its gradient with respect to the parameters: f at positives and negatives, the objective on it, and the
 * label term. Only one number a sample comes to Java's side; the table stays where it was computed.
 *
 * <p>A table with many columns is worked on in two halves, on two threads: each computes f at its rows and tells the other its
 * numbers, both ask the objective about all of them, and each pulls its rows' share back.
 */
record Comparison(
        Tensor gradient, Loss loss, double[] positives, double[] negatives, double crossEntropy, boolean labelled) {
    static final String CROSS_ENTROPY = "cross_entropy";

    /** Numbers in a table from which two threads are faster than one. */
    private static final int MANY = 4096;

    static Comparison of(
            Key key,
            EnergyModel model,
            Parameters parameters,
            Objective objective,
            Batch positives,
            DrawnNegatives negatives) {
        Task task = new Task(key, model, parameters, objective, positives, negatives);
        long rows = positives.size() + (long) negatives.k().length;
        boolean halves = model.columns() > 1
                && rows * model.columns() >= MANY
                && positives.size() > 1
                && negatives.k().length != 1
                && model.network().rowsAlone();
        if (!halves) {
            return task.part(0, new Exchange(1), 1);
        }
        Exchange exchange = new Exchange(2);
        List<Comparison> both = Parallel.halves(half -> {
            try (Scope scope = Scope.open()) {
                Comparison part = task.part(half, exchange, 2);
                Scope.detach(part.gradient);
                return part;
            } catch (RuntimeException | Error e) {
                exchange.fail(e);
                throw e;
            }
        });
        both.forEach(part -> Scope.adopt(part.gradient));
        both.get(0).gradient.addInPlace(both.get(1).gradient);
        return objective.weighs() ? both.get(0) : both.get(0).beside(both.get(1), objective);
    }

    /** What two parts that knew nothing of each other tell together; the gradient is the first's, which has both. */
    private Comparison beside(Comparison other, Objective objective) {
        double[] up = joined(List.of(positives, other.positives));
        double[] down = joined(List.of(negatives, other.negatives));
        double entropy = (positives.length * crossEntropy + other.positives.length * other.crossEntropy) / up.length;
        Loss all = objective.of(up, down);
        Loss whole = new Loss(
                all.value() + objective.labels() * entropy,
                all.positiveGradient(),
                all.negativeGradient(),
                all.parts());
        return new Comparison(gradient, whole, up, down, entropy, labelled);
    }

    private static double[] joined(List<double[]> parts) {
        return parts.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    Map<String, Double> report() {
        Map<String, Double> report = StepReport.values(loss, positives, negatives);
        if (labelled) {
            report.put(CROSS_ENTROPY, crossEntropy);
        }
        return report;
    }

    /** What the halves tell each other: f at the positives and at the negatives, and −log p(k|x), of each one's rows. */
    private record Told(double[] positives, double[] negatives, double[] crossEntropy) {}

    private static final class Exchange {
        private final List<CompletableFuture<Told>> parts;

        Exchange(int parts) {
            this.parts = java.util.stream.Stream.generate(CompletableFuture<Told>::new)
                    .limit(parts)
                    .toList();
        }

        List<Told> tell(int part, Told told) {
            parts.get(part).complete(told);
            try {
                return parts.stream().map(CompletableFuture::join).toList();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                if (e.getCause() instanceof Error cause) {
                    throw cause;
                }
                throw e;
            }
        }

        /** Whether there is another part. */
        boolean isShared() {
            return parts.size() > 1;
        }

        /** So that the other half, which waits, fails too. */
        void fail(Throwable cause) {
            parts.forEach(part -> part.completeExceptionally(cause));
        }
    }

    private record Task(
            Key key,
            EnergyModel model,
            Parameters parameters,
            Objective objective,
            Batch positives,
            DrawnNegatives negatives) {
        /** One of so many parts of the rows, which tells its numbers to the others. */
        Comparison part(int part, Exchange exchange, int parts) {
            Rows up = Rows.of(positives.size(), part, parts);
            Rows down = Rows.of(negatives.k().length, part, parts);
            Tensor above = up.of(positives.x());
            Tensor x = down.count == 0 ? above : Tensors.concat(0, above, down.of(negatives.x()));
            long[] k = LongStream.concat(Arrays.stream(up.of(positives.k())), Arrays.stream(down.of(negatives.k())))
                    .toArray();
            return model.columns() == 1 || (objective.compares() == Compared.GIVEN && objective.labels() == 0)
                    ? given(part, exchange, up, down, x, k)
                    : table(part, exchange, up, down, x, k);
        }

        /** f at each sample's own column, without the others. */
        private Comparison given(int part, Exchange exchange, Rows up, Rows down, Tensor x, long[] k) {
            Pullback f = model.pullback(parameters, x, k);
            double[] values = f.output().toDoubles();
            List<Told> told = told(
                    exchange,
                    part,
                    new Told(
                            Arrays.copyOfRange(values, 0, up.count),
                            Arrays.copyOfRange(values, up.count, values.length),
                            new double[0]));
            Loss loss = exchange.isShared() && !objective.weighs() ? partial(told.get(0), up, down) : loss(told);
            Tensor weights = Tensors.like(f.output(), own(loss, up, down));
            return result(f.gradient().apply(weights), loss, told, false);
        }

        private Comparison table(int part, Exchange exchange, Rows up, Rows down, Tensor x, long[] k) {
            Pullback all = model.pullback(parameters, x);
            Tensor f = all.output().detach();
            if (objective.compares() == Compared.PAIR && down.count > 0) {
                long[] drawn = Table.draw(
                        key.child(part).stream(), f.narrow(0, up.count, down.count), objective.samplingScale());
                System.arraycopy(drawn, 0, k, up.count, down.count);
            }
            boolean marginal = objective.compares() == Compared.MARGINAL;
            Tensor index = Tensors.of(k).to(f.device());
            Tensor own = f.gather(1, index.unsqueeze(1)).squeeze(1);
            Tensor sum = f.logSumExp(1);
            double[] values = (marginal ? sum : own).toDoubles();
            double[] entropies = sum.minus(own).narrow(0, 0, up.count).toDoubles();
            List<Told> told = told(
                    exchange,
                    part,
                    new Told(
                            Arrays.copyOfRange(values, 0, up.count),
                            Arrays.copyOfRange(values, up.count, values.length),
                            entropies));
            Loss loss = exchange.isShared() && !objective.weighs() ? partial(told.get(0), up, down) : loss(told);
            double[] gradient = own(loss, up, down);
            double[] none = new double[k.length];
            Tensor weights = marginal
                    ? weights(f, index, gradient, none, up.count, up.count)
                    : weights(f, index, none, gradient, k.length, up.count);
            return result(all.gradient().apply(weights), loss, told, true);
        }

        /**
         * The gradient with respect to the table, aᵢ·p(·|xᵢ) + bᵢ·δ_kᵢ: the weights on the marginal and on the own column, and
         * of the label term λ(p(·|x) − δ_k)/n at the first {@code labelled} rows, the positives. Only the first {@code owned}
         * rows can have a weight b.
         */
        private Tensor weights(Tensor f, Tensor index, double[] a, double[] b, int owned, int labelled) {
            double label = objective.labels() / positives.size();
            for (int i = 0; label > 0 && i < labelled; i++) {
                a[i] += label;
                b[i] -= label;
            }
            boolean ownAlone = Arrays.stream(a).allMatch(weight -> weight == 0);
            Tensor oneHot = index.narrow(0, 0, owned).oneHot(model.columns(), f.dtype());
            Tensor onOwn = Tensors.like(f, Arrays.copyOf(b, owned), owned, 1);
            if (ownAlone) {
                return oneHot.timesInPlace(onOwn);
            }
            Tensor weights = f.softmax(1).timesInPlace(Tensors.like(f, a, a.length, 1));
            weights.narrow(0, 0, owned).addProductInPlace(oneHot, onOwn, 1);
            return weights;
        }

        /** What all parts tell; where no sample's gradient depends on another's f, nobody need wait for that. */
        private List<Told> told(Exchange exchange, int part, Told own) {
            return objective.weighs() || !exchange.isShared() ? exchange.tell(part, own) : List.of(own);
        }

        /** Of this part's rows alone, with gradients that count by its share of all rows. */
        private Loss partial(Told own, Rows up, Rows down) {
            Loss loss = objective.of(own.positives, own.negatives);
            return new Loss(
                    loss.value(),
                    up.within(loss.positiveGradient(), positives.size()),
                    down.within(loss.negativeGradient(), negatives.k().length),
                    loss.parts());
        }

        /** Of all rows, in the order of the batch. */
        private Loss loss(List<Told> told) {
            double[] up = joined(told.stream().map(Told::positives).toList());
            double[] down = joined(told.stream().map(Told::negatives).toList());
            return objective.compares() == Compared.GIVEN && model.columns() > 1 && objective.weighs()
                    ? Columned.byColumn(objective, up, positives.k(), down, negatives.k())
                    : objective.of(up, down);
        }

        /** The gradient with respect to f at this part's rows. */
        private static double[] own(Loss loss, Rows up, Rows down) {
            double[] both = Arrays.copyOf(up.of(loss.positiveGradient()), up.count + down.count);
            System.arraycopy(loss.negativeGradient(), down.from, both, up.count, down.count);
            return both;
        }

        private Comparison result(Tensor gradient, Loss loss, List<Told> told, boolean labelled) {
            double[] up = joined(told.stream().map(Told::positives).toList());
            double[] down = joined(told.stream().map(Told::negatives).toList());
            double entropy = Arrays.stream(
                            joined(told.stream().map(Told::crossEntropy).toList()))
                    .average()
                    .orElse(0);
            double value = loss.value() + objective.labels() * entropy;
            Loss whole = new Loss(
                    value, loss.positiveGradient(), loss.negativeGradient(), new LinkedHashMap<>(loss.parts()));
            return new Comparison(gradient, whole, up, down.length == 0 ? up : down, entropy, labelled);
        }
    }

    /** Some neighbouring rows of a batch. */
    private record Rows(int from, int count) {
        static Rows of(int all, int part, int parts) {
            int from = part * (all / parts);
            return new Rows(from, part == parts - 1 ? all - from : all / parts);
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
}

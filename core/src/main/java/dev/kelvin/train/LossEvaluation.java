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
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * One pass of a step's rows through the model, and back: f at positives and negatives, the objective on it, and the label term
 * on the positives, or on rows of its own where the batch has such. Only one number a sample comes to Java's side; the table
 * stays where it was computed.
 *
 * <p>A table with many components is worked on in two halves, on two threads: each computes f at its rows and tells the other its
 * numbers, both ask the objective about all of them, and each pulls its rows' share back.
 *
 * @param tables the model's, with these parameters
 * @param components the negatives' components where pairs are compared; drawn by the key where there are none
 */
record LossEvaluation(
        Key key,
        EnergyModel model,
        Parameters parameters,
        Objective objective,
        Weights weights,
        Batch positives,
        DrawnNegatives negatives,
        Optional<long[]> components,
        Tables tables) {
    /** The model's table at samples, with the way back to the parameters. */
    @FunctionalInterface
    interface Tables {
        Pullback at(Tensor x);
    }

    /** Numbers in a table from which two threads are faster than one. */
    private static final int MANY = 4096;

    /** How much of the generative part, and of the label term, the loss has. */
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

    /** With the objective's own weights. */
    LossEvaluation(
            Key key,
            EnergyModel model,
            Parameters parameters,
            Objective objective,
            Batch positives,
            DrawnNegatives negatives) {
        this(
                key,
                model,
                parameters,
                objective,
                Weights.of(objective, objective.alpha().start()),
                positives,
                negatives,
                Optional.empty(),
                x -> model.pullback(parameters, x));
    }

    /** The same, by tables that were recorded. */
    LossEvaluation by(Tables others) {
        return new LossEvaluation(key, model, parameters, objective, weights, positives, negatives, components, others);
    }

    /** The same rows, with other weights. */
    LossEvaluation weighed(Weights others) {
        return new LossEvaluation(key, model, parameters, objective, others, positives, negatives, components, tables);
    }

    /** The same pass again, wherever the parameters are now: pairs keep their components. */
    LossEvaluation again(LossAndGradient before) {
        return new LossEvaluation(
                key,
                model,
                parameters,
                objective,
                weights,
                positives,
                negatives,
                Optional.of(before.components()),
                tables);
    }

    LossAndGradient compare() {
        int others = positives.labelled().map(Batch::size).orElse(0);
        long rows = positives.size() + (long) negatives.k().length + others;
        boolean halves = model.components() > 1
                && rows * model.components() >= MANY
                && positives.size() > 1
                && negatives.k().length != 1
                && others != 1
                && !positives.x().device().cuda()
                && model.network().rowsAlone();
        if (!halves) {
            return part(0, new Exchange(1), 1);
        }
        Exchange exchange = new Exchange(2);
        List<LossAndGradient> both = Parallel.halves(half -> {
            try (Scope scope = Scope.open()) {
                LossAndGradient part = part(half, exchange, 2);
                Scope.detach(part.gradient());
                return part;
            } catch (RuntimeException | Error e) {
                exchange.fail(e);
                throw e;
            }
        });
        both.forEach(part -> Scope.adopt(part.gradient()));
        both.get(0).gradient().addInPlace(both.get(1).gradient());
        return objective.weighs()
                ? both.get(0).joining(both.get(1))
                : both.get(0).beside(both.get(1), objective, weights);
    }

    /** A part's rows: positives, negatives, and those for the label term alone, in this order. */
    private record Groups(RowSpan up, RowSpan down, RowSpan beside, Tensor x, long[] k) {
        int compared() {
            return up.count() + down.count();
        }

        /** The rows that the label term looks at, among all. */
        RowSpan labelled() {
            return beside.count() > 0 ? new RowSpan(compared(), beside.count()) : new RowSpan(0, up.count());
        }
    }

    private Groups groups(int part, int parts) {
        RowSpan up = RowSpan.of(positives.size(), part, parts);
        RowSpan down = RowSpan.of(negatives.k().length, part, parts);
        Optional<Batch> others = positives.labelled();
        RowSpan beside = RowSpan.of(others.map(Batch::size).orElse(0), part, parts);
        List<Tensor> x = new ArrayList<>();
        x.add(up.of(positives.x()));
        if (down.count() > 0) {
            x.add(down.of(negatives.x()));
        }
        others.ifPresent(batch -> x.add(beside.of(batch.x())));
        long[] theirs = components.orElse(negatives.k());
        long[] k = Stream.of(
                        up.of(positives.k()),
                        down.of(theirs),
                        others.map(batch -> beside.of(batch.k())).orElse(new long[0]))
                .flatMapToLong(LongStream::of)
                .toArray();
        return new Groups(up, down, beside, x.size() == 1 ? x.get(0) : Tensors.concat(0, x), k);
    }

    /** One of so many parts of the rows, which tells its numbers to the others. */
    private LossAndGradient part(int part, Exchange exchange, int parts) {
        Groups rows = groups(part, parts);
        return model.components() == 1 || (objective.compares() == ContrastedDensity.GIVEN && objective.labels() == 0)
                ? given(part, exchange, rows)
                : table(part, exchange, rows);
    }

    /** f at each sample's own component, without the others. */
    private LossAndGradient given(int part, Exchange exchange, Groups rows) {
        Pullback f = model.components() == 1 ? only(tables.at(rows.x)) : model.pullback(parameters, rows.x, rows.k);
        List<Exchange.Told> told = told(exchange, part, rows, f.output().toDoubles(), new double[0]);
        Loss loss = loss(exchange, told, rows);
        Tensor back = Tensors.like(f.output(), own(loss, rows));
        return result(f.gradient().apply(back), loss, told, rows, false);
    }

    /** A table's only component, [n, 1] -> [n]. */
    private static Pullback only(Pullback table) {
        return new Pullback(
                table.output().squeeze(1), weights -> table.gradient().apply(weights.reshape(-1, 1)));
    }

    private LossAndGradient table(int part, Exchange exchange, Groups rows) {
        Pullback all = tables.at(rows.x);
        Tensor f = all.output().detach();
        int up = rows.up.count();
        int down = rows.down.count();
        if (objective.compares() == ContrastedDensity.PAIR && down > 0 && components.isEmpty()) {
            long[] drawn =
                    JointDensity.draw(key.child(part).stream(), f.narrow(0, up, down), objective.samplingScale());
            System.arraycopy(drawn, 0, rows.k, up, down);
        }
        boolean marginal = objective.compares() == ContrastedDensity.MARGINAL;
        Tensor index = Tensors.of(rows.k).to(f.device());
        Tensor own = f.gather(1, index.unsqueeze(1)).squeeze(1);
        Tensor sum = f.logSumExp(1);
        RowSpan labelled = rows.labelled();
        double[] entropies =
                sum.minus(own).narrow(0, labelled.from(), labelled.count()).toDoubles();
        List<Exchange.Told> told = told(exchange, part, rows, (marginal ? sum : own).toDoubles(), entropies);
        Loss loss = loss(exchange, told, rows);
        double[] gradient = own(loss, rows);
        double[] none = new double[rows.k.length];
        Tensor back = marginal
                ? back(f, index, gradient, none, labelled, labelled)
                : back(f, index, none, gradient, new RowSpan(0, rows.k.length), labelled);
        return result(all.gradient().apply(back), loss, told, rows, true);
    }

    /**
     * The gradient with respect to the table, aᵢ·p(·|xᵢ) + bᵢ·δ_kᵢ: the weights on the marginal and on the own component, and of
     * the label term λ(p(·|x) − δ_k)/n at its rows. Only the {@code owned} rows can have a weight b.
     */
    private Tensor back(Tensor f, Tensor index, double[] a, double[] b, RowSpan owned, RowSpan labelled) {
        int n = positives.labelled().orElse(positives).size();
        double label = weights.labels / n;
        for (int i = labelled.from(); label > 0 && i < labelled.from() + labelled.count(); i++) {
            a[i] += label;
            b[i] -= label;
        }
        boolean ownAlone = owned.count() == a.length && Arrays.stream(a).allMatch(weight -> weight == 0);
        Tensor oneHot = index.narrow(0, owned.from(), owned.count()).oneHot(model.components(), f.dtype());
        Tensor onOwn = Tensors.like(f, owned.of(b), owned.count(), 1);
        if (ownAlone) {
            return oneHot.timesInPlace(onOwn);
        }
        Tensor back = f.softmax(1).timesInPlace(Tensors.like(f, a, a.length, 1));
        back.narrow(0, owned.from(), owned.count()).addProductInPlace(oneHot, onOwn, 1);
        return back;
    }

    /** What all parts tell; where no sample's gradient depends on another's f, nobody need wait for that. */
    private List<Exchange.Told> told(Exchange exchange, int part, Groups rows, double[] f, double[] entropies) {
        int up = rows.up.count();
        Exchange.Told own =
                new Exchange.Told(Arrays.copyOf(f, up), Arrays.copyOfRange(f, up, rows.compared()), entropies);
        return objective.weighs() || !exchange.isShared() ? exchange.tell(part, own) : List.of(own);
    }

    /** The generative part by its weight, of all rows or, where no sample looks at another, of this part's. */
    private Loss loss(Exchange exchange, List<Exchange.Told> told, Groups rows) {
        Loss loss = exchange.isShared() && !objective.weighs() ? partial(told.get(0), rows) : whole(told);
        return loss.times(weights.generative);
    }

    /** Of this part's rows alone, with gradients that count by its share of all rows. */
    private Loss partial(Exchange.Told own, Groups rows) {
        Loss loss = objective.of(own.positives(), own.negatives());
        return new Loss(
                loss.value(),
                rows.up.within(loss.positiveGradient(), positives.size()),
                rows.down.within(loss.negativeGradient(), negatives.k().length),
                loss.parts());
    }

    /** Of all rows, in the order of the batch. */
    private Loss whole(List<Exchange.Told> told) {
        double[] up =
                Exchange.joined(told.stream().map(Exchange.Told::positives).toList());
        double[] down =
                Exchange.joined(told.stream().map(Exchange.Told::negatives).toList());
        return objective.compares() == ContrastedDensity.GIVEN && model.components() > 1 && objective.weighs()
                ? JointObjective.byComponent(objective, up, positives.k(), down, negatives.k())
                : objective.of(up, down);
    }

    /** The gradient with respect to f at this part's rows; 0 at those for the label term alone. */
    private static double[] own(Loss loss, Groups rows) {
        double[] all = Arrays.copyOf(rows.up.of(loss.positiveGradient()), rows.k.length);
        System.arraycopy(loss.negativeGradient(), rows.down.from(), all, rows.up.count(), rows.down.count());
        return all;
    }

    private LossAndGradient result(
            Tensor gradient, Loss loss, List<Exchange.Told> told, Groups rows, boolean labelled) {
        double[] up =
                Exchange.joined(told.stream().map(Exchange.Told::positives).toList());
        double[] down =
                Exchange.joined(told.stream().map(Exchange.Told::negatives).toList());
        double[] entropies =
                Exchange.joined(told.stream().map(Exchange.Told::crossEntropy).toList());
        double entropy = Arrays.stream(entropies).average().orElse(0);
        double value = loss.value() + weights.labels * entropy;
        Loss both =
                new Loss(value, loss.positiveGradient(), loss.negativeGradient(), new LinkedHashMap<>(loss.parts()));
        return new LossAndGradient(
                gradient,
                both,
                up,
                down.length == 0 ? up : down,
                Arrays.copyOfRange(rows.k, rows.up.count(), rows.compared()),
                entropy,
                labelled ? entropies.length : 0);
    }
}

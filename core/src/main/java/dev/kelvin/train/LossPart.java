package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A part of the rows of a {@link LossEvaluation}: positives, negatives and those for the label term alone, in this order. f at
 * them, the objective on it, and the label term on the positives, or on rows of its own where the batch has such. Only one
 * number a sample comes to Java's side; the table stays where it was computed.
 */
final class LossPart {
    private final LossEvaluation all;
    private final EnergyModel model;
    private final Objective objective;
    private final LossEvaluation.Weights weights;
    private final boolean drawsComponents;
    private final int part;
    private final int parts;
    private final Span up;
    private final Span down;
    private final long[] others; // the components of all negatives
    private final int compared; // rows of up and down
    private final Span labelled; // the rows that the label term looks at, among this part's
    private final Tensor x;
    private final long[] k;

    /** f at a part's positives and negatives, and −log p(k|x) at its labelled rows. */
    record Numbers(double[] positives, double[] negatives, double[] crossEntropy) {
        /** All in a row. */
        double[] flat() {
            return Stream.of(positives, negatives, crossEntropy)
                    .flatMapToDouble(Arrays::stream)
                    .toArray();
        }

        /** Another part's, of which there are as many. */
        Numbers likewise(double[] flat) {
            int below = positives.length + negatives.length;
            return new Numbers(
                    Arrays.copyOf(flat, positives.length),
                    Arrays.copyOfRange(flat, positives.length, below),
                    Arrays.copyOfRange(flat, below, flat.length));
        }
    }

    /** A part's numbers, and what it makes of them and the others', in the order of the parts, or of its own alone. */
    record Forward(Numbers numbers, Function<List<Numbers>, LossAndGradient> back) {}

    /** Rows among all. */
    record Span(int from, int count) {
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

    /**
     * A part of several.
     *
     * @param below its negatives
     * @param others the components of all negatives
     */
    LossPart(
            LossEvaluation all,
            LossEvaluation.Weights weights,
            boolean drawsComponents,
            int part,
            int parts,
            Tensor below,
            long[] others) {
        this.all = all;
        this.model = all.model();
        this.objective = all.objective();
        this.weights = weights;
        this.drawsComponents = drawsComponents;
        this.part = part;
        this.parts = parts;
        this.others = others;
        Batch positives = all.positives();
        Optional<Batch> labels = positives.labelled();
        up = Span.of(positives.size(), part, parts);
        down = Span.of(others.length, part, parts);
        compared = up.count + down.count;
        Span beside = Span.of(labels.map(Batch::size).orElse(0), part, parts);
        labelled = beside.count > 0 ? new Span(compared, beside.count) : new Span(0, up.count);
        List<Tensor> rows = new ArrayList<>(List.of(up.of(positives.x())));
        if (down.count > 0) {
            rows.add(below);
        }
        labels.ifPresent(batch -> rows.add(beside.of(batch.x())));
        x = rows.size() == 1 ? rows.get(0) : Tensors.concat(0, rows);
        k = Stream.of(
                        up.of(positives.k()),
                        down.of(others),
                        labels.map(batch -> beside.of(batch.k())).orElse(new long[0]))
                .flatMapToLong(LongStream::of)
                .toArray();
    }

    Forward forward() {
        return model.components() == 1 || (objective.compares() == ContrastedDensity.GIVEN && objective.labels() == 0)
                ? given()
                : table();
    }

    /** f at each sample's own component, without the others. */
    private Forward given() {
        Pullback f;
        if (model.components() == 1) {
            Pullback table = all.tables().apply(x);
            f = new Pullback(
                    table.output().squeeze(1), weights -> table.gradient().apply(weights.reshape(-1, 1)));
        } else {
            f = model.pullback(all.parameters(), x, k);
        }
        return new Forward(numbers(f.output().toDoubles(), new double[0]), numbers -> {
            Loss loss = loss(numbers);
            Tensor back = Tensors.like(f.output(), own(loss));
            return result(f.gradient().apply(back), loss, numbers, false);
        });
    }

    private Forward table() {
        Pullback table = all.tables().apply(x);
        Tensor f = table.output().detach();
        if (drawsComponents && down.count > 0) {
            long[] drawn = JointDensity.draw(
                    all.key().child(part).stream(), f.narrow(0, up.count, down.count), objective.samplingScale());
            System.arraycopy(drawn, 0, k, up.count, down.count);
        }
        boolean marginal = objective.compares() == ContrastedDensity.MARGINAL;
        Tensor index = Tensors.of(k).to(f.device());
        Tensor own = f.gather(1, index.unsqueeze(1)).squeeze(1);
        Tensor sum = f.logSumExp(1);
        double[] entropies =
                sum.minus(own).narrow(0, labelled.from, labelled.count).toDoubles();
        return new Forward(numbers((marginal ? sum : own).toDoubles(), entropies), numbers -> {
            Loss loss = loss(numbers);
            double[] gradient = own(loss);
            double[] none = new double[k.length];
            Tensor back = marginal
                    ? back(f, index, gradient, none, labelled)
                    : back(f, index, none, gradient, new Span(0, k.length));
            return result(table.gradient().apply(back), loss, numbers, true);
        });
    }

    /**
     * The gradient with respect to the table, aᵢ·p(·|xᵢ) + bᵢ·δ_kᵢ: the weights on the marginal and on the own component, and of
     * the label term λ(p(·|x) − δ_k)/n at its rows. Only the {@code owned} rows can have a weight b.
     */
    private Tensor back(Tensor f, Tensor index, double[] a, double[] b, Span owned) {
        int n = all.positives().labelled().orElse(all.positives()).size();
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

    private Numbers numbers(double[] f, double[] entropies) {
        return new Numbers(Arrays.copyOf(f, up.count), Arrays.copyOfRange(f, up.count, compared), entropies);
    }

    private static double[] joined(List<Numbers> numbers, Function<Numbers, double[]> which) {
        return numbers.stream().map(which).flatMapToDouble(Arrays::stream).toArray();
    }

    /**
     * The generative part by its weight, of all rows in the order of the batch. Where no sample looks at another it may be that
     * of this part's rows, with gradients that count by its share of all rows.
     */
    private Loss loss(List<Numbers> numbers) {
        double[] above = joined(numbers, Numbers::positives);
        double[] below = joined(numbers, Numbers::negatives);
        long[] up = all.positives().k();
        boolean apart = objective.compares() == ContrastedDensity.GIVEN && model.components() > 1 && objective.joins();
        Loss loss =
                apart ? JointObjective.byComponent(objective, above, up, below, others) : objective.of(above, below);
        Loss whole = numbers.size() == parts
                ? loss
                : new Loss(
                        loss.value(),
                        this.up.within(loss.positiveGradient(), up.length),
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
                new Loss(value, loss.positiveGradient(), loss.negativeGradient(), new LinkedHashMap<>(loss.parts())),
                above,
                down.count == 0 ? above : joined(numbers, Numbers::negatives),
                Arrays.copyOfRange(k, up.count, compared),
                entropy,
                hasLabels ? entropies.length : 0);
    }
}

package dev.kelvin.model;

import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.energy.Affine;
import dev.kelvin.energy.ConditionalGaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.nn.GaussianBase;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.anneal.BridgedDraws;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows of a table of which some cells are known, completed by samples of a model given those.
 *
 * <pre>
 * x′ = φ((x − m)/s) has known and free coordinates, z = x′W is what the model sees
 * x′_F = μ_F|K + uLᵀ,  u from N(0, I) led to  u ↦ f(o + uLᵀW_F),  o = (x′_K, μ_F|K)W
 * </pre>
 *
 * <p>μ_F|K and LLᵀ are those of the model's Gaussian base given the known cells, so that u is roughly N(0, I), whatever the
 * columns' units and correlations. A model that was trained with noise is a density of noisy rows, and known cells are taken
 * for noisy ones.
 */
public final class ConditionedRows {
    /** Chains that walk at once. */
    private static final int CHAINS = 1 << 14;

    /** Added to the Gaussian's variances, in squares of a column's deviation: columns may follow from others. */
    private static final double RIDGE = 1e-8;

    /** A Gaussian's deviation, as a share of a range that is all that is known of a column. */
    private static final double OF_RANGE = 0.25;

    private final Model model;
    private final SampleKind.Rows data;
    private final Optional<String> wanted;
    private final BridgedDraws draws;

    /**
     * By a model of a table.
     *
     * @param wanted the class of the rows; without it, all together
     * @param moves on the density itself, after chains have been led there; without it, the usual number
     */
    public ConditionedRows(Model model, Optional<String> wanted, OptionalInt moves) {
        this.model = model;
        this.data = model.card()
                .samples()
                .rows()
                .orElseThrow(() -> new InvalidInputException("given cells are those of a table's columns, and "
                        + model.name() + " was trained on " + (model.range().isPresent() ? "images" : "points")));
        this.wanted = wanted;
        BridgedDraws usual = BridgedDraws.USUAL;
        this.draws = new BridgedDraws(usual.densities(), moves.orElse(usual.moves()), usual.least());
        wanted.ifPresent(model::classNamed); // or it is refused
    }

    /** The table's columns. */
    public Schema schema() {
        return data.schema();
    }

    /** How many steps a chain takes. */
    public int length() {
        return draws.densities() + draws.moves();
    }

    /** Samples of the columns that are not given, as inputs in the table's own units. */
    public double[][] given(Key key, List<String> texts, int count) {
        double[] row = GivenCells.parse(schema(), texts);
        requireRoom(1, count);
        List<double[]> all = new ArrayList<>();
        for (int from = 0; from < count; from += CHAINS) {
            int some = Math.min(CHAINS, count - from);
            all.addAll(Arrays.asList(completeAlike(key.child(from), new double[][] {row}, some)));
        }
        return all.toArray(new double[0][]);
    }

    /**
     * Each row with its NaN inputs sampled given the others, a number of times, a row after the other; rows without NaN stay
     * as they are.
     *
     * @param first the number of the first row among all: what a row is filled with does not depend on rows of other blocks
     */
    public double[][] complete(Key key, long first, double[][] rows, int each) {
        Map<BitSet, List<Integer>> byGaps = IntStream.range(0, rows.length)
                .boxed()
                .collect(Collectors.groupingBy(i -> gaps(rows[i]), LinkedHashMap::new, Collectors.toList()));
        requireRoom(rows.length, each);
        double[][] all = new double[rows.length * each][];
        byGaps.forEach((gaps, numbers) -> {
            double[][] some = numbers.stream().map(i -> rows[i]).toArray(double[][]::new);
            double[][] whole = gaps.isEmpty() ? some : completeAlike(key.child(first + numbers.get(0)), some, each);
            for (int i = 0; i < numbers.size() * each; i++) {
                all[numbers.get(i / each) * each + i % each] = gaps.isEmpty() ? some[i / each].clone() : whole[i];
            }
        });
        return all;
    }

    private void requireRoom(int rows, int each) {
        Memory.array(Double.BYTES, rows, each, schema().width());
    }

    private static BitSet gaps(double... row) {
        BitSet gaps = new BitSet();
        IntStream.range(0, row.length).filter(j -> Double.isNaN(row[j])).forEach(gaps::set);
        return gaps;
    }

    /** Rows that have NaN at the same inputs. */
    private double[][] completeAlike(Key key, double[][] rows, int each) {
        int together = Math.max(1, CHAINS / draws.chains(each));
        List<double[]> all = new ArrayList<>();
        for (int from = 0; from < rows.length; from += together) {
            double[][] some = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + together));
            all.addAll(block(key.child(from), some, each));
        }
        return all.toArray(new double[0][]);
    }

    private List<double[]> block(Key key, double[][] rows, int each) {
        Scaler scaler = data.units().scaler();
        int d = schema().width();
        int[] places = gaps(rows[0]).stream().toArray();
        try (Scope scope = Scope.open()) {
            Tensor standard = Tensors.of(
                    Stream.of(rows).flatMapToDouble(row -> known(scaler, row)).toArray(), rows.length, d);
            Tensor whitening = Tensors.of(scaler.whitening(), d, d);
            ConditionalGaussian gaussian = gaussian(scaler, places);
            Tensor mean = gaussian.mean(standard); // [rows, m]
            Tensor centre = withFree(standard, mean, places);
            Tensor factor = gaussian.factor().transpose();
            Tensor turned = factor.matmul(
                    whitening.rows(Arrays.stream(places).asLongStream().toArray()));
            LogDensity f = new Affine(
                    density(rows.length * draws.chains(each)),
                    seen(repeated(centre.matmul(whitening), draws.chains(each))),
                    seen(turned));
            Tensor u = draws.draw(key, f, rows.length, each, places.length, model.device());
            double[] moved = repeated(mean, each)
                    .plus(u.to(Device.CPU).to(DType.DOUBLE).matmul(factor))
                    .toDoubles();
            List<double[]> completed = new ArrayList<>();
            for (int i = 0; i < rows.length * each; i++) {
                double[] row = rows[i / each];
                double[] whole = new double[d];
                for (int m = 0; m < places.length; m++) {
                    whole[places[m]] = moved[i * places.length + m];
                }
                double[] x = scaler.uncolumns(whole);
                Arrays.setAll(x, j -> Double.isNaN(row[j]) ? x[j] : row[j]);
                completed.add(x);
            }
            return completed;
        }
    }

    /** A row's columns, 0 where it is not known. */
    private static DoubleStream known(Scaler scaler, double[] row) {
        return Arrays.stream(scaler.columns(row)).map(value -> Double.isNaN(value) ? 0 : value);
    }

    /** Samples with these at their free coordinates. */
    private static Tensor withFree(Tensor standard, Tensor mean, int[] places) {
        double[] all = standard.toDoubles();
        double[] free = mean.toDoubles();
        int d = (int) standard.size(1);
        for (int i = 0; i < standard.size(0); i++) {
            for (int m = 0; m < places.length; m++) {
                all[i * d + places[m]] = free[i * places.length + m];
            }
        }
        return Tensors.of(all, standard.size(0), d);
    }

    private static Tensor repeated(Tensor rows, int each) {
        long[] numbers = new long[(int) rows.size(0) * each];
        Arrays.setAll(numbers, i -> i / each);
        return rows.rows(numbers);
    }

    private Tensor seen(Tensor x) {
        return x.to(DType.FLOAT).to(model.device());
    }

    /** exp(f/T), of a class where one is wanted. */
    private LogDensity density(int rows) {
        if (wanted.isEmpty()) {
            return model.density();
        }
        long[] labels = new long[rows];
        Arrays.fill(labels, model.classNamed(wanted.get()));
        return model.given(labels).tempered(model.temperature());
    }

    /** Of rows' columns: the model's base where it has one, otherwise what the scaling or the columns' ranges say. */
    private ConditionalGaussian gaussian(Scaler scaler, int... places) {
        int d = schema().width();
        boolean[] free = new boolean[d];
        Arrays.stream(places).forEach(j -> free[j] = true);
        Tensor back = Tensors.of(scaler.unwhitening(), d, d);
        Tensor mean = Tensors.zeros(DType.DOUBLE, Device.CPU, 1, d);
        Tensor covariance = Tensors.eye(d, DType.DOUBLE);
        Optional<GaussianBase> base = model.energy().base();
        if (base.isPresent()) {
            Parameters parameters = model.parameters();
            mean = Tensors.of(base.get().mean(parameters), 1, d);
            covariance = Tensors.of(
                    Arrays.stream(base.get().covariance(parameters))
                            .flatMapToDouble(Arrays::stream)
                            .toArray(),
                    d,
                    d);
        } else if (data.scaling().kind() == Scaling.Kind.NONE) {
            double[][] ranges = ranges();
            mean = Tensors.of(ranges[0], 1, d);
            covariance = covariance.times(Tensors.of(ranges[1], 1, d));
        }
        return new ConditionalGaussian(
                mean.matmul(back).reshape(d),
                back.matmul(covariance).matmul(back).plus(Tensors.eye(d, DType.DOUBLE), RIDGE),
                free);
    }

    /** For each input the middle of its range, and a variance. */
    private double[][] ranges() {
        double[] middles = new double[schema().width()];
        double[] variances = new double[schema().width()];
        int[] owners = schema().owners();
        for (int j = 0; j < owners.length; j++) {
            Column column = schema().used().get(owners[j]);
            boolean number = column.kind() == Kind.NUMERIC;
            double deviation = OF_RANGE * (number ? column.high() - column.low() : 1);
            middles[j] = number ? (column.low() + column.high()) / 2 : 0.5;
            variances[j] = deviation * deviation;
        }
        return new double[][] {middles, variances};
    }
}

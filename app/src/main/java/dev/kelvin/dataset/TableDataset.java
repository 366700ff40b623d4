package dev.kelvin.dataset;

import dev.kelvin.model.SampleKind;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.math.NormalQuantiles;
import dev.kelvin.metric.OddColumns;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** A table that a recipe names: its schema and its scaling, which a run remembers, and its rows, read when they are needed. */
public final class TableDataset implements Data {
    private static final Key ODD = KeyDomain.SCORES.key().child(6);
    private static final int LOOKED_AT = 20_000; // rows, for what is usual of columns
    private static final int BATCH = 1024; // held-out rows at a time


    private final TableSettings spec;
    private final Device device;
    private final Schema schema;
    private final Scaling scaling;
    private final Scaler scaler;
    private final OpenedTable opened;
    private final NormalQuantiles.Scorer[] scores; // of the columns; empty where they are taken as they are
    private Optional<Tensor> whitening = Optional.empty(); // Wᵀ

    private TableDataset(
            TableSettings spec,
            Device device,
            Schema schema,
            Scaling scaling,
            OpenedTable opened) {
        this.spec = spec;
        this.device = device;
        this.schema = schema;
        this.scaling = scaling;
        this.scaler = scaling.scaler();
        this.scores = scaling.scores().stream().map(NormalQuantiles::scorer).toArray(NormalQuantiles.Scorer[]::new);
        this.opened = opened;
    }

    static TableDataset open(TableSettings spec, Key key, Device device) {
        OpenedTable opened = OpenedTable.of(spec, key, device);
        return new TableDataset(
                spec, device, opened.table().schema(), opened.scaling(), opened);
    }

    /** The table's rows. */
    public OpenedTable opened() {
        return opened;
    }

    /** The recipe's settings of the table. */
    public TableSettings spec() {
        return spec;
    }

    public Schema schema() {
        return schema;
    }

    public Scaling scaling() {
        return scaling;
    }

    public Scaler scaler() {
        return scaler;
    }

    @Override
    public List<Long> shape() {
        return List.of((long) schema.width());
    }

    /** (x − m)/s with noise on every value. */
    private Tensor noisy(Key chance, Tensor standard) {
        return spec.noise() == 0 ? standard : standard.plus(Tensors.normalLike(chance, spec.noise(), standard));
    }

    /** Rows (x − m)/s as the model sees them. */
    public Tensor seen(Tensor standard) {
        try (Scope scope = Scope.open()) {
            Tensor columns = standard;
            if (!scaling.scores().isEmpty()) {
                float[] values = standard.toFloats();
                int d = schema.width();
                for (int i = 0; i < values.length; i++) {
                    values[i] = (float) scores[i % d].forward(values[i]);
                }
                columns = Tensors.of(values, standard.shape()).to(device);
            }
            return scope.keep(scaling.matrix().isEmpty() ? columns.copy() : columns.matmul(whitening()));
        }
    }

    /** log |dz/dx| of rows (x − m)/s. */
    public double[] logDeterminant(Tensor standard) {
        double[] values = standard.toDoubles();
        int d = schema.width();
        double[] logs = new double[values.length / d];
        Arrays.fill(logs, scaling.logDeterminant());
        for (int i = 0; i < values.length && scores.length > 0; i++) {
            logs[i / d] += scores[i % d].logSlope(values[i]);
        }
        return logs;
    }

    private Tensor whitening() {
        if (whitening.isEmpty()) {
            int d = schema.width();
            try (Scope scope = Scope.open()) {
                whitening = Optional.of(Scope.detach(Tensors.of(scaler.whitening(), d, d)
                        .to(DType.FLOAT)
                        .transpose()
                        .contiguous()
                        .to(device)));
            }
        }
        return whitening.get();
    }

    @Override
    public SampleSource draws() {
        return (chance, count) -> {
            try (Scope scope = Scope.open()) {
                Key[] keys = chance.split(2);
                Tensor train = opened.train();
                long[] rows = keys[0].stream().longs(count, 0, train.size(0)).toArray();
                return scope.keep(seen(noisy(keys[1], train.rows(rows))));
            }
        };
    }

    /** Rows by the number of their place among those that are learnt from. */
    private Tensor drawn(Key chance, long... rows) {
        return seen(noisy(chance, opened.train().rows(rows)));
    }

    @Override
    public SampleSource drawsByClass() {
        return new SampleSource() {
            @Override
            public Tensor draw(Key chance, int count) {
                return draws().draw(chance, count);
            }

            @Override
            public Tensor drawGiven(Key chance, long... labels) {
                try (Scope scope = Scope.open()) {
                    Key[] keys = chance.split(2);
                    RandomGenerator random = keys[0].stream();
                    List<long[]> of = byClass();
                    long[] rows = Arrays.stream(labels)
                            .map(label -> {
                                long[] its = of.get((int) label);
                                return its[random.nextInt(its.length)];
                            })
                            .toArray();
                    return scope.keep(drawn(keys[1], rows));
                }
            }
        };
    }

    /** For each class the places of its rows among those that are learnt from. */
    private List<long[]> byClass() {
        long[] labels = trainLabels();
        List<long[]> rows = new ArrayList<>();
        for (int k = 0; k < classes().size(); k++) {
            int label = k;
            long[] its = LongStream.range(0, labels.length)
                    .filter(i -> labels[(int) i] == label)
                    .toArray();
            if (its.length == 0) {
                throw new UserException("no row of " + spec.title() + " that is learnt from has the label "
                        + classes().get(k) + ", and the recipe asks for classes; leave 'classes' out");
            }
            rows.add(its);
        }
        return rows;
    }

    private long[] trainLabels() {
        long[] labels = opened.labels(opened.split().train());
        int without = (int) Arrays.stream(labels).filter(label -> label < 0).count();
        if (without > 0) {
            throw new UserException(without + " rows of " + spec.title()
                    + " have no label, and the recipe asks for classes; fill them in, or leave 'classes' out");
        }
        return labels;
    }

    @Override
    public BatchSource batches(boolean labelled) {
        long[] labels = labelled ? trainLabels() : new long[0];
        return (chance, step, count) -> {
            try (Scope scope = Scope.open()) {
                Key[] keys = chance.split(2);
                long[] rows =
                        keys[0].stream().longs(count, 0, opened.train().size(0)).toArray();
                Tensor x = scope.keep(drawn(keys[1], rows));
                return labelled
                        ? new Batch(
                                x,
                                Arrays.stream(rows)
                                        .map(row -> labels[(int) row])
                                        .toArray())
                        : Batch.of(x);
            }
        };
    }

    @Override
    public List<String> classes() {
        return schema.classes();
    }

    @Override
    public Iterable<Labelled> heldOutByClass() {
        int[] all = Arrays.stream(opened.split().heldOut())
                .filter(row -> opened.table().label(row) >= 0)
                .toArray();
        return () -> LongStream.iterate(0, from -> from < all.length, from -> from + BATCH)
                .mapToObj(from -> {
                    int[] rows = Arrays.copyOfRange(all, (int) from, (int) Math.min(all.length, from + BATCH));
                    return new Labelled(rows(rows), opened.labels(rows));
                })
                .iterator();
    }

    /** What the recipe says, or the only label that there was. */
    private Optional<String> normalLabel() {
        return spec.normalLabel().or(() -> classes().size() == 1 ? Optional.of(classes().get(0)) : Optional.empty());
    }

    @Override
    public String hash() {
        return opened.hash();
    }

    @Override
    public SampleKind.Rows samples() {
        return new SampleKind.Rows(schema, scaling, Optional.of(oddColumns().facts()), normalLabel());
    }

    /** What is usual of the columns, standardised, of rows that are learnt from. */
    private OddColumns oddColumns() {
        try (Scope scope = Scope.open()) {
            Tensor z = draws().draw(ODD, LOOKED_AT);
            int d = schema.width();
            return OddColumns.of(z.matmul(Tensors.like(z, scaler.unwhitening(), d, d)));
        }
    }

    /** With the noise of training. */
    @Override
    public Optional<Tensor> heldOut(Key chance, int most) {
        Key[] keys = chance.split(2);
        int[] all = opened.split().heldOut();
        long[] order = keys[0].permutation(all.length);
        int[] rows = Arrays.stream(order, 0, Math.min(most, all.length))
                .mapToInt(i -> all[(int) i])
                .toArray();
        return Optional.of(seen(noisy(keys[1], opened.standard(rows))));
    }

    /** All held-out rows (x − m)/s, with the noise of training. */
    public Tensor heldOutStandard(Key chance) {
        return noisy(chance, opened.standard(opened.split().heldOut()));
    }

    /** Draws of the rows that are learnt from, (x − m)/s with the noise of training. */
    public Tensor trainStandard(Key chance, int count) {
        Key[] keys = chance.split(2);
        Tensor train = opened.train();
        return noisy(
                keys[1],
                train.rows(keys[0].stream().longs(count, 0, train.size(0)).toArray()));
    }

    /** Rows as the model sees them, without noise. */
    public Tensor rows(int... rows) {
        return seen(opened.standard(rows));
    }

    /** Rows in the table's own units, an array each. */
    public double[][] original(Tensor z) {
        int n = (int) z.size(0);
        int d = schema.width();
        double[] from = z.to(Device.CPU).toDoubles();
        double[] x = new double[from.length];
        scaler.back(from, n, x);
        double[][] rows = new double[n][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(x, i * d, (i + 1) * d));
        return rows;
    }

    @Override
    public void close() {
        whitening.ifPresent(Tensor::close);
        opened.close();
    }
}

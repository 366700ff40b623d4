package dev.kelvin.dataset;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.data.table.scale.TableUnits;
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
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import tools.jackson.databind.json.JsonMapper;

/** A table that a recipe names: its schema and its scaling, which a run remembers, and its rows, read when they are needed. */
public final class TableDataset implements Data {
    private static final String SCHEMA = "dataSchema";
    private static final String SCALING = "dataScaling";
    private static final String ODDNESS = "dataColumns";
    private static final Key ODD = KeyDomain.USUAL_COLUMNS.key();
    private static final int LOOKED_AT = 20_000; // rows, for what is usual of columns
    private static final int BATCH = 1024; // held-out rows at a time

    private static final JsonMapper JSON = new JsonMapper();

    private final TableSettings spec;
    private final Key key;
    private final Device device;
    private final Schema schema;
    private final Scaling scaling;
    private final Scaler scaler;
    private final Optional<String> rememberedColumns;
    private Optional<OpenedTable> opened;
    private final NormalQuantiles.Scorer[] scores; // of the columns; empty where they are taken as they are
    private Optional<ClassDraws> byClass = Optional.empty();
    private Optional<Tensor> whitening = Optional.empty(); // Wᵀ

    private TableDataset(
            TableSettings spec,
            Key key,
            Device device,
            Schema schema,
            Scaling scaling,
            Optional<String> columns,
            Optional<OpenedTable> opened) {
        this.spec = spec;
        this.key = key;
        this.device = device;
        this.schema = schema;
        this.scaling = scaling;
        this.scaler = scaling.scaler();
        this.scores = scaling.scores().stream().map(NormalQuantiles::scorer).toArray(NormalQuantiles.Scorer[]::new);
        this.rememberedColumns = columns;
        this.opened = opened;
    }

    static TableDataset open(TableSettings spec, Key key, Device device) {
        OpenedTable opened = OpenedTable.of(spec, key, device);
        return new TableDataset(
                spec, key, device, opened.table().schema(), opened.scaling(), Optional.empty(), Optional.of(opened));
    }

    /** A table that is read when it is needed. */
    static TableDataset remembered(TableSettings spec, Key key, Device device, Map<String, String> facts) {
        String schema = facts.get(SCHEMA);
        String scaling = facts.get(SCALING);
        if (schema == null || scaling == null) {
            return open(spec, key, device);
        }
        return new TableDataset(
                spec,
                key,
                device,
                JSON.readValue(schema, Schema.class),
                JSON.readValue(scaling, Scaling.class),
                Optional.ofNullable(facts.get(ODDNESS)),
                Optional.empty());
    }

    /** Reads the file the first time. */
    public OpenedTable file() {
        if (opened.isEmpty()) {
            opened = Optional.of(OpenedTable.of(spec, key, device));
        }
        return opened.get();
    }

    /** The recipe's settings of the table. */
    public TableSettings spec() {
        return spec;
    }

    /** The columns. */
    public Schema schema() {
        return schema;
    }

    /** What lies between the table's units and the model's coordinates. */
    public Scaling scaling() {
        return scaling;
    }

    /** Maps rows to the model's coordinates and back. */
    public Scaler scaler() {
        return scaler;
    }

    @Override
    public List<Long> shape() {
        return List.of((long) schema.width());
    }

    @Override
    public boolean opened() {
        return opened.isPresent();
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(SCHEMA, JSON.writeValueAsString(schema));
        facts.put(SCALING, JSON.writeValueAsString(scaling));
        facts.put(
                ODDNESS,
                rememberedColumns.orElseGet(
                        () -> JSON.writeValueAsString(oddColumns().facts())));
        return facts;
    }

    @Override
    public Optional<TableUnits> table() {
        return Optional.of(new TableUnits(schema, scaling));
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
                Tensor train = file().train();
                long[] rows = keys[0].stream().longs(count, 0, train.size(0)).toArray();
                return scope.keep(seen(noisy(keys[1], train.rows(rows))));
            }
        };
    }

    /** Rows by the number of their place among those that are learnt from. */
    private Tensor drawn(Key chance, long... rows) {
        return seen(noisy(chance, file().train().rows(rows)));
    }

    @Override
    public SampleSource drawsByClass() {
        return SampleSource.of(
                draws(),
                (chance, labels) -> byClass().draw(chance.split(2), (keys, rows) -> drawn(keys[1], rows), labels));
    }

    private ClassDraws byClass() {
        if (byClass.isEmpty()) {
            byClass = Optional.of(new ClassDraws(
                    trainLabels(),
                    classes().size(),
                    label -> "no row of " + spec.title() + " that is learnt from has the label "
                            + classes().get(label) + ", and the recipe asks for classes; leave 'classes' out"));
        }
        return byClass.get();
    }

    private long[] trainLabels() {
        long[] labels = file().labels(file().split().train());
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
                        keys[0].stream().longs(count, 0, file().train().size(0)).toArray();
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
        int[] all = Arrays.stream(file().split().heldOut())
                .filter(row -> file().table().label(row) >= 0)
                .toArray();
        return () -> LongStream.iterate(0, from -> from < all.length, from -> from + BATCH)
                .mapToObj(from -> {
                    int[] rows = Arrays.copyOfRange(all, (int) from, (int) Math.min(all.length, from + BATCH));
                    return new Labelled(rows(rows), file().labels(rows));
                })
                .iterator();
    }

    @Override
    public String hash() {
        return file().hash();
    }

    @Override
    public Rows rows(String place, Optional<ImageFiles.Part> part) throws IOException {
        part.ifPresent(given -> {
            throw new UserException("--part is for images; a table is scored whole");
        });
        return new ScoredTable(Path.of(place), schema, scaler, device);
    }

    /** What is usual of the columns, standardised, of rows that are learnt from. */
    public OddColumns oddColumns() {
        if (rememberedColumns.isPresent()) {
            return new OddColumns(JSON.readValue(rememberedColumns.get(), OddColumns.Facts.class));
        }
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
        int[] all = file().split().heldOut();
        long[] order = keys[0].permutation(all.length);
        int[] rows = Arrays.stream(order, 0, Math.min(most, all.length))
                .mapToInt(i -> all[(int) i])
                .toArray();
        return Optional.of(seen(noisy(keys[1], file().standard(rows))));
    }

    /** All held-out rows (x − m)/s, with the noise of training. */
    public Tensor heldOutStandard(Key chance) {
        return noisy(chance, file().standard(file().split().heldOut()));
    }

    /** Draws of the rows that are learnt from, (x − m)/s with the noise of training. */
    public Tensor trainStandard(Key chance, int count) {
        Key[] keys = chance.split(2);
        Tensor train = file().train();
        return noisy(
                keys[1],
                train.rows(keys[0].stream().longs(count, 0, train.size(0)).toArray()));
    }

    /** Rows as the model sees them, without noise. */
    public Tensor rows(int... rows) {
        return seen(file().standard(rows));
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
        opened.ifPresent(OpenedTable::close);
    }
}

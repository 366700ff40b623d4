package dev.kelvin.dataset;

import dev.kelvin.data.table.Schema;
import dev.kelvin.model.SampleKind;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
import dev.kelvin.training.SplitTable;
import dev.kelvin.yaml.UserException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Rows of a user's table. */
public final class TableDataset implements Data {
    private static final int BATCH = 1024; // held-out rows at a time

    private final TableSettings spec;
    private final SplitTable rows;
    private Optional<ClassDraws> byClass = Optional.empty();

    private TableDataset(TableSettings spec, SplitTable rows) {
        this.spec = spec;
        this.rows = rows;
    }

    static TableDataset open(TableSettings spec, Key key, Device device) {
        return new TableDataset(spec, TableFile.open(spec, key, device));
    }

    /** The rows themselves. */
    public SplitTable split() {
        return rows;
    }

    /** The recipe's settings of the table. */
    public TableSettings spec() {
        return spec;
    }

    /** The table's columns. */
    public Schema schema() {
        return rows.table().schema();
    }

    @Override
    public SampleKind.Rows samples() {
        return rows.kind(spec.normalLabel()
                .or(() -> classes().size() == 1 ? Optional.of(classes().get(0)) : Optional.empty()));
    }

    @Override
    public List<Long> shape() {
        return List.of((long) schema().width());
    }

    @Override
    public SampleSource draws() {
        return rows.draws();
    }

    @Override
    public SampleSource drawsByClass() {
        return SampleSource.of(
                draws(),
                (chance, labels) ->
                        byClass().draw(chance.split(2), (keys, places) -> rows.drawn(keys[1], places), labels));
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
        long[] labels = labels(rows.split().train());
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
                long[] places = rows.places(keys[0], count);
                Tensor x = scope.keep(rows.drawn(keys[1], places));
                return labelled
                        ? new Batch(
                                x,
                                Arrays.stream(places)
                                        .map(place -> labels[(int) place])
                                        .toArray())
                        : Batch.of(x);
            }
        };
    }

    @Override
    public List<String> classes() {
        return schema().classes();
    }

    @Override
    public Iterable<Labelled> heldOutByClass() {
        int[] all = Arrays.stream(rows.split().heldOut())
                .filter(row -> rows.table().label(row) >= 0)
                .toArray();
        return () -> LongStream.iterate(0, from -> from < all.length, from -> from + BATCH)
                .mapToObj(from -> {
                    int[] some = Arrays.copyOfRange(all, (int) from, (int) Math.min(all.length, from + BATCH));
                    return new Labelled(rows.rows(some), labels(some));
                })
                .iterator();
    }

    /** The labels of rows, as places among the classes; −1 where a row has none. */
    private long[] labels(int... numbers) {
        return Arrays.stream(numbers).mapToLong(rows.table()::label).toArray();
    }

    @Override
    public String hash() {
        return TableFile.hash(rows.table());
    }

    @Override
    public Optional<Tensor> heldOut(Key chance, int most) {
        return Optional.of(rows.heldOut(chance, most));
    }

    @Override
    public void close() {
        rows.close();
    }
}

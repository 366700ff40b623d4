package dev.kelvin.dataset;

import dev.kelvin.data.format.InputFile;
import dev.kelvin.data.table.NumberTable;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.TableProgress;
import dev.kelvin.data.table.TableReader;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.io.Sha256;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.TableProfile;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
import dev.kelvin.training.SplitTable;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rows of a user's table. */
public final class TableDataset implements Data {
    private static final int BATCH = 1024; // held-out rows at a time
    private static final long QUIET = 2_000_000_000; // nanoseconds
    private static final Logger PROGRESS = LoggerFactory.getLogger("dev.kelvin.progress");

    private final TableSettings spec;
    private final SplitTable rows;
    private Optional<ClassDraws> byClass = Optional.empty();

    private TableDataset(TableSettings spec, SplitTable rows) {
        this.spec = spec;
        this.rows = rows;
    }

    /** The rows that are learnt from and those that are held out; the key decides which. */
    static TableDataset open(TableSettings spec, Key key, Device device) {
        NumberTable table = read(spec);
        double heldOut = spec.heldOutOf(SplitTable.learntRows(table));
        return new TableDataset(spec, new SplitTable(table, key, heldOut, spec.scale(), spec.noise(), device));
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
                long[] classes = Arrays.stream(places)
                        .map(place -> labelled ? labels[(int) place] : 0)
                        .toArray();
                return labelled ? new Batch(x, classes) : Batch.of(x);
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

    /** Of the values in the table's own units, and of the labels. */
    @Override
    public String hash() {
        NumberTable table = rows.table();
        Sha256 sum = new Sha256();
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * table.width() + Integer.BYTES);
        for (int i = 0; i < table.rows(); i++) {
            bytes.clear().asDoubleBuffer().put(table.inputs(i));
            bytes.putInt(Double.BYTES * table.width(), table.label(i));
            sum.add(bytes);
        }
        return sum.hex();
    }

    @Override
    public Optional<Tensor> heldOut(Key chance, int most) {
        return Optional.of(rows.heldOut(chance, most));
    }

    @Override
    public void close() {
        rows.close();
    }

    private static NumberTable read(TableSettings spec) {
        Path file = spec.place()
                .orElseThrow(() -> new UserException(
                        "the recipe learns from a table, and none is named: say which with --data FILE"));
        try {
            InputFile.refuseStream(file, "a run reads its table again when it is resumed or evaluated");
            return TableReader.read(file, spec.which(), progress(file));
        } catch (SettingException e) {
            throw new SettingException("data.table." + e.setting(), e.problem());
        } catch (IOException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    /** A line every two seconds, for tables that take longer. */
    private static TableProgress progress(Path file) {
        long[] told = {System.nanoTime()};
        return (rows, share) -> {
            long now = System.nanoTime();
            if (now - told[0] >= QUIET) {
                told[0] = now;
                String percent = share.isPresent() ? (int) (100 * share.getAsDouble()) + " %, " : "";
                PROGRESS.info("reading {}: {}{} rows", file, percent, rows);
            }
        };
    }

    /**
     * How a model of a table is best trained, for a recipe that leaves parts of this open.
     *
     * @param title of the table
     * @param normalScores whether its columns are mapped to normal scores
     */
    public record Advice(TableProfile profile, String title, boolean normalScores) {
        /** What suits an opened table. */
        public static Advice of(TableDataset table) {
            boolean scores = table.split().scaling().kind() == Scaling.Kind.NORMAL_SCORES;
            int rows = table.split().trainRows();
            return new Advice(
                    TableProfile.of(rows, table.schema().width(), scores),
                    table.spec().title(),
                    scores);
        }

        /** What is chosen for the parts that a recipe leaves open, and why. */
        public String words(List<String> open) {
            if (open.isEmpty()) {
                return title + ": the recipe leaves nothing open to be chosen by the table's size";
            }
            Map<String, String> chosen = Map.of(
                    "model",
                    "two hidden layers of " + profile.width() + " units",
                    "negatives",
                    TableProfile.BATCH + " chains that take " + profile.steps() + " steps each"
                            + (profile.isWide()
                                    ? ", because chains mix the more slowly the more columns there are"
                                    : ""),
                    "optimiser",
                    "a learning rate of " + Words.number(profile.learningRate()),
                    "train",
                    profile.iterations() + " iterations, and the best of " + TableProfile.CHECKPOINTS
                            + " checkpoints by the likelihood of held-out rows");
            return title + ": " + profile.rows() + " rows of " + profile.columns() + " columns to train on: "
                    + open.stream().map(chosen::get).collect(Collectors.joining(", ")) + "."
                    + (normalScores
                            ? " Columns become normal scores, because some have heavy tails, skewness or repeated values."
                            : "");
        }
    }
}

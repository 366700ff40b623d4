package dev.kelvin.dataset;

import dev.kelvin.data.format.InputFile;
import dev.kelvin.data.table.NumberTable;
import dev.kelvin.data.table.TableProgress;
import dev.kelvin.data.table.TableReader;
import dev.kelvin.data.table.TableSplit;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.io.Sha256;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table's rows: those that are learnt from as a tensor, and which are held out.
 *
 * @param train (x − m)/s of those that are learnt from, [n, d] on the device
 */
public record OpenedTable(NumberTable table, TableSplit split, Scaling scaling, Tensor train) implements AutoCloseable {
    private static final int BLOCK = 1 << 12; // rows at a time
    private static final long QUIET = 2_000_000_000; // nanoseconds
    private static final Logger PROGRESS = LoggerFactory.getLogger("dev.kelvin.progress");

    static OpenedTable of(TableSettings spec, Key key, Device device) {
        NumberTable table = read(spec);
        int learnt = 0;
        for (int row = 0; row < table.rows(); row++) {
            learnt += table.learntFrom(row) ? 1 : 0;
        }
        TableSplit split = TableSplit.of(key.child(0), table, spec.heldOutOf(learnt));
        Scaling.Kind kind = spec.scale().orElseGet(() -> Scaling.suited(table, spec.noise(), split.train()));
        Scaling scaling = Scaling.of(kind, spec.noise(), table, split.train());
        return new OpenedTable(table, split, scaling, standard(table, scaling, split.train(), device));
    }

    private static NumberTable read(TableSettings spec) {
        Path file = spec.place()
                .orElseThrow(() -> new UserException(
                        "the recipe learns from a table, and none is named: say which with --data FILE"));
        try {
            InputFile.refuseStream(file, "a run reads its table again when it is resumed or evaluated");
            return TableReader.read(file, spec.which(), progress(file));
        } catch (SettingException e) {
            throw new SettingException(
                    "data.table." + e.setting(),
                    String.valueOf(e.getMessage()).substring(e.setting().length() + 1));
        } catch (IOException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    /** A line every two seconds, for tables that take longer. */
    private static TableProgress progress(Path file) {
        long[] told = {System.nanoTime()};
        return (rows, bytes, total) -> {
            long now = System.nanoTime();
            if (now - told[0] >= QUIET) {
                told[0] = now;
                String share = total > 0 ? 100 * bytes / total + " %, " : "";
                PROGRESS.info("reading {}: {}{} rows", file, share, rows);
            }
        };
    }

    /** (x − m)/s of rows, [n, d] on the device, outside of any scope. */
    private static Tensor standard(NumberTable table, Scaling scaling, int[] rows, Device device) {
        int width = table.width();
        double[] means =
                scaling.means().stream().mapToDouble(Double::doubleValue).toArray();
        double[] deviations =
                scaling.deviations().stream().mapToDouble(Double::doubleValue).toArray();
        float[] all = new float[Math.multiplyExact(rows.length, width)];
        double[] x = new double[width];
        for (int i = 0; i < rows.length; i++) {
            table.copy(rows[i], x, 0);
            for (int j = 0; j < width; j++) {
                all[i * width + j] = (float) ((x[j] - means[j]) / deviations[j]);
            }
        }
        try (Scope scope = Scope.open()) {
            return Scope.detach(Tensors.of(all, rows.length, width).to(device));
        }
    }

    /** (x − m)/s of rows, [n, d] on the device, in the current scope. */
    public Tensor standard(int... rows) {
        try (Scope scope = Scope.open();
                Tensor found = standard(table, scaling, rows, train.device())) {
            return scope.keep(found.copy());
        }
    }

    /** The labels of rows, as places among the classes; −1 where a row has none. */
    long[] labels(int... rows) {
        long[] labels = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            labels[i] = table.label(rows[i]);
        }
        return labels;
    }

    /** Of the values in the table's own units, and of the labels. */
    String hash() {
        Sha256 sum = new Sha256();
        int width = table.width();
        double[] row = new double[width];
        ByteBuffer bytes = ByteBuffer.allocate(BLOCK * (Double.BYTES * width + Integer.BYTES));
        for (int i = 0; i < table.rows(); i++) {
            table.copy(i, row, 0);
            for (double value : row) {
                bytes.putDouble(value);
            }
            bytes.putInt(table.label(i));
            if (!bytes.hasRemaining() || i == table.rows() - 1) {
                sum.add(bytes.flip());
                bytes.clear();
            }
        }
        return sum.hex();
    }

    @Override
    public void close() {
        train.close();
    }
}

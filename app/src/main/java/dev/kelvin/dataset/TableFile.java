package dev.kelvin.dataset;

import dev.kelvin.data.format.InputFile;
import dev.kelvin.data.table.NumberTable;
import dev.kelvin.data.table.TableProgress;
import dev.kelvin.data.table.TableReader;
import dev.kelvin.io.Sha256;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.training.SplitTable;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a user's table. */
final class TableFile {
    private static final int BLOCK = 1 << 12; // rows at a time
    private static final long QUIET = 2_000_000_000; // nanoseconds
    private static final Logger PROGRESS = LoggerFactory.getLogger("dev.kelvin.progress");

    private TableFile() {}

    /** The rows that are learnt from and those that are held out; the key decides which. */
    static SplitTable open(TableSettings spec, Key key, Device device) {
        NumberTable table = read(spec);
        double heldOut = spec.heldOutOf(SplitTable.learntRows(table));
        return new SplitTable(table, key, heldOut, spec.scale(), spec.noise(), device);
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
        return (rows, bytes, total) -> {
            long now = System.nanoTime();
            if (now - told[0] >= QUIET) {
                told[0] = now;
                String share = total > 0 ? 100 * bytes / total + " %, " : "";
                PROGRESS.info("reading {}: {}{} rows", file, share, rows);
            }
        };
    }

    /** Of the values in the table's own units, and of the labels. */
    static String hash(NumberTable table) {
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
}

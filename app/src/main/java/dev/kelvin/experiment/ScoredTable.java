package dev.kelvin.experiment;

import dev.kelvin.data.format.Rows;
import dev.kelvin.data.table.BadRow;
import dev.kelvin.data.table.RowBlock;
import dev.kelvin.data.table.Scaler;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.TableRows;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Another table's rows as a model sees them; those that cannot be read are left out and told. */
public final class ScoredTable implements Rows {
    private final TableRows rows;
    private final Scaler scaler;
    private final Device device;
    private final List<BadRow> bad = new ArrayList<>();
    private Optional<RowBlock> block = Optional.empty();

    ScoredTable(Path file, Schema schema, Scaler scaler, Device device) throws IOException {
        this.rows = TableRows.open(file, schema);
        this.scaler = scaler;
        this.device = device;
    }

    @Override
    public OptionalLong count() {
        return OptionalLong.empty();
    }

    /** As many as were read together. */
    @Override
    public Optional<Tensor> next(int most) throws IOException {
        block = rows.next();
        while (block.isPresent() && block.get().count() == 0) {
            bad.addAll(block.get().bad());
            block = rows.next();
        }
        if (block.isEmpty()) {
            return Optional.empty();
        }
        RowBlock read = block.get();
        bad.addAll(read.bad());
        float[] z = new float[read.count() * read.width()];
        scaler.forward(read.inputs(), read.count(), z);
        return Optional.of(Tensors.of(z, read.count(), read.width()).to(device));
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}

package dev.kelvin.model;

import dev.kelvin.data.format.Rows;
import dev.kelvin.data.table.BadRow;
import dev.kelvin.data.table.RowBlock;
import dev.kelvin.data.table.RowsAhead;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A table's rows as a model sees them; those that cannot be read are left out and listed. */
final class ScaledRows implements Rows {
    /** The largest number of bad rows that are listed; the others are counted. */
    private static final int LISTED = 20;

    private final RowsAhead rows;
    private final Scaler scaler;
    private final Device device;
    private final List<String> problems = new ArrayList<>();
    private long bad;
    private Optional<RowBlock> block = Optional.empty();
    private float[] z = {};
    private double[] units = {};

    ScaledRows(Path file, Schema schema, Scaler scaler, Device device) throws IOException {
        this.rows = RowsAhead.open(file, schema);
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
        do {
            block = rows.next().map(this::usable);
            block.ifPresent(read -> read.bad().forEach(this::note));
        } while (block.isPresent() && block.get().count() == 0);
        return block.map(read -> {
            units = scaler.logDeterminant(read.inputs(), read.count());
            return Tensors.of(z, read.count(), read.width()).to(device);
        });
    }

    private void scale(RowBlock read) {
        z = new float[read.count() * read.width()];
        scaler.forward(read.inputs(), read.count(), z);
    }

    /** Without the rows of which f would overflow. */
    private RowBlock usable(RowBlock read) {
        scale(read);
        BitSet refused = new BitSet();
        for (int i = 0; i < z.length; i++) {
            if (!(Math.abs(z[i]) <= LARGEST)) {
                refused.set(i / read.width());
            }
        }
        if (refused.isEmpty()) {
            return read;
        }
        RowBlock left = read.without(
                refused, "has numbers too large for this model, over " + LARGEST + " deviations from the mean");
        scale(left);
        return left;
    }

    private void note(BadRow row) {
        bad++;
        if (problems.size() < LISTED) {
            problems.add(row.words());
        }
    }

    @Override
    public long number(int sample, long before) {
        return read().row(sample) - 1;
    }

    @Override
    public double logDeterminant(int sample) {
        return units[sample];
    }

    @Override
    public String label(int sample) {
        return read().label(sample);
    }

    private RowBlock read() {
        return block.orElseThrow(() -> new IllegalStateException("no rows were read yet"));
    }

    @Override
    public boolean labelled() {
        return rows.labelled();
    }

    @Override
    public OptionalDouble share() {
        double all = rows.bytesTotal();
        return block.stream()
                .filter(read -> all > 0)
                .mapToDouble(read -> Math.min(1, read.bytesRead() / all))
                .findFirst();
    }

    @Override
    public Problems problems() {
        return new Problems(bad, problems);
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}

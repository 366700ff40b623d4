package dev.kelvin.model;

import dev.kelvin.data.format.Rows;
import dev.kelvin.data.table.BadRow;
import dev.kelvin.data.table.RowBlock;
import dev.kelvin.data.table.RowsAhead;
import dev.kelvin.data.table.Schema;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A table's rows as a model sees them; those that cannot be read are left out and listed. */
final class ScaledRows implements Rows {
    /** The largest number of bad rows that are listed; the others are counted. */
    private static final int LISTED = 20;

    private final RowsAhead rows;
    private final RowUnits units;
    private final Device device;
    private final int width;
    private final List<String> problems = new ArrayList<>();
    private long bad;
    private Optional<RowBlock> block = Optional.empty();
    private float[] z = {};

    ScaledRows(Path file, Schema schema, RowUnits units, Device device) throws IOException {
        this.rows = RowsAhead.open(file, schema);
        this.units = units;
        this.device = device;
        this.width = schema.width();
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
        } while (block.isPresent() && block.get().rows().isEmpty());
        return block.map(read -> Tensors.of(
                        Arrays.copyOf(z, read.rows().size() * width),
                        read.rows().size(),
                        width)
                .to(device));
    }

    /** Without the rows of which f would overflow. */
    private RowBlock usable(RowBlock read) {
        z = new float[read.rows().size() * width];
        float[] scaled = new float[width];
        List<RowBlock.Row> good = new ArrayList<>();
        List<BadRow> all = new ArrayList<>(read.bad());
        for (RowBlock.Row row : read.rows()) {
            if (units.toModel(row.inputs(), scaled)) {
                System.arraycopy(scaled, 0, z, good.size() * width, width);
                good.add(row);
            } else {
                all.add(new BadRow(row.number(), 0, Optional.empty(), RowUnits.TOO_LARGE));
            }
        }
        all.sort(Comparator.comparingLong(BadRow::row));
        return new RowBlock(good, all, read.share());
    }

    private void note(BadRow row) {
        bad++;
        if (problems.size() < LISTED) {
            problems.add(row.words());
        }
    }

    @Override
    public long number(int sample, long before) {
        return row(sample).number() - 1;
    }

    @Override
    public double logDeterminant(int sample) {
        return units.logDeterminant(row(sample).inputs());
    }

    @Override
    public String label(int sample) {
        return row(sample).label();
    }

    private RowBlock.Row row(int sample) {
        return block.orElseThrow(() -> new IllegalStateException("no rows were read yet"))
                .rows()
                .get(sample);
    }

    @Override
    public boolean labelled() {
        return rows.labelled();
    }

    @Override
    public OptionalDouble share() {
        return block.map(RowBlock::share).orElse(OptionalDouble.empty());
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

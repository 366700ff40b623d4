package dev.kelvin.spark;

import dev.kelvin.data.table.CellReader;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.model.RowUnits;
import dev.kelvin.model.SampleKind;
import dev.kelvin.part.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/** Rows of a table from columns of numbers and words, read as the same cells of a CSV file would be. */
final class TableCells extends SampleReader {
    private final SampleColumns columns;
    private final RowUnits units;
    private final CellReader reader;
    private final List<Schema.Column> used;
    private final List<double[]> own = new ArrayList<>(); // the samples in the table's own units
    private final float[] scaled;
    private Row row = RowFactory.create();

    private final CellReader.Cells cells = new CellReader.Cells() {
        @Override
        public double number(int column) {
            int place = columns.places()[column];
            return row.isNullAt(place) ? Double.NaN : SampleReader.number(row.get(place));
        }

        @Override
        public String text(int column) {
            int place = columns.places()[column];
            return row.isNullAt(place)
                    ? ""
                    : word(row.get(place), used.get(column).words());
        }
    };

    TableCells(SampleKind.Rows kind, SampleColumns columns, int most) {
        super(kind, most);
        this.columns = columns;
        units = kind.units();
        reader = new CellReader(kind.schema(), false);
        used = kind.schema().used();
        scaled = new float[kind.width()];
    }

    /** A cell as text: of a number the word that is the same number, however that was written in the table. */
    private static String word(Object cell, List<String> words) {
        if (!(cell instanceof Number number)) {
            return cell.toString().strip();
        }
        double value = number.doubleValue();
        return words.stream()
                .filter(word -> TableSource.number(word) == value)
                .findFirst()
                .orElseGet(() -> value == Math.rint(value) ? Words.number(value) : number.toString());
    }

    @Override
    Optional<String> read(Row next, float[] into, int from) {
        row = next;
        if (count() == 0) {
            own.clear();
        }
        double[] inputs = new double[reader.width()];
        Optional<CellReader.Problem> problem = reader.read(cells, inputs);
        if (problem.isPresent()) {
            return problem.map(found -> ", column " + Words.quote(found.column()) + " " + found.words());
        }
        if (!units.toModel(inputs, scaled)) {
            return Optional.of(" " + RowUnits.TOO_LARGE);
        }
        System.arraycopy(scaled, 0, into, from, scaled.length);
        own.add(inputs);
        return Optional.empty();
    }

    @Override
    double logDeterminant(int sample) {
        return units.logDeterminant(own.get(sample));
    }
}

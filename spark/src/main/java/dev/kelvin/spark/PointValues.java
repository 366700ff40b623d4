package dev.kelvin.spark;

import dev.kelvin.data.format.Rows;
import dev.kelvin.model.SampleKind;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;

/** Points from a column for each value, or from one that holds an array of them. */
final class PointValues extends SampleReader {
    private final SampleColumns columns;
    private final int width;

    PointValues(SampleKind kind, SampleColumns columns, int most) {
        super(kind, most);
        this.columns = columns;
        width = kind.width();
    }

    @Override
    Optional<String> read(Row row, float[] into, int from) {
        for (int column = 0; column < columns.count(); column++) {
            if (row.isNullAt(columns.places()[column])) {
                return Optional.of(", " + columns.at(column) + " is empty; points are finite numbers");
            }
        }
        return columns.array() ? array(row, into, from) : each(row, into, from);
    }

    private Optional<String> each(Row row, float[] into, int from) {
        for (int i = 0; i < width; i++) {
            Object cell = row.get(columns.places()[i]);
            into[from + i] = (float) number(cell);
            if (!usable(into[from + i])) {
                return Optional.of(", " + columns.at(i) + " " + unusable(cell));
            }
        }
        return Optional.empty();
    }

    private Optional<String> array(Row row, float[] into, int from) {
        List<?> values = array(row, columns.places()[0]);
        if (values.size() != width) {
            return Optional.of(
                    ", " + columns.at(0) + " has " + values.size() + " values; points of this model have " + width);
        }
        for (int i = 0; i < width; i++) {
            into[from + i] = (float) number(values.get(i));
            if (!usable(into[from + i])) {
                return Optional.of(", " + columns.at(0) + ", value " + i + ", " + unusable(values.get(i)));
            }
        }
        return Optional.empty();
    }

    private static boolean usable(float value) {
        return Math.abs(value) <= Rows.LARGEST;
    }
}

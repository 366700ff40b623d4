package dev.kelvin.training;

import dev.kelvin.model.SampleKind;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.TableColumns;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.data.table.scale.TableUnits;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A caller's rows to learn from: checked, and standardised, so that every column's mean is 0 and its deviation 1. */
final class StandardisedRows {
    private final TableUnits units;
    private final float[] z; // row after row
    private final int width;

    StandardisedRows(double[][] rows) {
        SampleKind.requireValues(rows);
        if (rows.length < 2) {
            throw new SettingException(
                    "data", "must have two rows or more, of one value or more each; found " + rows.length);
        }
        width = rows[0].length;
        double[] flat = flat(rows);
        double[] means = new double[width];
        double[] deviations = new double[width];
        for (int j = 0; j < width; j++) {
            int column = j;
            double mean = Arrays.stream(rows)
                    .mapToDouble(row -> row[column])
                    .average()
                    .orElseThrow();
            double variance = Arrays.stream(rows)
                    .mapToDouble(row -> (row[column] - mean) * (row[column] - mean))
                    .average()
                    .orElseThrow();
            if (!Double.isFinite(variance)) {
                throw new SettingException(
                        "data",
                        "must be numbers whose squares do not overflow; column " + j + " has "
                                + Arrays.stream(rows)
                                        .mapToDouble(row -> Math.abs(row[column]))
                                        .max()
                                        .orElseThrow());
            }
            if (!(variance > 0)) {
                throw new SettingException(
                        "data", "must have different values in every column; column " + j + " has " + mean + " alone");
            }
            means[j] = mean;
            deviations[j] = Math.sqrt(variance);
        }
        units = new TableUnits(schema(rows), scaling(means, deviations));
        z = new float[flat.length];
        units.scaling().scaler().forward(flat, rows.length, z);
    }

    private double[] flat(double[][] rows) {
        double[] flat = new double[Math.multiplyExact(rows.length, width)];
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != width) {
                throw new SettingException(
                        "data", "must have " + width + " values in every row; row " + i + " has " + rows[i].length);
            }
            for (int j = 0; j < width; j++) {
                if (!Double.isFinite(rows[i][j])) {
                    throw new SettingException(
                            "data", "must be finite numbers; row " + i + " has " + rows[i][j] + " as its value " + j);
                }
            }
            System.arraycopy(rows[i], 0, flat, i * width, width);
        }
        return flat;
    }

    private Schema schema(double[][] rows) {
        List<Schema.Column> columns = IntStream.range(0, width)
                .mapToObj(j -> {
                    double[] values = Arrays.stream(rows)
                            .mapToDouble(row -> row[j])
                            .sorted()
                            .toArray();
                    return new Schema.Column(
                            "x" + (j + 1),
                            Schema.Kind.NUMERIC,
                            List.of(),
                            Optional.empty(),
                            values[0],
                            values[values.length - 1]);
                })
                .toList();
        return new Schema(false, columns, List.of(), Optional.empty(), TableColumns.UnknownWord.REFUSE);
    }

    private static Scaling scaling(double[] means, double[] deviations) {
        return new Scaling(
                Scaling.Kind.STANDARDISE,
                DoubleStream.of(means).boxed().toList(),
                DoubleStream.of(deviations).boxed().toList(),
                List.of(),
                List.of(),
                -DoubleStream.of(deviations).map(Math::log).sum());
    }

    SampleKind.Rows kind() {
        return new SampleKind.Rows(units.schema(), units.scaling(), Optional.empty(), Optional.empty());
    }

    int width() {
        return width;
    }

    /** Rows drawn with replacement. */
    SampleSource draws() {
        return (key, count) -> {
            RandomGenerator random = key.stream();
            float[] drawn = new float[Math.multiplyExact(count, width)];
            for (int i = 0; i < count; i++) {
                System.arraycopy(z, random.nextInt(z.length / width) * width, drawn, i * width, width);
            }
            return Tensors.of(drawn, count, width);
        };
    }
}

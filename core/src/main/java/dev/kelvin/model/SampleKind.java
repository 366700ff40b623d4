package dev.kelvin.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.data.augment.Dequantisation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.metric.OddColumns;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the samples of a model are, and their units outside of it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = SampleKind.Points.class, name = "points"),
    @JsonSubTypes.Type(value = SampleKind.Images.class, name = "images"),
    @JsonSubTypes.Type(value = SampleKind.Rows.class, name = "rows")
})
public sealed interface SampleKind {
    /** The shape of one sample in the model: [d] of points and rows, [channels, height, width] of images. */
    List<Long> shape();

    /** The way between a sample's own units and the model's coordinates. */
    Units units();

    /** What one sample is, such as "a point of 2 values" or "an image of 1x8x8". */
    String words();

    /** The number of values in a sample. */
    default int width() {
        return Math.toIntExact(shape().stream().reduce(1L, Math::multiplyExact));
    }

    /** The images that samples are, where they are images. */
    default Optional<Images> images() {
        return this instanceof Images images ? Optional.of(images) : Optional.empty();
    }

    /** The rows of a table that samples are, where they are such. */
    default Optional<Rows> rows() {
        return this instanceof Rows rows ? Optional.of(rows) : Optional.empty();
    }

    /** Points, whose units are the model's coordinates. */
    record Points(List<Long> shape) implements SampleKind {
        public Points {
            shape = checked(shape);
        }

        /** Points with this many values. */
        public static Points of(int values) {
            return new Points(List.of((long) values));
        }

        @Override
        public Units units() {
            return new Same();
        }

        private record Same() implements Units {
            @Override
            public Tensor toModel(Tensor x) {
                return x;
            }

            @Override
            public Tensor fromModel(Tensor z) {
                return z;
            }
        }

        @Override
        public String words() {
            return "a point of " + width() + (width() == 1 ? " value" : " values");
        }
    }

    /**
     * Images, whose values outside of the model lie between 0 and 1.
     *
     * @param shades the value of white in the files, of a model of dequantised images; 0 for a model of images as they are
     */
    record Images(List<Long> shape, PixelRange range, int shades) implements SampleKind {
        public Images {
            shape = checked(shape);
            Check.atLeast("shades", shades, 0);
        }

        @Override
        public ImageUnits units() {
            return new ImageUnits(range, shades > 0 ? Optional.of(new Dequantisation(shades)) : Optional.empty());
        }

        @Override
        public String words() {
            return "an image of " + shape.stream().map(String::valueOf).collect(Collectors.joining("x"));
        }
    }

    /**
     * Rows of a table, in the table's own units outside of the model.
     *
     * @param usual what is usual of the columns, by which the odd column of a row is found
     * @param normal the label of rows that are no anomalies, where it is known
     */
    record Rows(Schema schema, Scaling scaling, Optional<OddColumns.Facts> usual, Optional<String> normal)
            implements SampleKind {
        @Override
        public List<Long> shape() {
            return List.of((long) schema.width());
        }

        @Override
        public RowUnits units() {
            return new RowUnits(scaling.scaler());
        }

        /** Samples of the model as rows in the table's own units. */
        public double[][] own(Tensor z) {
            return new ModelInput(this).toRows(z);
        }

        @Override
        public String words() {
            return "a row of " + width() + (width() == 1 ? " value" : " values");
        }
    }

    /** Refuses null in place of rows, and rows that are null or empty, by their numbers: for scoring and for training. */
    static void requireValues(double[][] rows) {
        if (rows == null) {
            throw new InvalidInputException("the rows are null; expected double[n][width], of no rows where n is 0");
        }
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] == null || rows[i].length == 0) {
                throw new InvalidInputException("row " + i + (rows[i] == null ? " is null" : " has no values")
                        + "; expected a value for each column in every row: leave the row out");
            }
        }
    }

    private static List<Long> checked(List<Long> shape) {
        List<Long> copy = List.copyOf(shape);
        Check.notEmpty("shape", copy);
        copy.forEach(size -> Check.atLeast("shape", size, 1));
        return copy;
    }
}

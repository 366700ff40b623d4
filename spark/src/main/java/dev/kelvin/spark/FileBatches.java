package dev.kelvin.spark;

import dev.kelvin.part.InvalidInputException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * Rows in partitions of which each holds whole batches of one file with all rows, in their order; the file's last batch, which may be
 * smaller, is the last of its partition.
 */
final class FileBatches {
    private static final String NUMBER = "kelvin_row_number";

    private FileBatches() {}

    static Dataset<Row> of(Dataset<Row> rows, int batch) {
        if (rows.isStreaming()) {
            throw new InvalidInputException("a stream has no end, and so no batches of one file");
        }
        StructType schema = rows.schema().add(NUMBER, DataTypes.LongType);
        JavaRDD<Row> stored = rows.toJavaRDD(); // counting and scoring take the same plan, and so the same partitions
        JavaRDD<Row> numbered = stored.zipWithIndex().map(FileBatches::numbered);
        return rows.sparkSession()
                .createDataFrame(numbered, schema)
                .repartition(
                        Math.max(1, stored.getNumPartitions()),
                        functions.floor(functions.col(NUMBER).divide(batch)))
                .sortWithinPartitions(NUMBER)
                .drop(NUMBER);
    }

    private static Row numbered(Tuple2<Row, Long> pair) {
        Row row = pair._1();
        Object[] values = new Object[row.length() + 1];
        for (int i = 0; i < row.length(); i++) {
            values[i] = row.get(i);
        }
        values[row.length()] = pair._2();
        return RowFactory.create(values);
    }
}

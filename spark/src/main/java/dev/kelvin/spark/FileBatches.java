package dev.kelvin.spark;

import dev.kelvin.part.InvalidInputException;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * Rows in partitions of which each holds whole batches of one file with all rows, in their order; the file's last batch, which may be
 * smaller, is the last of its partition.
 */
final class FileBatches {
    private static final String NUMBER = "kelvin_row_number";
    private static final int PLACE_BITS = 33; // of monotonically_increasing_id, below the partition's number

    private FileBatches() {}

    static Dataset<Row> of(Dataset<Row> rows, int batch) {
        if (rows.isStreaming()) {
            throw new InvalidInputException("a stream has no end, and so no batches of one file");
        }
        Column id = functions.monotonically_increasing_id();
        Column partition = functions.shiftright(id, PLACE_BITS).cast("int");
        Column place = id.bitwiseAND(functions.lit((1L << PLACE_BITS) - 1));
        Column first = functions.element_at(firsts(rows), partition.plus(1));
        int partitions = Math.max(1, rows.toJavaRDD().getNumPartitions());
        return rows.withColumn(NUMBER, first.plus(place))
                .repartition(partitions, functions.floor(functions.col(NUMBER).divide(batch)))
                .sortWithinPartitions(NUMBER)
                .drop(NUMBER);
    }

    /** The number of each partition's first row. */
    private static Column firsts(Dataset<Row> rows) {
        List<Row> counts = rows.select(functions.spark_partition_id().as("partition"))
                .groupBy("partition")
                .count()
                .collectAsList();
        int last = counts.stream().mapToInt(row -> row.getInt(0)).max().orElse(0);
        long[] sizes = new long[last + 1];
        counts.forEach(row -> sizes[row.getInt(0)] = row.getLong(1));
        Column[] firsts = new Column[sizes.length];
        long before = 0;
        for (int i = 0; i < sizes.length; i++) {
            firsts[i] = functions.lit(before);
            before += sizes[i];
        }
        return functions.array(firsts);
    }
}

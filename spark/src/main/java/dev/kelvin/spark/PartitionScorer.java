package dev.kelvin.spark;

import java.util.Iterator;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;

/** The rows of a partition with their scores: what Spark sends to a task, which is settings and no model. */
record PartitionScorer(KelvinScores settings, String stamp, SampleColumns samples, ScoreColumns scores)
        implements MapPartitionsFunction<Row, Row> {
    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        return rows.hasNext() ? new ScoredRows(this, rows) : rows;
    }
}

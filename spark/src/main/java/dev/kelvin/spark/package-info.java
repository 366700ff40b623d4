/**
 * Scores DataFrames of Apache Spark, and streams of them, with a run of Kelvin. Begin with {@link dev.kelvin.spark.KelvinScores};
 * {@link dev.kelvin.spark.Score} is the same for spark-submit.
 */
@NullMarked
package dev.kelvin.spark;

import org.jspecify.annotations.NullMarked;

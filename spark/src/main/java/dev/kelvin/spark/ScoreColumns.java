package dev.kelvin.spark;

import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.RowScores;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.Words;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The columns that scores are written to, behind those of the rows.
 *
 * @param table whether the model is one of a table, whose columns may be odd
 * @param classes the classes' names; none where the model has none
 * @param separates whether there is another score than f
 * @param problems whether rows that cannot be scored say why
 */
record ScoreColumns(String prefix, boolean table, List<String> classes, boolean separates, boolean problems)
        implements Serializable {
    ScoreColumns {
        classes = List.copyOf(classes);
    }

    static ScoreColumns of(ModelCard card, KelvinScores settings) {
        List<String> classes = card.components() instanceof ComponentKind.Classes known ? known.names() : List.of();
        if (settings.by() == OodScore.MAX_P && classes.isEmpty()) {
            throw new InvalidInputException("the score " + settings.by().option() + " takes p(y|x), and the model of "
                    + card.name() + " has no classes; take f or gradient");
        }
        return new ScoreColumns(
                settings.prefix(),
                card.samples().rows().isPresent(),
                classes,
                settings.by() != OodScore.F,
                settings.badRows() == BadRows.NULL);
    }

    /** The columns' names and types, all of which may be null. */
    private StructType own() {
        StructType own = new StructType()
                .add(prefix + "f", DataTypes.DoubleType)
                .add(prefix + "log_p", DataTypes.DoubleType)
                .add(prefix + "quantile", DataTypes.DoubleType)
                .add(prefix + "alarm", DataTypes.BooleanType);
        if (table) {
            own = own.add(prefix + "oddest", DataTypes.StringType);
        }
        for (String name : classes) {
            own = own.add(prefix + "p_" + name, DataTypes.DoubleType);
        }
        if (!classes.isEmpty()) {
            own = own.add(prefix + "class", DataTypes.StringType);
        }
        if (separates) {
            own = own.add(prefix + "in_distribution", DataTypes.DoubleType);
        }
        return problems ? own.add(prefix + "problem", DataTypes.StringType) : own;
    }

    /** A schema with these columns behind its own. */
    StructType addedTo(StructType schema) {
        Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER); // as Spark compares names
        taken.addAll(List.of(schema.fieldNames()));
        StructType all = schema;
        for (StructField field : own().fields()) {
            if (!taken.add(field.name())) {
                throw new InvalidInputException("there is a column " + Words.quote(field.name())
                        + " already; rename it, or let the scores' names begin with something (prefix, --prefix)");
            }
            all = all.add(field);
        }
        return all;
    }

    int count() {
        return own().length();
    }

    /** Writes the scores of a sample to a row's values from a place on; what is not known stays null. */
    void write(RowScores all, int i, List<String> columns, @Nullable Object[] row, int from) {
        Scores scores = all.scores();
        int next = from;
        row[next++] = scores.f()[i];
        row[next++] = known(all.logDensity()[i]);
        row[next++] = known(all.quantile()[i]);
        row[next++] = Double.isNaN(all.quantile()[i]) ? null : (Object) all.alarm()[i];
        if (table) {
            int oddest = all.oddest()[i];
            row[next++] = oddest < 0 ? null : columns.get(oddest);
        }
        if (!classes.isEmpty()) {
            for (double p : scores.p()[i]) {
                row[next++] = p;
            }
            row[next++] = classes.get(scores.predicted(i));
        }
        if (separates) {
            row[next] = scores.score()[i];
        }
    }

    private static @Nullable Object known(double number) {
        return Double.isNaN(number) ? null : number;
    }
}

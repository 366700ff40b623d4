package com.example.kelvin;

import dev.kelvin.model.Model;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Loads the model of a table and asks it of rows in the table's own units: which are so odd that someone should look? */
public final class ScorePayments {
    private ScorePayments() {}

    /** A row that is odd, and how much: the share of usual rows that are as odd. */
    public record Alarm(int row, double quantile) {}

    /** The rows that are odder than all but a share of usual ones: so many of those give a false alarm. */
    public static List<Alarm> alarms(Path run, double[][] rows, double rate) throws IOException {
        try (Model model = Model.load(run)) {
            double[] quantiles = model.quantile(rows); // amount, hour, ...: as model.columns() names them
            List<Alarm> alarms = new ArrayList<>();
            for (int i = 0; i < rows.length; i++) {
                if (quantiles[i] <= rate) {
                    alarms.add(new Alarm(i, quantiles[i]));
                }
            }
            return alarms;
        }
    }

    /** The mean of log p in nats, where the model knows its normaliser; of f where it does not. */
    public static double meanLogLikelihood(Path run, double[][] rows) throws IOException {
        try (Model model = Model.load(run)) {
            double[] each = model.isNormalised() ? model.logLikelihood(rows) : model.score(rows);
            double sum = 0;
            for (double value : each) {
                sum += value / each.length;
            }
            return sum;
        }
    }
}

package com.example.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.model.Model;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example on a small model of the table of payments that is trained here. */
class ScorePaymentsIT {
    @TempDir
    private static Path folder;

    private static Path run;

    @BeforeAll
    static void train() throws Exception {
        run = folder.resolve("run");
        CommandLine.Finished trained = CommandLine.start(
                        folder,
                        "train",
                        "table",
                        "--data=" + Path.of("payments.csv").toAbsolutePath(),
                        "--set=data.table.label=fraud",
                        "--set=data.table.advise=false",
                        "--set=model.mlp.hidden=[16]",
                        "--set=negatives.steps=2",
                        "--set=train.iterations=60",
                        "--set=train.checkpointEvery=30",
                        "--out=run")
                .await();
        assertThat(trained.exit()).as("%s", trained).isZero();
    }

    /** The rows of the new file whose last cell is this. */
    private static double[][] payments(String label) throws Exception {
        return Files.readAllLines(Path.of("payments-new.csv")).stream()
                .skip(1)
                .filter(line -> line.endsWith("," + label))
                .map(line -> Arrays.stream(line.split(",", -1))
                        .limit(6)
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toArray(double[][]::new);
    }

    /**
     * Usual rows that the model has never seen raise alarms at about the rate that was asked for: of 570, and by the 600 that
     * the quantiles come from, 0.1 ± 4 · √(0.09 (1/570 + 1/600)).
     */
    @Test
    void usualRowsRaiseFewAlarms() throws Exception {
        double[][] usual = payments("0");
        List<ScorePayments.Alarm> alarms = ScorePayments.alarms(run, usual, 0.1);
        double spread = 4 * Math.sqrt(0.09 * (1.0 / usual.length + 1.0 / 600));
        assertThat((double) alarms.size() / usual.length).isBetween(0.1 - spread, 0.1 + spread);
        assertThat(alarms).allMatch(alarm -> alarm.quantile() > 0 && alarm.quantile() <= 0.1);
        double[][] absurd = {{1e5, 12, 1, 1, 1e6, 50}};
        assertThat(ScorePayments.alarms(run, absurd, 0.01)).hasSize(1);
    }

    @Test
    void likelihoodsAreInTheTablesUnits() throws Exception {
        double[][] usual = payments("0");
        try (Model model = Model.load(run)) {
            assertThat(model.columns())
                    .containsExactly(
                            "amount", "hour", "distance_km", "minutes_since_last", "balance", "merchant_score");
            assertThat(model.isNormalised()).isTrue();
        }
        // a Gaussian with the rows' moments has -34; in other units, such as the model's, it would be about -8
        assertThat(ScorePayments.meanLogLikelihood(run, usual)).isBetween(-40.0, -28.0);
    }
}

package dev.kelvin.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A time that a run diverged and went back to a checkpoint, as its log remembers it under the checkpoint's step.
 *
 * @param attempt its number, from 1
 */
public record Rollback(long brokenStep, long toStep, int attempt) {
    static final String ATTEMPT = "retry";
    static final String GAVE_UP = "gave_up";
    private static final String BROKEN_STEP = "broken_step";

    /** All that a log holds. */
    static List<Rollback> of(List<MetricsLog.Line> log) {
        return log.stream()
                .filter(line -> line.values().containsKey(ATTEMPT))
                .map(line -> new Rollback(
                        line.values().getOrDefault(BROKEN_STEP, Double.NaN).longValue(),
                        line.step(),
                        line.values().getOrDefault(ATTEMPT, Double.NaN).intValue()))
                .toList();
    }

    Map<String, Double> values() {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(ATTEMPT, (double) attempt);
        values.put(BROKEN_STEP, (double) brokenStep);
        return values;
    }

    /** A sentence for each in a log of a run that may go back {@code allowed} times. */
    public static List<String> sentences(List<MetricsLog.Line> log, int allowed) {
        return Stream.concat(
                        of(log).stream().map(rollback -> rollback.words(allowed)),
                        log.stream()
                                .filter(line -> line.values().containsKey(GAVE_UP))
                                .map(line -> "Training diverged again at step " + line.step()
                                        + " and was stopped: results are of its last good checkpoint."))
                .toList();
    }

    String words(int allowed) {
        return "Training diverged at step " + brokenStep + " and went back to the checkpoint of step " + toStep
                + " with new random numbers (" + attempt + " of " + allowed + " times allowed).";
    }
}

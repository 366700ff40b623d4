package dev.kelvin.train;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Writes down what a run tells, and forgets what it says never was. */
public final class Recorder implements TrainListener {
    public final TreeMap<Long, Map<String, Double>> reports = new TreeMap<>();
    public final List<String> events = new ArrayList<>();

    @Override
    public void stepped(long step, StepReport report) {
        reports.put(step, report.values());
    }

    @Override
    public void scored(long step, OptionalDouble score) {
        events.add("scored " + step + (score.isPresent() ? " " + score.getAsDouble() : ""));
    }

    @Override
    public void startedAt(long step) {
        reports.tailMap(step, false).clear();
        events.add("started at " + step);
    }

    @Override
    public void wentBack(long brokenStep, long toStep, String why, int attempt, int attempts) {
        events.add("back from " + brokenStep + " to " + toStep + ", " + attempt + " of " + attempts + ": " + why);
    }

    @Override
    public void gaveUp(long brokenStep, int attempts) {
        events.add("gave up at " + brokenStep + " after " + attempts);
    }
}

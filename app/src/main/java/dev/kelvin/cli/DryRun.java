package dev.kelvin.cli;

import dev.kelvin.cli.terminal.Output;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Judge;
import dev.kelvin.negative.Batch;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.StepReport;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What a run would take, found out without writing anything: parameters, data and memory at once, then the time,
 * by a few steps or, where one alone would take too long, by the gradient of f at a few samples.
 */
final class DryRun {
    private static final int TIMED_STEPS = 20;

    /** The first step compiles and allocates; on a GPU work is recorded when it comes a second time, and played after that. */
    private static final int WARM_UP = 1;

    private static final int WARM_UP_ON_GPU = 4;

    /** What all trial steps may take together, but for the last. */
    private static final double SECONDS = 10;

    /** How long one gradient is to take before others are estimated by it. */
    private static final double ENOUGH_SECONDS = 1;

    /** Passes over the batch beside those of the chains: f at positives and negatives, and back to the parameters. */
    private static final int OTHER_PASSES = 3;

    private static final String IN_ALL = "seconds_in_all";

    private final Experiment experiment;
    private final Progress progress;
    private final boolean ofSamples;

    private DryRun(Experiment experiment, Progress progress) {
        this.experiment = experiment;
        this.progress = progress;
        ofSamples = experiment.recipe().form().isOfSamples();
    }

    /** Makes the experiment and prints what it would take: for people as it is found, for programs as one object. */
    static void print(Supplier<Experiment> made, Progress progress, PrintWriter out, boolean json) {
        Backend.load();
        long before = Backend.residentBytes();
        try (Experiment experiment = made.get()) {
            Judge.of(experiment).requireFiles();
            DryRun run = new DryRun(experiment, progress);
            Map<String, Object> facts = run.facts(json);
            if (!json) {
                progress.end();
                Output.print(out, false, facts);
            }
            progress.doing("trial steps");
            double estimate = run.estimate();
            Map<String, Object> found = estimate > SECONDS ? run.extrapolated(estimate) : run.measured(before);
            progress.close();
            if (json) {
                facts.putAll(found);
                Output.print(out, true, facts);
            } else {
                Map<String, Object> words = new LinkedHashMap<>();
                found.forEach((name, value) -> words.put(
                        name.equals(IN_ALL) ? "time_in_all" : name,
                        name.equals(IN_ALL) ? "about " + Progress.duration(((Number) value).doubleValue()) : value));
                Output.print(out, false, words);
            }
        }
    }

    private Map<String, Object> facts(boolean json) {
        Recipe recipe = experiment.recipe();
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("recipe", recipe.name());
        results.put("device", experiment.device().toString());
        results.put("data", recipe.data().origin());
        results.put("batch", batchShape());
        results.put("parameters", experiment.parameters());
        if (json) {
            results.put("layers", layers());
        }
        results.put("iterations", recipe.train().iterations());
        results.put("mb_of_checkpoint", checkpointBytes() / 1e6);
        experiment.latentBytes().ifPresent(bytes -> results.put("mb_estimated", bytes / 1e6));
        results.put("resident_mb", Backend.residentBytes() / 1e6);
        return results;
    }

    private Map<String, Object> measured(long before) {
        int batch = experiment.recipe().train().batch();
        long began = System.nanoTime();
        StepReport first = step(0, batch);
        double millis = (System.nanoTime() - began) / 1e6;
        int done = 1;
        int warmUp = experiment.device().cuda() ? WARM_UP_ON_GPU : WARM_UP;
        for (; done < warmUp && System.nanoTime() - began < SECONDS * 1e9; done++) {
            int number = done;
            millis = 1e3 * seconds(() -> step(number, batch));
        }
        long after = Backend.residentBytes();
        long timed = System.nanoTime();
        int steps = 0;
        while (steps < TIMED_STEPS && System.nanoTime() - began < SECONDS * 1e9) {
            progress.at("trial steps", steps, TIMED_STEPS);
            step(done + steps++, batch);
            millis = (System.nanoTime() - timed) / 1e6 / steps;
        }
        String by =
                steps == 0 ? "the last of " + done + " steps that prepare" : steps + (steps == 1 ? " step" : " steps");
        Map<String, Object> found = times(millis, by);
        found.put("mb_of_model_and_step", (after - before) / 1e6);
        found.put("resident_mb", after / 1e6);
        found.putAll(first.values());
        return found;
    }

    private static double seconds(Runnable work) {
        long began = System.nanoTime();
        work.run();
        return (System.nanoTime() - began) / 1e9;
    }

    private Map<String, Object> times(double millis, String by) {
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("ms_per_step", millis);
        found.put(IN_ALL, millis * experiment.recipe().train().iterations() / 1e3);
        found.put("estimated_by", by);
        return found;
    }

    private Map<String, Object> extrapolated(double seconds) {
        String by = ofSamples
                ? "the gradient of f at a few samples; no step was done, one takes too long"
                : "a step with few images; one with all takes too long";
        return times(seconds * 1e3, by);
    }

    /**
     * Seconds that a step will take, roughly: the time of ∇f for a sample, measured with more and more of them at once,
     * times the samples that a step passes. A latent model's step is bounded by that of few images. On a GPU, where few
     * samples take as long as many, 0: what takes time there is the first step's preparation.
     */
    private double estimate() {
        if (experiment.device().cuda()) {
            return 0;
        }
        Recipe recipe = experiment.recipe();
        int batch = recipe.train().batch();
        if (!ofSamples) {
            int few = Math.min(2, batch);
            double first = seconds(() -> step(0, few));
            double one = first < ENOUGH_SECONDS ? seconds(() -> step(0, few)) : first; // the first allocates
            return one * batch / few;
        }
        int negatives = recipe.negativeCount();
        LogDensity f = experiment.model().chainJoint().data();
        gradient(f, 1); // which allocates
        int rows = 1;
        double seconds = gradient(f, rows);
        for (; seconds < ENOUGH_SECONDS && 2 * rows <= negatives; seconds = gradient(f, rows)) {
            rows *= 2;
        }
        double passes =
                (double) negatives * recipe.negatives().steps().last() + OTHER_PASSES * (double) (batch + negatives);
        return seconds / rows * passes;
    }

    /** Seconds that ∇f takes at this number of samples. */
    private double gradient(LogDensity f, int rows) {
        try (Scope scope = Scope.open()) {
            Tensor x = experiment.model().starts().draw(Key.of(0), rows);
            return seconds(() -> f.gradient(x));
        }
    }

    private StepReport step(int number, int rows) {
        try (Scope scope = Scope.open()) {
            Key key = Key.of(experiment.recipe().train().seed());
            Key[] keys = key.child(0).child(number).split(2);
            Batch batch = experiment.batches().batch(keys[0], number, rows);
            StepReport report = experiment.learner().step(keys[1], number, batch);
            experiment.device().synchronize();
            return report;
        }
    }

    /** What training keeps: parameters, their average, the optimiser's, the replay buffer. */
    private long checkpointBytes() {
        State state = State.empty();
        experiment.learner().save(state);
        return state.tensors().values().stream()
                .mapToLong(tensor -> tensor.count() * tensor.dtype().bytes())
                .sum();
    }

    private String batchShape() {
        try (Scope scope = Scope.open()) {
            int batch = experiment.recipe().train().batch();
            return Arrays.toString(experiment.positives().draw(Key.of(0), batch).shape());
        }
    }

    private String layers() {
        return experiment.learner().model().layout().entries().stream()
                .map(entry -> entry.name() + entry.shape())
                .collect(Collectors.joining(" "));
    }
}

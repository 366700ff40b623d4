package dev.kelvin.cli;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Recipe;
import dev.kelvin.negative.Batch;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.StepReport;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What a run would take, found out by doing a few of its steps without writing anything. */
final class DryRun {
    /** The first step compiles and allocates; the ones after it tell the time. */
    private static final int TIMED_STEPS = 20;

    private DryRun() {}

    static Map<String, Object> of(Supplier<Experiment> begins) {
        Backend.load();
        long before = Backend.residentBytes();
        try (Experiment experiment = begins.get()) {
            Recipe recipe = experiment.recipe();
            Device device = experiment.device();
            StepReport first = step(experiment, 0);
            long after = Backend.residentBytes();
            long began = System.nanoTime();
            for (int i = 1; i <= TIMED_STEPS; i++) {
                step(experiment, i);
            }
            device.synchronize();
            double millis = (System.nanoTime() - began) / 1e6 / TIMED_STEPS;
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("recipe", recipe.name());
            results.put("device", device.toString());
            results.put("batch", batchShape(experiment));
            results.put("parameters", experiment.parameters());
            results.put("layers", layers(experiment));
            results.put("ms_per_step", millis);
            results.put("seconds_in_all", millis * recipe.train().iterations() / 1e3);
            results.put("mb_of_model_and_step", (after - before) / 1e6);
            results.put("resident_mb", after / 1e6);
            experiment.latentBytes().ifPresent(bytes -> results.put("mb_estimated", bytes / 1e6));
            results.putAll(first.values());
            return results;
        }
    }

    private static StepReport step(Experiment experiment, int number) {
        try (Scope scope = Scope.open()) {
            Key[] keys = Key.of(experiment.recipe().train().seed())
                    .child(0)
                    .child(number)
                    .split(2);
            Batch batch = experiment
                    .batches()
                    .batch(keys[0], number, experiment.recipe().train().batch());
            return experiment.learner().step(keys[1], number, batch);
        }
    }

    private static String batchShape(Experiment experiment) {
        try (Scope scope = Scope.open()) {
            return Arrays.toString(experiment
                    .positives()
                    .draw(Key.of(0), experiment.recipe().train().batch())
                    .shape());
        }
    }

    private static String layers(Experiment experiment) {
        return experiment.learner().model().layout().entries().stream()
                .map(entry -> entry.name() + entry.shape())
                .collect(Collectors.joining(" "));
    }
}

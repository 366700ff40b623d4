package dev.kelvin.run;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.nio.file.Path;

/** A run that is stopped after some steps, as by a signal, with a checkpoint. */
final class StoppedRun {
    private StoppedRun() {}

    /** Trains by a recipe in a new folder until this step. */
    static RunFolder train(Path folder, Recipe recipe, int until) throws IOException {
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            RunFolder run = RunFolder.create(folder, recipe, Provenance.of(experiment, Device.CPU));
            long[] done = {0};
            TrainListener counting = new TrainListener() {
                @Override
                public void stepped(long step, StepReport report) {
                    done[0] = step;
                }
            };
            new Runner(run, Device.CPU).train(experiment, counting, () -> done[0] >= until);
            return run;
        }
    }
}

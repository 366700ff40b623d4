package dev.kelvin.cli;

import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import java.util.List;
import java.util.Optional;

/** A verb that works on a run's experiment: its data, its recipe and what learns. */
abstract class ExperimentCommand extends RunCommand {
    @Override
    final void work(RunFolder folder, Progress progress) throws Exception {
        Recipe recipe = dataOption.applied(folder.recipe(List.of()));
        chooseThreads(recipe.data().images());
        Device device = deviceOption.device();
        folder.requireData(recipe);
        try (Experiment experiment = new Experiment(recipe, device)) {
            Runner runner = new Runner(folder, device);
            if (acceptChanges) {
                runner.accept(experiment);
            }
            Optional<CheckpointChoice> asked = checkpoint();
            long step = asked.isPresent() ? runner.restore(experiment, asked.get()) : runner.restoreJudged(experiment);
            if (dataOption.given()) { // and so they are known to be the same
                folder.write(recipe);
            }
            work(folder, experiment, runner, progress, step);
        }
    }

    /** Does the verb's work on the run's checkpoint; closes the progress before it prints results. */
    abstract void work(RunFolder folder, Experiment experiment, Runner runner, Progress progress, long step)
            throws Exception;
}

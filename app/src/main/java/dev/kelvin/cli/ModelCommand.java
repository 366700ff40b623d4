package dev.kelvin.cli;

import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.RunStarts;
import dev.kelvin.tensor.Device;
import java.io.IOException;

/** A verb that works on a run's model alone: the data need not be there. */
abstract class ModelCommand extends RunCommand {
    @Override
    final void work(RunFolder folder, Progress progress) throws Exception {
        check();
        Device device = deviceOption.device();
        try (Model model = load(folder, device)) {
            work(folder, model, progress);
        }
    }

    /** The model of the checkpoint that is asked for. */
    private Model load(RunFolder folder, Device device) throws IOException {
        dataOption.requireFile();
        ModelCard card = folder.card();
        chooseThreads(card.samples().images().isPresent());
        RunStarts starts = new RunStarts(folder, dataOption::applied, card, device, acceptChanges);
        Model model = Model.load(folder.path(), checkpoint().orElse(card.judged()), device, starts);
        try {
            folder.requireSettings(model, acceptChanges);
            return model;
        } catch (IOException | RuntimeException e) {
            model.close();
            throw e;
        }
    }

    /** Refuses options that do not go together, before anything is opened. */
    void check() {}

    /** Does the verb's work on the model; closes the progress before it prints results. */
    abstract void work(RunFolder folder, Model model, Progress progress) throws Exception;
}

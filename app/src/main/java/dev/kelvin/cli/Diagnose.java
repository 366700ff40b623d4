package dev.kelvin.cli;

import dev.kelvin.experiment.Evaluation;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Purpose;
import dev.kelvin.experiment.Recipes;
import dev.kelvin.experiment.Sampler;
import dev.kelvin.experiment.WorkListener;
import dev.kelvin.metric.Figure;
import dev.kelvin.metric.ModelFigures;
import dev.kelvin.metric.SteinDiscrepancy;
import dev.kelvin.run.Diagnosis;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.run.Sampling;
import dev.kelvin.sample.Chains;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code kelvin diagnose RUN}. */
@Command(
        name = "diagnose",
        description = {
            "Says in sentences what is wrong with a run and what to try: with its model, and with its sampler,",
            "whose chains are run on the model for long and compared with each other."
        },
        mixinStandardHelpOptions = true)
final class Diagnose extends RunCommand {
    private static final int CHAINS = 16;
    private static final int DRAWS = 1000;

    /** Of the evaluation: whether the samples are the model's, and whether its normaliser is known. */
    private static final List<String> FIGURES = Stream.of(
                    SteinDiscrepancy.STEIN, ModelFigures.LOG_Z_LOWER, ModelFigures.LOG_Z_UPPER, ModelFigures.LOG_Z_GAP)
            .map(Figure::name)
            .toList();

    @Override
    void work(RunFolder folder, Experiment experiment, Runner runner, Device device, long step) throws Exception {
        Evaluation evaluation = Files.exists(folder.evaluation())
                ? Evaluation.read(folder.evaluation())
                : runner.evaluate(experiment, experiment.data().judge(experiment), step, WorkListener.SILENT);
        List<String> sentences = new ArrayList<>(experiment.data().warnings(experiment.recipe(), evaluation));
        Diagnosis diagnosis = longChains(experiment);
        for (String complaint : diagnosis.complaints()) {
            sentences.add("Chains of the run's own sampler, started as in training: " + complaint);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("run", folder.path().toString());
            results.put("checkpoint", step);
            results.put("sentences", sentences);
            FIGURES.forEach(name -> evaluation.figure(name).ifPresent(value -> results.put(name, value)));
            results.putAll(diagnosis.figures());
            Output.print(out, true, results);
            return;
        }
        if (sentences.isEmpty()) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "Nothing is wrong: the figures are good, and %d chains of the run's own sampler agree (R-hat %.4g,"
                            + " %.0f effective draws).",
                    diagnosis.chains().trace().chains(),
                    diagnosis.worst().rhat(),
                    diagnosis.leastBulk()));
        }
        sentences.forEach(out::println);
        out.flush();
    }

    private static Diagnosis longChains(Experiment experiment) {
        Key key = Purpose.DIAGNOSIS.key(experiment.recipe().train().seed());
        int steps = Math.max(1, experiment.recipe().negatives().steps().last());
        try (Scope scope = Scope.open()) {
            boolean annealed = experiment.sampler().annealed();
            int chains = experiment.wholeSets(CHAINS);
            Tensor start = annealed
                    ? experiment.sampler().draw(key.child(0), chains).x()
                    : experiment.starts().draw(key.child(0), chains);
            Sampling.Subject subject = new Sampling.Subject(
                    experiment.recipe().name(), "", experiment.chainTable().data(), Optional.empty(), start);
            boolean ownStep = !annealed && experiment.adapted().isEmpty(); // else no one step size is the run's
            boolean finds = !ownStep && experiment.kernel().bestAcceptance().isPresent();
            Recipes.KernelChoice kernel = new Recipes.KernelChoice(experiment.inSets(experiment.kernel()), finds);
            int held = Math.max(2, DRAWS * CHAINS / chains); // as much memory, however many chains a set has
            Chains.Length length = new Chains.Length(Sampler.LONGER * steps, DRAWS, 1, held);
            return Sampling.run(key.child(1), subject, kernel, length).diagnosis();
        }
    }
}

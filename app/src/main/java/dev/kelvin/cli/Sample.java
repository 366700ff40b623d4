package dev.kelvin.cli;

import dev.kelvin.cli.option.Factors;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.condition.SampledTable;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.ToySettings;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.model.condition.ConditionedChains;
import dev.kelvin.model.condition.Product;
import dev.kelvin.panel.Panels;
import dev.kelvin.part.Check;
import dev.kelvin.run.RunFolder;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kelvin sample RUN}: fresh chains with the run's own sampler. */
@Command(
        name = "sample",
        description = {
            "Draws samples of a run's model with the run's own sampler.",
            "Chains are fresh. Of a model with classes that was trained with one replay buffer, chains of a class continue",
            "from the buffer's samples that the model assigns to it. Samples of a table's model are written as CSV in the",
            "table's units. With --with, they are samples of the product of several models.",
            "See also: 'kelvin chains' (another kernel, and whether its chains have converged), 'kelvin restore' (images",
            "with lost pixels or noise), 'kelvin impute' (rows of a table given some of their cells)."
        },
        footer = {
            "",
            "Examples:",
            "  kelvin sample runs/rings -n 5000",
            "  kelvin sample runs/digits-classes -n 40 --class 3",
            "  kelvin sample runs/digits-time-cdce --with runs/digits-time-cdce-2*0.5 -n 100"
        })
final class Sample extends DrawCommand {
    @Option(names = "-n", paramLabel = "N", description = "how many samples (default: ${DEFAULT-VALUE})")
    private int count = 1000;

    @Option(
            names = "--steps",
            paramLabel = "K",
            description =
                    "steps of each chain (default: 30 times the recipe's; for images, the recipe's, and 3 times that by class"
                            + " from a replay buffer of all classes); of a time-joint model only with --with, at each time")
    private Optional<Integer> steps = Optional.empty();

    @Mixin
    private Factors others;

    @Override
    String usualName() {
        return "drawn";
    }

    @Override
    void check() {
        Check.atLeast("-n", count, 1);
        steps.ifPresent(each -> Check.atLeast("--steps", each, 0));
    }

    @Override
    void work(RunFolder folder, Model model, Progress progress) throws Exception {
        progress.doing("sampling");
        Map<String, Object> results = new LinkedHashMap<>();
        try (Factors.Multiplied models = others.times(model, Optional.empty());
                Scope scope = Scope.open()) {
            ChainRun chains =
                    others.given() ? drawProduct(folder, models.product(), results) : draw(folder, model, results);
            results.put("checkpoint", model.step());
            chains.acceptance().ifPresent(rate -> results.put("acceptance", rate));
            progress.close();
            if (others.given()) {
                warnIfStuck(chains.acceptance(), "take more --steps");
            }
            print(results);
        }
    }

    private ChainRun draw(RunFolder folder, Model model, Map<String, Object> results) throws IOException {
        Sampler sampler = model.sampler();
        int each = steps(model, sampler.traits());
        long[] labels = labels(model);
        ChainRun chains = sampler.draw(SampleRequest.given(key(), each, labels));
        results.put("samples", labels.length);
        results.put("steps", sampler.length(each));
        if (!model.hasClasses()) {
            write(folder, model, chains.x(), Optional.empty(), 1, results);
            return chains;
        }
        int shown = wanted.isEmpty() ? model.classes().size() : 1;
        Path classes = beside(write(folder, model, chains.x(), Optional.of(labels), shown, results), "-labels.npy");
        Npy.write(classes, Tensors.of(labels));
        results.put("labels", classes.toString());
        return chains;
    }

    private ChainRun drawProduct(RunFolder folder, Product models, Map<String, Object> results) throws IOException {
        Model first = models.first();
        ConditionedChains sampler = new ConditionedChains(models, wanted, Optional.empty(), false, steps);
        ChainRun chains = sampler.draw(key(), count);
        results.put("samples", chains.x().size(0));
        results.put("steps", sampler.length());
        Optional<long[]> classes = wanted.filter(name -> first.hasClasses()).map(name -> labels(first));
        write(folder, first, chains.x(), classes, 1, results);
        return chains;
    }

    /** Chains that are annealed to where they are wanted have a length of their own. */
    private int steps(Model model, Sampler.Traits traits) {
        if (traits.annealed() && steps.isPresent()) {
            throw usage(
                    "--steps cannot be combined with a time-joint model, whose chains are annealed through all times:"
                            + " set it by 'kelvin train --resume RUN --set time.annealing.steps=N'");
        }
        return steps.orElseGet(() -> model.usualSteps() * traits.factorOfGiven());
    }

    /** The samples' classes: the one that is asked for, or all in turn. */
    private long[] labels(Model model) {
        long[] labels = model.inTurn(count);
        wanted.ifPresent(name -> Arrays.fill(labels, model.classNamed(name)));
        return labels;
    }

    /** Writes samples and their picture, in which this number of classes take turns; the samples' file. */
    private Path write(
            RunFolder folder,
            Model model,
            Tensor samples,
            Optional<long[]> classes,
            int shown,
            Map<String, Object> results)
            throws IOException {
        Optional<SampledTable> table = SampledTable.of(model);
        Path file = file(folder, table.isPresent() ? ".csv" : ".npy");
        if (table.isPresent()) {
            table.get().write(file, table.get().kind().own(samples), classes);
        } else {
            Npy.write(file, samples);
        }
        Path picture = beside(file, ".png");
        Optional<ToyData> toy = model.card().samples() instanceof SampleKind.Points
                        && folder.recipe(List.of()).data() instanceof ToySettings settings
                ? Optional.of(settings.set())
                : Optional.empty();
        Panels.samples(model, samples, shown, toy).write(picture);
        results.put("file", file.toString());
        results.put("picture", picture.toString());
        return file;
    }
}

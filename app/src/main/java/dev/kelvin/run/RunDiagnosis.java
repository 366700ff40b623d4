package dev.kelvin.run;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Finding;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.Suggestions;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.Model;
import dev.kelvin.model.Precision;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.chain.Chains;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is wrong with a run: by its figures, by long chains of its own sampler, and by f where those end beside f at the
 * data. Chains that climb above the data show that the model has mass elsewhere, which no sampler mends; chains that stay
 * below have not found what the model has learnt, which is the sampler's fault.
 */
public record RunDiagnosis(List<Finding> findings, ChainDiagnostics diagnosis, Optional<Heights> heights) {
    private static final int CHAINS = 16;
    private static final int DRAWS = 1000;
    private static final int DATA = 256;

    /** The share of pairs beyond which chains lie above the data; as few as the rest where they stay below. */
    private static final double NEARLY_ALL = 0.95;

    /** f at the data and where long chains end, sorted. */
    record Heights(double[] data, double[] chains) {
        Heights {
            Arrays.sort(data);
            Arrays.sort(chains);
        }

        /** The share of pairs in which the chain lies higher: 1/2 where both are draws of the model. */
        double share() {
            return Arrays.stream(chains)
                    .flatMap(chain -> Arrays.stream(data).map(sample -> chain > sample ? 1 : chain == sample ? 0.5 : 0))
                    .average()
                    .orElseThrow();
        }

        String medians() {
            return Words.say(
                    "median f %.3g against %.3g at the data", chains[chains.length / 2], data[data.length / 2]);
        }
    }

    public RunDiagnosis {
        findings = List.copyOf(findings);
    }

    /** Runs long chains on the model, and looks at them and at the figures. */
    public static RunDiagnosis of(Experiment experiment, Evaluation evaluation) {
        ChainDiagnostics diagnosis = longChains(experiment);
        Optional<Heights> heights = heights(experiment, diagnosis);
        List<Finding> byFigures = Judge.of(experiment).findings(evaluation);
        return of(experiment.recipe(), byFigures, diagnosis, heights);
    }

    /** Where chains leave the data for what the model likes better, that they disagree says nothing of the sampler. */
    static RunDiagnosis of(
            Recipe recipe, List<Finding> byFigures, ChainDiagnostics diagnosis, Optional<Heights> heights) {
        Suggestions remedies = new Suggestions(recipe);
        List<Finding> findings = new ArrayList<>(byFigures);
        String medians = heights.map(Heights::medians).orElse("");
        double share = heights.map(Heights::share).orElse(0.5);
        if (share > NEARLY_ALL) {
            findings.add(Finding.of(
                    About.MODEL,
                    "Long chains leave the data for places where f is higher (" + medians
                            + "): the model has mass where there is no data, and no sampler mends that.",
                    remedies.moreSteps(),
                    remedies.replayBuffer(),
                    remedies.robust()));
        } else if (share < 1 - NEARLY_ALL) {
            findings.add(Finding.of(
                    About.SAMPLER,
                    "Long chains stay where f is lower (" + medians + "): they do not find what the model has learnt.",
                    diagnosis.remedies().longer(),
                    diagnosis.remedies().paths(),
                    remedies.moreSteps()));
        } else {
            findings.addAll(diagnosis.findings());
        }
        return new RunDiagnosis(findings, diagnosis, heights);
    }

    /** The findings on one part. */
    public List<Finding> about(About about) {
        return findings.stream().filter(each -> each.about() == about).toList();
    }

    /** What the sampler was seen to do. */
    public String words() {
        StringBuilder words = new StringBuilder(Words.say(
                "%d chains as in training, %d draws each: R-hat %.4g, %.0f effective draws",
                diagnosis.chains().trace().chains(),
                diagnosis.remedies().length().draws(),
                diagnosis.rhat(),
                diagnosis.leastBulk()));
        diagnosis.chains().acceptance().ifPresent(rate -> words.append(Words.say(", acceptance %.2f", rate)));
        heights.ifPresent(each -> words.append(", ").append(each.medians()));
        boolean above = heights.filter(each -> each.share() > NEARLY_ALL).isPresent();
        return words + "." + (above ? " It follows the model; mend that first." : "");
    }

    /** The figures for programs. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>(diagnosis.figures());
        heights.ifPresent(each -> figures.put("chains_above_data", each.share()));
        return figures;
    }

    private static ChainDiagnostics longChains(Experiment experiment) {
        Recipe recipe = experiment.recipe();
        Model model = experiment.model();
        Key key = KeyDomain.DIAGNOSIS.key(recipe.train().seed());
        try (Scope scope = Scope.open()) {
            boolean annealed = experiment.sampler().traits().annealed();
            int chains = model.chainSettings().wholeSets(CHAINS);
            Tensor start = annealed
                    ? experiment.drawn(SampleRequest.of(key.child(0), chains))
                    : model.starts().draw(key.child(0), chains);
            Sampling.Subject subject =
                    new Sampling.Subject(recipe.name(), "", model.chainJoint().data(), Optional.empty(), start);
            boolean ownStep = !annealed && model.adapted().isEmpty(); // else no one step size is the run's
            boolean finds =
                    !ownStep && experiment.kernel().traits().bestAcceptance().isPresent();
            Kernel<?> inSets = model.chainSettings().inSets(experiment.kernel());
            int held = Math.max(2, DRAWS * CHAINS / chains); // as much memory, however many chains a set has
            int burnIn = Sampler.LONGER * Math.max(1, recipe.negatives().steps().last());
            Chains.Length length = new Chains.Length(burnIn, DRAWS, 1, held);
            Recipes.KernelChoice choice = new Recipes.KernelChoice(inSets, finds);
            ChainDiagnostics found = Sampling.run(key.child(1), subject, choice, length, Sampling.tuning(inSets))
                    .diagnosis();
            SamplerSuggestions remedies = new SamplerSuggestions(
                    new Recipes.KernelChoice(experiment.kernel(), finds),
                    found.remedies().moved(),
                    length,
                    recipe.form().isOfSamples(),
                    recipe.train().precision() != Precision.BFLOAT16);
            return new ChainDiagnostics(found.coordinates(), found.chains(), remedies);
        }
    }

    /** Of models of the data themselves: a latent vector, or a sample at some noise, has no data beside it. */
    private static Optional<Heights> heights(Experiment experiment, ChainDiagnostics diagnosis) {
        if (!experiment.recipe().form().runsOnData()) {
            return Optional.empty();
        }
        try (Scope scope = Scope.open()) {
            LogDensity f = experiment.model().chainJoint().data();
            Key key = KeyDomain.DIAGNOSIS.key(experiment.recipe().train().seed());
            Tensor data = experiment.positives().draw(key.child(2), DATA);
            Tensor ends = diagnosis.chains().trace().last().to(experiment.device());
            return Optional.of(new Heights(f.at(data).toDoubles(), f.at(ends).toDoubles()));
        }
    }
}

package dev.kelvin.judge;

import dev.kelvin.data.table.TableFindings;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.part.Words;
import dev.kelvin.sample.anneal.PartitionFunction;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.training.RowJudge;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Judges models of a table. */
record TableJudge(Experiment experiment, TableDataset data) implements Judge {
    @Override
    public Judgement judgement() {
        Map<String, double[]> values = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            RowJudge judge = new RowJudge(data.split());
            LogDensity f = experiment.model().logDensity();
            double temperature = experiment.model().temperature();
            TableJudgement.rowsByKind(data).forEach((kind, rows) -> values.put(kind, judge.at(f, temperature, rows)));
        }
        return new TableJudgement(
                experiment, data, values, ComponentJudge.of(experiment).evaluate(this::examples));
    }

    /** A row that was held out, the table's mean, and one far out. */
    private Map<String, Tensor> examples() {
        Tensor row = data.split().rows(data.split().split().heldOut()[0]);
        Map<String, Tensor> examples = new LinkedHashMap<>();
        examples.put("a held-out row", row);
        examples.put("the mean of all rows", Tensors.zerosLike(row));
        examples.put("3 deviations off", Tensors.zerosLike(row).addNumberInPlace(3));
        return examples;
    }

    /** The negative held-out likelihood by a short annealing, or by the normaliser that a time-joint model has learnt. */
    @Override
    public Optional<CheckpointMetric> score() {
        RowJudge judge = new RowJudge(data.split());
        return Optional.of(new CheckpointMetric(TableFigures.SCORE, () -> {
            try (Scope scope = Scope.open()) {
                return judge.score(experiment.model().density(), experiment.normalised(), experiment.device());
            }
        }));
    }

    @Override
    public List<String> remarks() {
        return TableFindings.of(
                        data.spec().noise() > 0,
                        data.split().table(),
                        data.split().split().train())
                .warnings();
    }

    /** The verdict on a likelihood. */
    static String likelihood(PartitionFunction z, double mean) {
        String bounds = Words.say("[%.2f, %.2f]", mean - z.upper(), mean - z.lower());
        return switch (z.verdict()) {
            case KNOWN -> "known: the mean log-likelihood of held-out rows lies in " + bounds;
            case ROUGHLY_KNOWN -> "roughly known: the mean log-likelihood of held-out rows lies in " + bounds;
            case NOT_KNOWN -> "not known: the two bounds, " + bounds + ", lie too far apart to name a number";
        };
    }

    @Override
    public String lead(Evaluation evaluation) {
        String title = data.spec().title();
        OptionalDouble likelihood = evaluation.figure(HeldOut.LOG_LIKELIHOOD);
        OptionalDouble auroc = evaluation.figure("auroc");
        String told = auroc.isPresent()
                ? Words.say(
                        " It ranks a row with another label below a usual one in %.1f %% of pairs (AUROC).",
                        100 * auroc.getAsDouble())
                : "";
        if (likelihood.isEmpty()) {
            return "A density of the rows of " + title + ", whose likelihood is not known." + told;
        }
        return Words.say(
                "A density of the rows of %s: held-out rows have a mean log-likelihood of %.2f nats, under a fitted Gaussian"
                        + " %.2f.%s",
                title, likelihood.getAsDouble(), evaluation.value(TableFigures.OF_GAUSSIAN), told);
    }

    @Override
    public List<Finding> findings(Evaluation evaluation) {
        Map<String, Double> figures = evaluation.figures();
        double lower = ModelFigures.LOG_Z_LOWER.value(figures);
        double upper = ModelFigures.LOG_Z_UPPER.value(figures);
        double likelihood = HeldOut.LOG_LIKELIHOOD.value(figures);
        return new Findings(experiment.recipe(), figures)
                .add(
                        !RowJudge.known(lower, upper),
                        About.MODEL,
                        Words.say(
                                "The likelihood is not known: log Z lies between %.4g and %.4g. f still ranks rows, and quantiles"
                                        + " hold; log p is not given. A smaller network or fewer columns may help.",
                                lower, upper),
                        Suggestions::moreNoise)
                .add(
                        likelihood < TableFigures.OF_GAUSSIAN.value(figures),
                        About.MODEL,
                        "Held-out rows are likelier under a fitted Gaussian than under the model: it has learnt too much of"
                                + " the rows themselves, or too little.",
                        Suggestions::trainShorter,
                        Suggestions::trainLonger)
                .add(
                        TableFigures.MARGINAL.isPoor(figures),
                        About.MODEL,
                        "Samples' columns differ from the rows': the chains have not reached the model's density, or the"
                                + " model is far from the data's.",
                        Suggestions::trainLonger,
                        Suggestions::moreSteps)
                .all();
    }
}

package dev.kelvin.judge;

import dev.kelvin.data.table.TableFindings;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.component.CheckpointMetric;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.sample.anneal.PartitionFunction;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.training.RowJudge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

    /** What the recipe says, or the only label that there was. */
    @Override
    public Optional<String> normalLabel() {
        return data.spec()
                .normal()
                .or(() -> data.spec().trainOn())
                .or(() ->
                        data.classes().size() == 1 ? Optional.of(data.classes().get(0)) : Optional.empty());
    }

    /** The verdict on a likelihood. */
    static String likelihood(PartitionFunction z, double mean) {
        String bounds = String.format(Locale.ROOT, "[%.2f, %.2f]", mean - z.upper(), mean - z.lower());
        return switch (z.verdict()) {
            case KNOWN -> "known: the mean log-likelihood of held-out rows lies in " + bounds;
            case ROUGHLY_KNOWN -> "roughly known: the mean log-likelihood of held-out rows lies in " + bounds;
            case NOT_KNOWN -> "not known: the two bounds, " + bounds + ", lie too far apart to name a number";
        };
    }

    @Override
    public String lead(Evaluation evaluation) {
        String title = data.spec().title();
        OptionalDouble likelihood = evaluation.figure(HeldOut.LOG_LIKELIHOOD.name());
        OptionalDouble auroc = evaluation.figure("auroc");
        String told = auroc.isPresent()
                ? String.format(
                        Locale.ROOT,
                        " It ranks a row with another label below a usual one in %.1f %% of pairs (AUROC).",
                        100 * auroc.getAsDouble())
                : "";
        if (likelihood.isEmpty()) {
            return "A density of the rows of " + title + ", whose likelihood is not known." + told;
        }
        return String.format(
                Locale.ROOT,
                "A density of the rows of %s: held-out rows have a mean log-likelihood of %.2f nats, under a fitted Gaussian"
                        + " %.2f.%s",
                title,
                likelihood.getAsDouble(),
                evaluation.figure(TableFigures.OF_GAUSSIAN.name()).orElse(Double.NaN),
                told);
    }

    @Override
    public List<Finding> findings(Evaluation evaluation) {
        List<Finding> found = new ArrayList<>();
        Suggestions remedies = new Suggestions(experiment.recipe());
        Map<String, Double> figures = evaluation.figures();
        double lower = figures.getOrDefault(ModelFigures.LOG_Z_LOWER.name(), Double.NaN);
        double upper = figures.getOrDefault(ModelFigures.LOG_Z_UPPER.name(), Double.NaN);
        if (!RowJudge.known(lower, upper)) {
            found.add(Finding.of(
                    About.MODEL,
                    String.format(
                            Locale.ROOT,
                            "The likelihood is not known: log Z lies between %.4g and %.4g. f still ranks rows, and quantiles"
                                    + " hold; log p is not given. A smaller network or fewer columns may help.",
                            lower,
                            upper),
                    remedies.moreNoise()));
        }
        OptionalDouble likelihood = evaluation.figure(HeldOut.LOG_LIKELIHOOD.name());
        double gaussian = figures.getOrDefault(TableFigures.OF_GAUSSIAN.name(), Double.NaN);
        if (likelihood.isPresent() && likelihood.getAsDouble() < gaussian) {
            found.add(Finding.of(
                    About.MODEL,
                    "Held-out rows are likelier under a fitted Gaussian than under the model: it has learnt too much of"
                            + " the rows themselves, or too little.",
                    remedies.trainShorter(),
                    remedies.trainLonger()));
        }
        if (TableFigures.MARGINAL.isPoor(figures)) {
            found.add(Finding.of(
                    About.MODEL,
                    "Samples' columns differ from the rows': the chains have not reached the model's density, or the"
                            + " model is far from the data's.",
                    remedies.trainLonger(),
                    remedies.moreSteps()));
        }
        found.addAll(ModelWarnings.of(experiment.recipe(), figures));
        return found;
    }
}

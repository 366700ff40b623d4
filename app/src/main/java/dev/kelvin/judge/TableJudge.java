package dev.kelvin.judge;

import dev.kelvin.data.table.TableFindings;
import dev.kelvin.dataset.KeyDomain;
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
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Judges models of a table. */
record TableJudge(Experiment experiment, TableDataset data) implements Judge {
    /** The largest gap between the bounds of log Z at which log p is reported as a number, in nats. */
    private static final double KNOWN = 2;

    private static final int QUICK_CHAINS = 128;
    private static final int QUICK_DENSITIES = 64;

    @Override
    public Judgement judgement() {
        Map<String, double[]> values = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            LogDensity f = experiment.logDensity();
            double temperature = experiment.temperature();
            TableJudgement.rowsByKind(data)
                    .forEach((kind, rows) -> values.put(kind, TableJudgement.at(f, data, temperature, rows)));
        }
        return new TableJudgement(
                experiment, data, values, ComponentJudge.of(experiment).evaluate(this::examples));
    }

    /** A row that was held out, the table's mean, and one far out. */
    private Map<String, Tensor> examples() {
        Tensor row = data.rows(data.file().split().heldOut()[0]);
        Map<String, Tensor> examples = new LinkedHashMap<>();
        examples.put("a held-out row", row);
        examples.put("the mean of all rows", Tensors.zerosLike(row));
        examples.put("3 deviations off", Tensors.zerosLike(row).addNumberInPlace(3));
        return examples;
    }

    /** The negative held-out likelihood by a short annealing, or by the normaliser that a time-joint model has learnt. */
    @Override
    public Optional<CheckpointMetric> score() {
        return Optional.of(new CheckpointMetric(TableFigures.SCORE, () -> {
            Key[] keys = KeyDomain.TABLE_SCORE.key().split(3);
            try (Scope scope = Scope.open()) {
                Tensor heldOut = data.heldOutStandard(keys[0]);
                LogDensity density = experiment.density();
                double logZ = experiment.normalised()
                        ? 0
                        : PartitionFunction.quick(
                                        keys[1],
                                        density,
                                        TableJudgement.fitted(data.draws().draw(keys[2], TableJudgement.FITTED)),
                                        QUICK_CHAINS,
                                        QUICK_DENSITIES,
                                        experiment.device())
                                .estimate();
                return logZ - TableJudgement.mean(TableJudgement.inUnits(density, data, heldOut, 1));
            }
        }));
    }

    @Override
    public List<String> remarks() {
        return TableFindings.of(
                        data.spec().noise() > 0,
                        data.file().table(),
                        data.file().split().train())
                .warnings();
    }

    @Override
    public Optional<TableOddness> oddness(double limit) {
        return Optional.of(TableOddness.of(experiment, data, limit));
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

    /** Whether log Z is known well enough to report log p. */
    static boolean known(double lower, double upper) {
        return upper - lower <= KNOWN && upper - lower > -KNOWN;
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
        if (!known(lower, upper)) {
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

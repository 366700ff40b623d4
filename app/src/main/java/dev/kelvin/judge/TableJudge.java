package dev.kelvin.judge;

import dev.kelvin.data.table.NumberTable;
import dev.kelvin.data.table.TableFindings;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.OddColumns;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import dev.kelvin.sample.anneal.PartitionFunction;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.training.RowJudge;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A model of a table, judged: the likelihood of held-out rows with its bounds beside a fitted Gaussian's, how samples'
 * columns and correlations compare with the rows', and how well f separates rows with other labels.
 *
 * @param f of held-out rows and of those with other labels, by what they are
 * @param components what the model's components add
 */
public record TableJudge(Experiment experiment, TableDataset data, Map<String, double[]> f, Measured components)
        implements Judge {
    TableJudge(Experiment experiment, TableDataset data) {
        this(experiment, data, Map.of(), Measured.NONE);
    }

    @Override
    public TableJudge measured() {
        Map<String, double[]> values = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            LogDensity density = experiment.model().logDensity();
            double temperature = experiment.model().temperature();
            rowsByKind(data).forEach((kind, rows) -> values.put(kind, judge().at(density, temperature, rows)));
        }
        return new TableJudge(
                experiment, data, values, ComponentJudge.of(experiment).evaluate(this::examples));
    }

    /** Rows that are no anomalies, as far as is known. */
    public static final String HELD_OUT = "held-out";

    static final int SAMPLES = 5_000;

    /** Rows and samples in pictures, at most. */
    public static final int REPORTED = 2000;

    /** Rows that were not learnt from: those that are no anomalies first, then by their labels. */
    public static Map<String, int[]> rowsByKind(TableDataset data) {
        NumberTable table = data.split().table();
        int[] heldOut = data.split().split().heldOut();
        Map<String, int[]> kinds = new LinkedHashMap<>();
        if (data.classes().isEmpty()) {
            kinds.put(HELD_OUT, heldOut);
            return kinds;
        }
        int normal = normal(data);
        int[] apart = data.split().split().apart();
        int[] unseen =
                IntStream.concat(Arrays.stream(heldOut), Arrays.stream(apart)).toArray();
        kinds.put(HELD_OUT, rows(heldOut, row -> table.label(row) == normal || table.label(row) < 0));
        for (int k = 0; k < data.classes().size(); k++) {
            int label = k;
            int[] rows = rows(unseen, row -> table.label(row) == label);
            if (k != normal && rows.length > 0) {
                String column = data.schema().label().orElseThrow().name();
                kinds.put(column + " = " + data.classes().get(k), rows);
            }
        }
        return kinds;
    }

    private static int[] rows(int[] all, IntPredicate which) {
        return Arrays.stream(all).filter(which).toArray();
    }

    /** The label of rows that are no anomalies. */
    private static int normal(TableDataset data) {
        Optional<String> said = data.spec().normalLabel();
        if (said.isPresent()) {
            int found = data.classes().indexOf(said.get());
            if (found < 0) {
                throw new SettingException(
                        "data.table.normal",
                        "names a label that no row has, '" + said.get() + "'; the labels are "
                                + String.join(", ", data.classes()));
            }
            return found;
        }
        int[] counts = data.split().table().classCounts();
        return IntStream.range(0, counts.length).reduce(0, (most, k) -> counts[k] > counts[most] ? k : most);
    }

    private RowJudge judge() {
        return new RowJudge(data.split());
    }

    /** What samples are, as whoever has the model knows it. */
    public SampleKind.Rows rows() {
        return experiment.model().card().samples().rows().orElseThrow();
    }

    @Override
    public Evaluation evaluate(Key key, Path runs, WorkListener listener) {
        Key[] keys = key.split(6);
        Map<String, Double> figures = new LinkedHashMap<>();
        Map<String, String> notes = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            Tensor standard = data.split().heldOutStandard(keys[0]);
            Tensor heldOut = data.split().seen(standard);
            Gaussian gaussian = RowJudge.fitted(data.draws().draw(keys[1], RowJudge.FITTED));
            listener.at("samples for the figures", 0, 1);
            ChainRun samples = experiment
                    .sampler()
                    .draw(SampleRequest.of(
                            keys[2],
                            Math.min(SAMPLES, experiment.sampler().traits().most())));
            // chains of training have walked furthest, where they walk on f
            Tensor furthest = experiment.sampler().traits().negativesDiffer()
                    ? samples.x()
                    : experiment.drawn(SampleRequest.negatives(keys[2].child(1), RowJudge.NORMALISER.chains()));
            addLikelihood(keys[3], figures, notes, standard, gaussian, furthest, listener);
            figures.put(TableFigures.OF_GAUSSIAN.name(), ofGaussian(keys[5], standard));
            samples.acceptance().ifPresent(rate -> figures.put(ChainFigures.ACCEPTANCE.name(), rate));
            figures.putAll(TableFigures.compared(rows().own(samples.x()), rows().own(heldOut)));
            figures.putAll(registered(keys[4], samples.x(), heldOut));
            figures.putAll(experiment.rounding(f.getOrDefault(HELD_OUT, new double[0])));
        }
        addToldApart(figures, notes);
        addTemperature(figures);
        components.figures().forEach(figures::putIfAbsent);
        components.calibration().ifPresent(own -> figures.putAll(own.figures()));
        notes.put("samples", components.samplesWords());
        notes.put(
                "data",
                data.split().split().train().length + " training rows, "
                        + data.split().split().heldOut().length + " held out, "
                        + data.schema().width() + " inputs: "
                        + String.join(", ", data.schema().inputs()));
        return new Evaluation(
                figures,
                notes,
                components.calibration().map(Calibration.Report::bins).orElse(List.of()));
    }

    /** All in nats and in the table's own units. */
    private void addLikelihood(
            Key key,
            Map<String, Double> figures,
            Map<String, String> notes,
            Tensor standard,
            Gaussian gaussian,
            Tensor samples,
            WorkListener listener) {
        double[] logs = judge().inUnits(experiment.model().density(), standard, 1); // log p but for log Z
        double mean = RowJudge.mean(logs);
        boolean learnt = components.figures().containsKey(ModelFigures.LEARNT_LOG_LIKELIHOOD.name());
        double logZ = 0;
        if (learnt) {
            figures.putAll(components.figures());
            figures.put(ModelFigures.LEARNT_LOG_LIKELIHOOD.name(), mean);
        } else {
            listener.at("the normaliser", 0, 1);
            PartitionFunction z = judge().normaliser(key, experiment.model(), gaussian, samples);
            logZ = z.estimate();
            figures.put(TableFigures.LOG_Z.name(), z.estimate());
            Judge.addBounds(figures, z);
            figures.put(TableFigures.EFFECTIVE.name(), z.effective());
            notes.put("likelihood", likelihood(z, mean));
        }
        double lower = ModelFigures.LOG_Z_LOWER.value(figures);
        double upper = ModelFigures.LOG_Z_UPPER.value(figures);
        if (RowJudge.known(lower, upper)) {
            double squares =
                    Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
            figures.put(HeldOut.LOG_LIKELIHOOD.name(), mean - logZ);
            figures.put(HeldOut.ERROR.name(), Math.sqrt(squares / Math.max(1, logs.length - 1) / logs.length));
        }
        figures.put(TableFigures.LOWER.name(), mean - upper);
        figures.put(TableFigures.UPPER.name(), mean - lower);
    }

    /** The likelihood of a Gaussian of the columns themselves, in the table's units. */
    private double ofGaussian(Key key, Tensor heldOut) {
        Gaussian simple = RowJudge.fitted(data.split().trainStandard(key, RowJudge.FITTED));
        List<Double> deviations = data.split().scaling().deviations();
        double units = deviations.stream().mapToDouble(each -> -Math.log(each)).sum();
        return HeldOut.of(simple, simple.logNormaliser(), heldOut.to(Device.CPU))
                        .mean()
                + units;
    }

    /** By f at held-out rows against those of each other label, and of all others together. */
    private void addToldApart(Map<String, Double> figures, Map<String, String> notes) {
        double[] in = f.getOrDefault(HELD_OUT, new double[0]);
        double[] out = f.entrySet().stream()
                .filter(kind -> !kind.getKey().equals(HELD_OUT))
                .flatMapToDouble(kind -> Arrays.stream(kind.getValue()))
                .toArray();
        if (in.length == 0 || out.length == 0) {
            return;
        }
        OutOfDistribution told = OutOfDistribution.of(in, out);
        figures.put(OutOfDistribution.AUROC.name(), told.auroc());
        figures.put(TableFigures.AUPR.name(), told.auprOut());
        notes.put("auroc_against", "the " + out.length + " rows with other labels that were held out");
        f.forEach((kind, values) -> {
            if (f.size() > 2 && !kind.equals(HELD_OUT)) {
                String name = "auroc" + OodScore.F.suffix() + "_" + Evaluation.word(kind);
                figures.put(name, OutOfDistribution.of(in, values).auroc());
            }
        });
    }

    /** f of rows as they are scored, without noise. */
    @Override
    public Optional<HeldOutReference> reference(Evaluation evaluation, long step) {
        double[] values = f.getOrDefault(HELD_OUT, new double[0]);
        double lower = evaluation.value(ModelFigures.LOG_Z_LOWER);
        double upper = evaluation.value(ModelFigures.LOG_Z_UPPER);
        double logZ = evaluation.figure(TableFigures.LOG_Z).orElse(0);
        Optional<HeldOutReference.Bounds> bounds = RowJudge.known(lower, upper)
                ? Optional.of(new HeldOutReference.Bounds(lower, upper, logZ))
                : Optional.empty();
        return values.length == 0
                ? Optional.empty()
                : Optional.of(new HeldOutReference(step, experiment.model().temperature(), bounds, values));
    }

    /** Samples of the model. */
    public Drawn drawn() {
        return ReportSamples.drawn(experiment, REPORTED);
    }

    /** All that a report shows of samples. */
    public ReportSamples samples() {
        return ReportSamples.of(experiment, REPORTED, 0, false);
    }

    /** f of samples, in the table's units, as that of rows is. */
    public double[] ofSamples(Drawn drawn) {
        try (Scope scope = Scope.open()) {
            Tensor x = drawn.tensor().to(experiment.device());
            double[] f = experiment.model().logDensity().at(x).toDoubles();
            double[] rows =
                    Arrays.stream(rows().own(x)).flatMapToDouble(Arrays::stream).toArray();
            double[] units = data.split().scaler().logDeterminant(rows, f.length);
            double temperature = experiment.model().temperature();
            Arrays.setAll(f, i -> f[i] + temperature * units[i]);
            return f;
        }
    }

    /** Some of the held-out rows, in the table's units, to show beside samples. */
    public double[][] heldOutRows() {
        return some(ReportSamples.KEY.child(1), data.split().split().heldOut(), REPORTED);
    }

    /** What a Gaussian with the moments of rows that were learnt from expects of each column. */
    public OddColumns residuals() {
        double[][] rows = some(ReportSamples.KEY.child(2), data.split().split().train(), RowJudge.FITTED);
        try (Scope scope = Scope.open()) {
            double[] flat = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
            return OddColumns.of(Tensors.of(flat, rows.length, rows[0].length));
        }
    }

    /** How odd each input of rows of the file is, {@link OddColumns}. */
    public double[][] oddness(int... rows) {
        try (Scope scope = Scope.open()) {
            return experiment
                    .model()
                    .oddness(1)
                    .orElseThrow()
                    .thorough(data.split().rows(rows));
        }
    }

    /** At most {@code most} rows of the file in its own units. */
    private double[][] some(Key key, int[] rows, int most) {
        long[] order = key.permutation(rows.length);
        return Arrays.stream(order, 0, Math.min(most, order.length))
                .mapToObj(i -> data.split().table().inputs(rows[(int) i]))
                .toArray(double[][]::new);
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
        return Optional.of(new CheckpointMetric(TableFigures.SCORE, () -> {
            try (Scope scope = Scope.open()) {
                return judge().score(experiment.model().density(), experiment.normalised(), experiment.device());
            }
        }));
    }

    @Override
    public List<String> remarks() {
        return TableFindings.of(
                data.spec().noise() > 0,
                data.split().table(),
                data.split().split().train());
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
        OptionalDouble auroc = evaluation.figure(OutOfDistribution.AUROC);
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

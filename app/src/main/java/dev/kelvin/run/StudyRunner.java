package dev.kelvin.run;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.recipe.Asked;
import dev.kelvin.recipe.Expression;
import dev.kelvin.recipe.Moment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Rule;
import dev.kelvin.recipe.Study;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.SettingPaths;
import dev.kelvin.yaml.UserException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures what a study's claims ask for, in a folder: {@code NAME-SEED/} for each run, {@code chains/NAME-SEED.json} and
 * {@code .npy} for each set of chains. What is there already is not done again.
 *
 * @param training how many runs are being trained, which save before they stop
 */
public record StudyRunner(
        Study study,
        Path folder,
        Device device,
        Consumer<String> progress,
        BooleanSupplier stop,
        AtomicInteger training) {
    private static final long POLL_MILLIS = 100;

    /** In a diverged run's file. */
    private static final String STEP = "step";

    private static final JsonMapper JSON = new JsonMapper();

    /** Progress is a sentence at a time; {@code stop} ends the work when runs in training are saved. */
    public StudyRunner(Study study, Path folder, Device device, Consumer<String> progress, BooleanSupplier stop) {
        this(study, folder, device, progress, stop, new AtomicInteger());
    }

    /** What the figures say of a claim. */
    public enum Verdict {
        HOLDS,
        DOES_NOT_HOLD,
        UNDECIDED;

        /** In words. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** The figures of every seed, such as {@code gd.rhat}. */
    public record Figures(Study study, List<Map<String, Double>> seeds) {
        /** The fewest seeds of which one can be left out, with a deviation over the rest. */
        private static final int FEWEST_LEFT_OUT = 3;

        /**
         * It holds if its rule does with every seed. It does not hold if the rule fails with every seed, by more on average than
         * the seeds differ. A rule of means and deviations over the seeds is tried with each seed left out in turn.
         */
        public Verdict verdict(Study.Claim claim) {
            Rule rule = claim.parsed();
            double[] margins = rule.isOverSeeds() ? leftOut(rule) : margins(rule, seeds);
            if (margins.length == 0 || Arrays.stream(margins).anyMatch(Double::isNaN)) {
                return Verdict.UNDECIDED;
            }
            long holding = Arrays.stream(margins).filter(rule::holds).count();
            if (holding == margins.length) {
                return Verdict.HOLDS;
            }
            return holding == 0 && isBeyondSpread(margins, rule.isOverSeeds())
                    ? Verdict.DOES_NOT_HOLD
                    : Verdict.UNDECIDED;
        }

        /** With as few as two seeds nothing can be left out. */
        private double[] leftOut(Rule rule) {
            if (seeds.size() < FEWEST_LEFT_OUT) {
                return new double[0];
            }
            return IntStream.range(0, seeds.size())
                    .mapToDouble(out -> {
                        List<Map<String, Double>> rest = new ArrayList<>(seeds);
                        rest.remove(out);
                        return rule.margin(figures(rest), 0);
                    })
                    .toArray();
        }

        private static double[] margins(Rule rule, List<Map<String, Double>> seeds) {
            return IntStream.range(0, seeds.size())
                    .mapToDouble(seed -> rule.margin(figures(seeds), seed))
                    .toArray();
        }

        /** Whether the mean margin is at least its spread away from 0; of an infinite or a single one there is no spread. */
        private static boolean isBeyondSpread(double[] margins, boolean leftOut) {
            double mean = Arrays.stream(margins).average().orElse(Double.NaN);
            double squares =
                    Arrays.stream(margins).map(m -> (m - mean) * (m - mean)).sum();
            int n = margins.length;
            double spread = Math.sqrt(leftOut ? squares * (n - 1) / n : squares / (n - 1)); // jackknife, or of a sample
            return !(Math.abs(mean) < spread);
        }

        private static Expression.Figures figures(List<Map<String, Double>> seeds) {
            return new Expression.Figures() {
                @Override
                public double of(String name, int seed) {
                    return seeds.get(seed).getOrDefault(name, Double.NaN);
                }

                @Override
                public int seeds() {
                    return seeds.size();
                }
            };
        }

        /** The claim's statistic with each seed. */
        public double[] statistics(Study.Claim claim) {
            return claim.parsed().statistics(figures(seeds));
        }

        /** One figure with each seed. */
        public double[] figure(String name) {
            return seeds.stream()
                    .mapToDouble(figures -> figures.getOrDefault(name, Double.NaN))
                    .toArray();
        }
    }

    /** Measures all runs and then all chains, {@code jobs} at a time; empty if it was stopped. */
    public Optional<Figures> measure(int jobs) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(jobs);
        try {
            List<Map<String, Double>> seeds = Stream.<Map<String, Double>>generate(LinkedHashMap::new)
                    .limit(study.seeds())
                    .toList();
            measure(pool, study.runs(), Study.Trained::name, this::trained, seeds);
            measure(pool, study.chains(), Study.Walked::name, this::walked, seeds);
            return stop.getAsBoolean() ? Optional.empty() : Optional.of(new Figures(study, seeds));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            pool.shutdownNow();
        }
    }

    private interface Measure<T> {
        Map<String, Double> of(T part, int seed) throws IOException;
    }

    private <T> void measure(
            ExecutorService pool,
            List<T> parts,
            Function<T, String> name,
            Measure<T> measure,
            List<Map<String, Double>> seeds)
            throws InterruptedException {
        List<CompletableFuture<Map<String, Double>>> measured = new ArrayList<>();
        for (int seed = 0; seed < seeds.size(); seed++) {
            int each = seed;
            for (T part : parts) {
                measured.add(CompletableFuture.supplyAsync(() -> measured(measure, part, each), pool));
            }
        }
        for (int i = 0; i < measured.size(); i++) {
            CompletableFuture<Map<String, Double>> one = measured.get(i);
            // an evaluation or chains may take long, and are done again; a run that is being trained saves first
            while (!one.isDone() && (!stop.getAsBoolean() || training.get() > 0)) {
                Thread.sleep(POLL_MILLIS);
            }
            if (one.isDone()) {
                String before = name.apply(parts.get(i % parts.size())) + ".";
                Map<String, Double> seed = seeds.get(i / parts.size());
                Parallel.join(one).forEach((figure, value) -> seed.put(before + figure, value));
            }
        }
    }

    private <T> Map<String, Double> measured(Measure<T> measure, T part, int seed) {
        try {
            return stop.getAsBoolean() ? Map.of() : measure.of(part, seed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder of a run with a seed. */
    public Path run(String name, int seed) {
        return folder.resolve(name + "-" + seed);
    }

    /** Trains and evaluates a run, or does what it still lacks; the experiment is opened only for that. */
    private Map<String, Double> trained(Study.Trained run, int seed) throws IOException {
        Path path = run(run.name(), seed);
        Path broken = path.resolve("diverged.json");
        Recipe recipe = run.recipe(seed);
        boolean begun = Files.exists(path);
        boolean damaged = false;
        if (begun) {
            RunFolder there = RunFolder.open(path);
            if (!settings(there.recipe(List.of())).equals(settings(recipe))) {
                throw new UserException(
                        path + " was made by another recipe; move it away, or name another folder with --out");
            }
            if (Files.exists(broken)) {
                return diverged(there, broken, run.name());
            }
            if (Files.exists(there.evaluation())) {
                try {
                    Evaluation before = Evaluation.read(there.evaluation());
                    if (new Runner(there, device).isComplete()) {
                        return known(there, before, run.name(), seed);
                    }
                } catch (UnreadableFileException e) {
                    progress.accept(e.getMessage() + ". It is evaluated again now");
                    damaged = true;
                }
            }
        }
        long began = System.nanoTime();
        try (Experiment experiment = new Experiment(recipe, device)) {
            RunFolder there =
                    begun ? RunFolder.open(path) : RunFolder.create(path, recipe, Provenance.of(experiment, device));
            try (Closeable lock = there.lock()) {
                Runner runner = new Runner(there, device);
                if (!damaged && train(runner, experiment) == Trainer.Outcome.INTERRUPTED) {
                    return Map.of();
                }
                Evaluation evaluation = runner.judge(experiment, WorkListener.SILENT, step -> {})
                        .evaluation();
                report(run.name(), seed, damaged ? "evaluated again" : "trained and evaluated", began);
                return known(there, evaluation, run.name(), seed);
            }
        } catch (DivergedException e) {
            AtomicFile.write(
                    broken, JSON.writeValueAsString(Map.of("why", String.valueOf(e.getMessage()), STEP, e.step())));
            report(run.name(), seed, "diverged at step " + e.step(), began);
            return diverged(RunFolder.open(path), broken, run.name());
        } catch (IOException | UserException e) {
            if (!damaged) {
                throw e;
            }
            report(run.name(), seed, "it can't be evaluated again: " + e.getMessage());
            return Map.of(); // its claims stay undecided
        }
    }

    /** What training and judging depend on: not what the recipe says about itself. */
    private static Map<String, String> settings(Recipe recipe) {
        Map<String, String> settings = new LinkedHashMap<>(SettingPaths.of(recipe));
        settings.keySet().removeAll(Set.of("about", "takes"));
        return settings;
    }

    /** The figures of a run that was judged. */
    private Map<String, Double> known(RunFolder there, Evaluation evaluation, String name, int seed)
            throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>(evaluation.figures());
        figures.put(ModelFigures.DIVERGED.name(), 0.0);
        figures.put(ModelFigures.STEPS_TRAINED.name(), (double)
                there.recipe(List.of()).train().iterations());
        figures.putAll(inTraining(there, name));
        try {
            figures.putAll(Runner.StepTimes.read(there.timing()));
        } catch (UnreadableFileException e) {
            report(name, seed, String.valueOf(e.getMessage()));
        }
        return figures;
    }

    /** What is known of a run that diverged: that, when, and how good its best checkpoint was. */
    private Map<String, Double> diverged(RunFolder run, Path broken, String name) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>(inTraining(run, name));
        figures.put(ModelFigures.DIVERGED.name(), 1.0);
        JsonNode step = JsonFile.read(
                broken,
                "delete it, and the same command trains the run again",
                text -> JSON.readTree(text).path(STEP));
        if (step.isNumber()) {
            figures.put(ModelFigures.DIVERGED_AT.name(), step.asDouble());
            figures.put(ModelFigures.STEPS_TRAINED.name(), step.asDouble());
        }
        return figures;
    }

    /** The best accuracy, and what claims ask of the course of training. */
    private Map<String, Double> inTraining(RunFolder run, String name) throws IOException {
        List<MetricsLog.Line> log = new MetricsLog(run.metrics()).read();
        Map<String, Double> figures = new LinkedHashMap<>();
        curve(log, Calibration.ERROR.name()).stream()
                .map(Moment.Logged::value)
                .min(Double::compare)
                .ifPresent(error -> figures.put(Calibration.BEST_ACCURACY.name(), 1 - error));
        for (Asked asked : study.inTraining(name)) {
            Moment moment = asked.moment().orElseThrow();
            figures.put(asked.figure() + "@" + moment.word(), moment.of(curve(log, asked.figure())));
        }
        return figures;
    }

    private static List<Moment.Logged> curve(List<MetricsLog.Line> log, String figure) {
        return log.stream()
                .filter(line -> line.values().containsKey(figure))
                .map(line -> new Moment.Logged(line.step(), line.values().get(figure)))
                .toList();
    }

    private Trainer.Outcome train(Runner runner, Experiment experiment) throws IOException {
        training.incrementAndGet();
        try {
            return runner.train(experiment, new TrainListener() {}, stop);
        } finally {
            training.decrementAndGet();
        }
    }

    private void report(String name, int seed, String what, long began) {
        report(name, seed, String.format("%s in %.0f s", what, (System.nanoTime() - began) / 1e9));
    }

    private void report(String name, int seed, String what) {
        progress.accept(name + ", seed " + seed + ": " + what);
    }

    /** The file with draws of the first set of chains, [draws, chains, coordinates]. */
    public Path draws(String name, int seed) {
        return folder.resolve("chains").resolve(name + "-" + seed + ".npy");
    }

    private Map<String, Double> walked(Study.Walked walk, int seed) throws IOException {
        Path file = folder.resolve("chains").resolve(walk.name() + "-" + seed + ".json");
        Optional<Evaluation> before = evaluation(file, "the chains are run again now");
        if (before.isPresent() && walk.toString().equals(before.get().notes().get("of"))) {
            return before.get().figures();
        }
        RunFolder there = RunFolder.open(run(walk.run(), seed));
        Optional<Evaluation> judged = evaluation(there.evaluation(), "no chains are run on it");
        if (judged.map(Evaluation::figures)
                .filter(figures -> !figures.isEmpty())
                .isEmpty()) {
            return Map.of(); // it diverged, or its checkpoint is damaged: there is nothing to run chains on
        }
        long began = System.nanoTime();
        Map<String, Double> figures;
        try (Experiment experiment = new Experiment(there.recipe(List.of()), device)) {
            new Runner(there, device).restoreJudged(experiment);
            Key key = KeyDomain.STUDY_CHAINS.key(seed).child(walk.name().hashCode());
            figures = ChainRunFigures.of(key, walk, experiment, draws(walk.name(), seed));
        }
        Map<String, Object> written = new LinkedHashMap<>(figures);
        written.put("of", walk.toString());
        AtomicFile.write(file, JSON.writeValueAsString(written));
        report(walk.name(), seed, "chains run", began);
        return figures;
    }

    /** What a file says; that it is damaged is reported. */
    private Optional<Evaluation> evaluation(Path file, String remedy) throws IOException {
        try {
            return Files.exists(file) ? Optional.of(Evaluation.read(file, remedy)) : Optional.empty();
        } catch (UnreadableFileException e) {
            progress.accept(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}

package dev.kelvin.run;

import dev.kelvin.dataset.KeyDomain;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Rule;
import dev.kelvin.recipe.Study;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.RecipeWriter;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures what a study's claims ask for, in a folder: {@code NAME-SEED/} for each run, {@code chains/NAME-SEED.json} and
 * {@code .npy} for each walk. What is there already is not done again.
 */
public final class StudyRunner {
    private static final long POLL_MILLIS = 100;

    /** In a diverged run's file. */
    private static final String STEP = "step";

    private static final JsonMapper JSON = new JsonMapper();

    private final Study study;
    private final Path folder;
    private final Device device;
    private final Consumer<String> progress;
    private final BooleanSupplier stop;
    private final AtomicInteger training = new AtomicInteger(); // runs that save before they stop

    public StudyRunner(Study study, Path folder, Device device, Consumer<String> progress, BooleanSupplier stop) {
        this.study = study;
        this.folder = folder;
        this.device = device;
        this.progress = progress;
        this.stop = stop;
    }

    /** What the figures say of a claim. */
    public enum Verdict {
        HOLDS("holds"),
        DOES_NOT_HOLD("does not hold"),
        UNDECIDED("undecided");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** The figures of every seed, such as {@code gd.rhat}. */
    public record Figures(Study study, List<Map<String, Double>> seeds) {
        /** It holds if it does with every seed, and does not if it does with none. */
        public Verdict verdict(Study.Claim claim) {
            long holding = seeds.stream()
                    .filter(figures -> claim.parsed().holds(of(figures)))
                    .count();
            boolean known = seeds.stream()
                    .allMatch(figures -> !Double.isNaN(claim.parsed().statistic(of(figures)))
                            && !Double.isNaN(claim.parsed().bound(of(figures))));
            return !known
                    ? Verdict.UNDECIDED
                    : holding == seeds.size()
                            ? Verdict.HOLDS
                            : holding == 0 ? Verdict.DOES_NOT_HOLD : Verdict.UNDECIDED;
        }

        /** The claim's statistic with each seed. */
        public double[] statistics(Study.Claim claim) {
            return seeds.stream()
                    .mapToDouble(figures -> claim.parsed().statistic(of(figures)))
                    .toArray();
        }

        /** One figure with each seed. */
        public double[] figure(String name) {
            return seeds.stream()
                    .mapToDouble(figures -> figures.getOrDefault(name, Double.NaN))
                    .toArray();
        }

        private ToDoubleFunction<String> of(Map<String, Double> figures) {
            return word -> Rule.value(word, name -> figures.getOrDefault(name, Double.NaN), this::figure);
        }
    }

    /** Measures everything, so many runs at a time and then so many walks; empty if it was stopped. */
    public Optional<Figures> measure(int jobs) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(jobs);
        try {
            List<Map<String, Double>> seeds = new ArrayList<>();
            for (int seed = 0; seed < study.seeds(); seed++) {
                seeds.add(new LinkedHashMap<>());
            }
            measure(pool, study.runs(), Study.Trained::name, this::trained, seeds);
            measure(pool, study.chains(), Study.Walked::name, this::walked, seeds);
            return stop.getAsBoolean() ? Optional.empty() : Optional.of(new Figures(study, seeds));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error error) { // out of memory
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            pool.shutdownNow();
        }
    }

    /** Nothing if it is to stop and nobody has anything to save: a judgement or a walk may take long, and is done again. */
    private Optional<Map<String, Double>> awaited(Future<Map<String, Double>> seed)
            throws InterruptedException, ExecutionException {
        while (!stop.getAsBoolean() || training.get() > 0) {
            try {
                return Optional.of(seed.get(POLL_MILLIS, TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                // and look again
            }
        }
        return Optional.empty();
    }

    /** One run or walk with one seed. */
    private interface Measure<T> {
        Map<String, Double> of(T part, int seed) throws Exception;
    }

    private <T> void measure(
            ExecutorService pool,
            List<T> parts,
            Function<T, String> name,
            Measure<T> measure,
            List<Map<String, Double>> seeds)
            throws ExecutionException, InterruptedException {
        List<Future<Map<String, Double>>> measured = new ArrayList<>();
        for (int seed = 0; seed < seeds.size(); seed++) {
            int each = seed;
            for (T part : parts) {
                Callable<Map<String, Double>> one = () -> stop.getAsBoolean() ? Map.of() : measure.of(part, each);
                measured.add(pool.submit(one));
            }
        }
        for (int i = 0; i < measured.size(); i++) {
            String before = name.apply(parts.get(i % parts.size())) + ".";
            Map<String, Double> seed = seeds.get(i / parts.size());
            awaited(measured.get(i))
                    .ifPresent(found -> found.forEach((figure, value) -> seed.put(before + figure, value)));
        }
    }

    // ---- runs

    public Path run(String name, int seed) {
        return folder.resolve(name + "-" + seed);
    }

    private Map<String, Double> trained(Study.Trained run, int seed) throws Exception {
        Path path = run(run.name(), seed);
        Recipe recipe = run.recipe(seed);
        Path broken = path.resolve("diverged.json");
        if (!Files.exists(path)) {
            try (Experiment experiment = new Experiment(recipe, device)) {
                RunFolder.create(path, recipe, Provenance.of(experiment, device));
            }
        }
        RunFolder there = RunFolder.open(path);
        if (!RecipeWriter.yaml(there.recipe(List.of())).equals(RecipeWriter.yaml(recipe))) {
            throw new UserException(
                    path + " was made by another recipe; move it away, or name another folder with --out");
        }
        if (Files.exists(broken)) {
            return diverged(there, broken);
        }
        if (Files.exists(there.evaluation())) {
            Evaluation evaluation;
            try {
                evaluation = Evaluation.read(there.evaluation());
            } catch (UnreadableFileException e) {
                return judgedAgain(there, e, run.name(), seed);
            }
            complete(there, recipe);
            return known(there, evaluation, run.name(), seed);
        }
        long began = System.nanoTime();
        try (Experiment experiment = new Experiment(recipe, device);
                AutoCloseable lock = there.lock()) {
            Runner runner = new Runner(there, device);
            if (train(runner, experiment) == Trainer.Outcome.INTERRUPTED) {
                return Map.of();
            }
            Evaluation evaluation = judge(runner, experiment);
            tell(run.name(), seed, "trained and evaluated", began);
            return known(there, evaluation, run.name(), seed);
        } catch (DivergedException e) {
            AtomicFile.write(
                    broken, JSON.writeValueAsString(Map.of("why", String.valueOf(e.getMessage()), STEP, e.step())));
            tell(run.name(), seed, "diverged at step " + e.step(), began);
            return diverged(there, broken);
        }
    }

    private static Evaluation judge(Runner runner, Experiment experiment) throws IOException {
        long step = runner.restoreJudged(experiment);
        return runner.evaluate(experiment, Judge.of(experiment).judgement(), step, WorkListener.SILENT);
    }

    /** A finished run whose evaluation is damaged is evaluated again; where that can't be, its claims stay undecided. */
    private Map<String, Double> judgedAgain(RunFolder there, IOException damage, String name, int seed)
            throws Exception {
        progress.accept(damage.getMessage() + ". It is evaluated again now");
        long began = System.nanoTime();
        try (Experiment experiment = new Experiment(there.recipe(List.of()), device);
                AutoCloseable lock = there.lock()) {
            Evaluation evaluation = judge(new Runner(there, device), experiment);
            tell(name, seed, "evaluated again", began);
            return known(there, evaluation, name, seed);
        } catch (IOException | UserException e) {
            tell(name, seed, "it can't be evaluated again: " + e.getMessage());
            return Map.of();
        }
    }

    /** The figures of a run that was judged. */
    private Map<String, Double> known(RunFolder there, Evaluation evaluation, String name, int seed)
            throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>(evaluation.figures());
        figures.put(ModelFigures.DIVERGED.name(), 0.0);
        figures.putAll(best(there));
        try {
            figures.putAll(StepTimes.read(there.timing()));
        } catch (UnreadableFileException e) {
            tell(name, seed, String.valueOf(e.getMessage()));
        }
        return figures;
    }

    private void complete(RunFolder run, Recipe recipe) throws Exception {
        Runner runner = new Runner(run, device);
        if (!runner.isComplete()) {
            try (Experiment experiment = new Experiment(recipe, device);
                    AutoCloseable lock = run.lock()) {
                runner.complete(experiment);
            }
        }
    }

    /** What is known of a run that diverged: that, when, and how good its best checkpoint was. */
    private static Map<String, Double> diverged(RunFolder run, Path broken) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>(best(run));
        figures.put(ModelFigures.DIVERGED.name(), 1.0);
        JsonNode step = JsonFile.read(
                broken,
                "delete it, and the same command trains the run again",
                text -> JSON.readTree(text).path(STEP));
        if (step.isNumber()) {
            figures.put(ModelFigures.DIVERGED_AT.name(), step.asDouble());
        }
        return figures;
    }

    private static Map<String, Double> best(RunFolder run) throws IOException {
        return new MetricsLog(run.metrics())
                .read().stream()
                        .flatMap(line -> Optional.ofNullable(line.values().get(Calibration.ERROR.name())).stream())
                        .min(Double::compare)
                        .map(error -> Map.of(Calibration.BEST_ACCURACY.name(), 1 - error))
                        .orElse(Map.of());
    }

    private Trainer.Outcome train(Runner runner, Experiment experiment) throws IOException {
        training.incrementAndGet();
        try {
            return runner.train(experiment, new TrainListener() {}, stop);
        } finally {
            training.decrementAndGet();
        }
    }

    private void tell(String name, int seed, String what, long began) {
        tell(name, seed, String.format("%s in %.0f s", what, (System.nanoTime() - began) / 1e9));
    }

    private void tell(String name, int seed, String what) {
        progress.accept(name + ", seed " + seed + ": " + what);
    }

    // ---- walks

    /** The draws of a walk's first set that were kept, [draws, chains, coordinates]. */
    public Path draws(String name, int seed) {
        return folder.resolve("chains").resolve(name + "-" + seed + ".npy");
    }

    private Map<String, Double> walked(Study.Walked walk, int seed) throws IOException {
        Path file = folder.resolve("chains").resolve(walk.name() + "-" + seed + ".json");
        Optional<Evaluation> before = before(file);
        if (before.isPresent() && walk.toString().equals(before.get().notes().get("of"))) {
            return before.get().figures();
        }
        Path run = run(walk.run(), seed);
        RunFolder there = RunFolder.open(run);
        if (!judged(there)) {
            return Map.of(); // it diverged, or its checkpoint is damaged: there is nothing to walk on
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
        tell(walk.name(), seed, "walked", began);
        return figures;
    }

    private static boolean judged(RunFolder run) throws IOException {
        try {
            return Files.exists(run.evaluation())
                    && !Evaluation.read(run.evaluation()).figures().isEmpty();
        } catch (UnreadableFileException e) {
            return false; // which was told
        }
    }

    /** What was found before; of a damaged file it is told, and the walk is done again. */
    private Optional<Evaluation> before(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Evaluation.read(file, "the walk is done again now"));
        } catch (UnreadableFileException e) {
            progress.accept(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}

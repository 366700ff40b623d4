package dev.kelvin.run;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Asked;
import dev.kelvin.recipe.Expression;
import dev.kelvin.recipe.Moment;
import dev.kelvin.recipe.Rule;
import dev.kelvin.recipe.Study;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures what a study's claims ask for, in a folder: {@code NAME-SEED/} for each run, {@code chains/NAME-SEED.json} and
 * {@code .npy} for each set of chains. What is there already is not done again.
 *
 * @param progress a sentence at a time
 * @param stop ends the work when runs in training are saved
 */
public record StudyRunner(Study study, Path folder, Device device, Consumer<String> progress, BooleanSupplier stop) {
    private static final JsonMapper JSON = new JsonMapper();

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

    /** Measures all runs and then all chains, {@code parallel} at a time; empty if it was stopped. */
    public Optional<Figures> measure(int parallel) throws IOException {
        Jobs jobs = new Jobs(parallel, stop);
        try {
            List<Map<String, Double>> seeds = Stream.<Map<String, Double>>generate(LinkedHashMap::new)
                    .limit(study.seeds())
                    .toList();
            measure(jobs, study.runs(), Study.Trained::name, (run, seed) -> trained(jobs, run, seed), seeds);
            measure(jobs, study.chains(), Study.Walked::name, this::walked, seeds);
            return stop.getAsBoolean() ? Optional.empty() : Optional.of(new Figures(study, seeds));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private interface Measure<T> {
        Map<String, Double> of(T part, int seed) throws IOException;
    }

    private static <T> void measure(
            Jobs jobs, List<T> parts, Function<T, String> name, Measure<T> measure, List<Map<String, Double>> seeds)
            throws IOException, InterruptedException {
        List<Jobs.Piece<Map<String, Double>>> pieces = new ArrayList<>();
        for (int seed = 0; seed < seeds.size(); seed++) {
            int each = seed;
            parts.forEach(part -> pieces.add(() -> measure.of(part, each)));
        }
        List<Optional<Map<String, Double>>> measured = jobs.all(pieces);
        for (int i = 0; i < measured.size(); i++) {
            String before = name.apply(parts.get(i % parts.size())) + ".";
            Map<String, Double> seed = seeds.get(i / parts.size());
            measured.get(i).ifPresent(figures -> figures.forEach((figure, value) -> seed.put(before + figure, value)));
        }
    }

    /** The folder of a run with a seed. */
    public Path run(String name, int seed) {
        return folder.resolve(name + "-" + seed);
    }

    /** Trains and evaluates a run, or does what it still lacks; its figures. */
    private Map<String, Double> trained(Jobs jobs, Study.Trained run, int seed) throws IOException {
        Path path = run(run.name(), seed);
        UnattendedRun.Outcome outcome = new UnattendedRun(
                        path, run.recipe(seed), device, jobs, progress, UnattendedRun.Finishing.NONE)
                .outcome();
        if (outcome instanceof UnattendedRun.Outcome.Finished finished) {
            reportWork(run.name(), seed, finished.work());
            return known(finished.folder(), finished.evaluation(), run.name(), seed);
        }
        if (outcome instanceof UnattendedRun.Outcome.Diverged diverged) {
            reportWork(run.name(), seed, diverged.work());
            return diverged(diverged, run.name());
        }
        if (outcome instanceof UnattendedRun.Outcome.Elsewhere) {
            throw RunFolder.open(path).inUse();
        }
        if (outcome instanceof UnattendedRun.Outcome.Unjudged unjudged) {
            report(run.name(), seed, "it can't be evaluated again: " + unjudged.why());
        }
        return Map.of(); // the claims of one without figures stay undecided
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
            figures.putAll(StepTimes.read(there.timing()));
        } catch (UnreadableFileException e) {
            report(name, seed, String.valueOf(e.getMessage()));
        }
        return figures;
    }

    /** What is known of a run that diverged: that, when, and how good its best checkpoint was. */
    private Map<String, Double> diverged(UnattendedRun.Outcome.Diverged run, String name) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>(inTraining(run.folder(), name));
        figures.put(ModelFigures.DIVERGED.name(), 1.0);
        run.step().ifPresent(step -> {
            figures.put(ModelFigures.DIVERGED_AT.name(), (double) step);
            figures.put(ModelFigures.STEPS_TRAINED.name(), (double) step);
        });
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

    private void reportWork(String name, int seed, String work) {
        if (!work.isEmpty()) {
            report(name, seed, work);
        }
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
        report(walk.name(), seed, Words.say("chains run in %.0f s", (System.nanoTime() - began) / 1e9));
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

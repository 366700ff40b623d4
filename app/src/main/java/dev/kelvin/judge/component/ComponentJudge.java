package dev.kelvin.judge.component;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.math.Box;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.negative.Finish;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.recipe.TimeSettings;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** How a model is judged by what its components are (none, classes, times, latent vectors): one class a kind. */
public interface ComponentJudge {
    /** The judge for the experiment's components. */
    static ComponentJudge of(Experiment experiment) {
        return experiment
                .recipe()
                .time()
                .<ComponentJudge>map(settings -> new OfTimes(experiment, settings, settings.timeline()))
                .or(() -> experiment.recipe().latent().map(settings -> new OfLatentVectors(experiment, settings)))
                .or(() -> experiment.recipe().classes().map(form -> new OfClasses(experiment)))
                .orElseGet(() -> new Plain(experiment));
    }

    /** What is judged. */
    Experiment experiment();

    /**
     * Measures the model as it stands.
     *
     * @param examples some samples of the data and of noise, by what they are, each [1, ...]
     */
    default Measured evaluate(Supplier<Map<String, Tensor>> examples) {
        return measured(Map.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** What was measured, and what the samples are in words. */
    default Measured measured(
            Map<String, Double> figures,
            Optional<Calibration.Report> calibration,
            Optional<Measured.Times> times,
            Optional<LatentView> latent) {
        return new Measured(figures, calibration, times, latent, samplesWords(), filmWords());
    }

    /** The score of a checkpoint by the components, if they have one. */
    default Optional<CheckpointMetric> score() {
        return Optional.empty();
    }

    /** What is likely to go wrong, in sentences. */
    default List<String> warnings() {
        return List.of();
    }

    /** What the network's outputs are, in words that follow the network's. */
    String modelWords();

    /** What the judged samples are, in a sentence or two. */
    default String samplesWords() {
        boolean kept = experiment().recipe().negatives().buffer().isPresent();
        boolean differ = experiment().model().sampler().traits().negativesDiffer();
        Negatives negatives = experiment().recipe().negatives();
        boolean given =
                negatives.sampleSteps().isPresent() || negatives.sampleRounds().orElse(1) > 1;
        String length = given || negatives.finish().isPresent()
                ? "of " + negatives.freshSteps() + " steps"
                        + negatives.finish().map(Finish::words).orElse("")
                : "as long as " + (kept || differ ? "one chain of training" : "in training");
        if (differ) {
            return "The samples are fresh chains on f, " + length + ". Training's own chains"
                    + (kept ? ", those of the replay buffer," : "")
                    + " see (1 − β)f, so they spread wider than the model; they have figures of their own.";
        }
        return kept && !given
                ? "The samples are the replay buffer's chains, continued as in training; of images, fresh chains "
                        + length + "."
                : "The samples are fresh chains, " + length + ".";
    }

    /** What the chains of a film do, to go on with after their number. */
    default String filmWords() {
        return " chains run from their starts on f of the trained model.";
    }

    /** One component: a plain energy. */
    record Plain(Experiment experiment) implements ComponentJudge {
        @Override
        public String modelWords() {
            return " whose one output f(x) is the unnormalised log-density: the higher, the likelier.";
        }
    }

    /** A component for each class. */
    record OfClasses(Experiment experiment) implements ComponentJudge {
        /** How often the model's own p(y|x) is right on held-out samples, and how well it is calibrated. */
        @Override
        public Measured evaluate(Supplier<Map<String, Tensor>> examples) {
            return measured(Map.of(), Optional.of(calibration()), Optional.empty(), Optional.empty());
        }

        /** The held-out error, of a model that learns p(y|x). */
        @Override
        public Optional<CheckpointMetric> score() {
            return experiment.recipe().objective().labels() > 0
                    ? Optional.of(new CheckpointMetric(
                            Calibration.ERROR, () -> 1 - calibration().accuracy()))
                    : Optional.empty();
        }

        private Calibration.Report calibration() {
            Calibration calibration = new Calibration(experiment.components().count());
            try (Scope scope = Scope.open();
                    NoGrad noGrad = NoGrad.open()) {
                JointDensity table = experiment.model().joint();
                for (Data.Labelled some : experiment.data().heldOutByClass()) {
                    try (Scope batch = Scope.open()) {
                        calibration.add(table.at(some.x()).to(Device.CPU), some.labels());
                    }
                }
            }
            return calibration.report();
        }

        @Override
        public String modelWords() {
            return " with an output f(x, y) for each of "
                    + experiment.components().count()
                    + " classes, the unnormalised log-density of images and their class.";
        }
    }

    /** A component for each time, from noise at the first to the data at the last. */
    record OfTimes(Experiment experiment, TimeSettings settings, Timeline timeline) implements ComponentJudge {
        private static final int SPREAD_BATCHES = 16;
        private static final int SPREAD_BATCH = 256;

        @Override
        public Measured evaluate(Supplier<Map<String, Tensor>> examples) {
            TimeView view = TimeView.of(experiment, timeline, examples.get());
            Map<String, Double> figures = new LinkedHashMap<>();
            Optional<TimeView.Densities> densities = TimeView.Densities.of(experiment, timeline);
            densities.ifPresent(all -> figures.putAll(all.figures()));
            figures.putAll(view.figures());
            Optional<TimeNormaliser> normaliser =
                    TimeNormaliser.of(experiment, timeline, settings.annealing().steps());
            normaliser.ifPresent(found -> figures.putAll(found.figures()));
            Measured.Times times = new Measured.Times(view, densities, normaliser);
            return measured(figures, Optional.empty(), Optional.of(times), Optional.empty());
        }

        @Override
        public List<String> warnings() {
            double spread = spread(experiment.data().draws());
            double std = timeline.std();
            return std >= spread
                    ? List.of()
                    : List.of(Words.say(
                            "The reference is too narrow: its standard deviation is %.3g, and the data's from its mean %.3g."
                                    + " Chains that start there miss the outer data; try time.reference.std=%.2g.",
                            std, spread, 1.1 * spread));
        }

        /** The data's root mean square distance from the reference's mean, in the widest coordinate. */
        private double spread(SampleSource draws) {
            try (Scope scope = Scope.open()) {
                Tensor mean = Tensors.zerosLike(draws.draw(Key.of(0), 1).flattenSamples());
                for (int i = 0; i < SPREAD_BATCHES; i++) {
                    try (Scope batch = Scope.open()) {
                        Tensor x = draws.draw(Key.of(0).child(i), SPREAD_BATCH);
                        Tensor centred = timeline.seen(x).times(timeline.std()).flattenSamples();
                        mean.addInPlace(centred.square().mean(0L), 1.0 / SPREAD_BATCHES);
                    }
                }
                return Math.sqrt(Arrays.stream(mean.toDoubles()).max().orElseThrow());
            }
        }

        @Override
        public String modelWords() {
            return " whose outputs are log p(z, t) for " + timeline.times()
                    + " times, z being the data mixed with ever less noise: at the first time it is Gaussian noise of standard"
                    + " deviation " + timeline.std() + ", whose density is known"
                    + (timeline.pinned() ? " and pinned" : "") + ", at the last the data"
                    + switch (timeline.mixing()) {
                        case LINEAR -> ".";
                        case COSINE -> "; the noise falls as a cosine.";
                        case GEOMETRIC -> "; the noise falls by one factor.";
                    };
        }

        @Override
        public String samplesWords() {
            return "The samples are chains that were annealed from the noise to the data, time by time.";
        }

        @Override
        public String filmWords() {
            return " chains are annealed from the reference to the data, time by time.";
        }
    }

    /** One component, of latent vectors: the prior from which a generator makes images. */
    record OfLatentVectors(Experiment experiment, LatentSettings settings) implements ComponentJudge {
        @Override
        public Measured evaluate(Supplier<Map<String, Tensor>> examples) {
            LatentView view = LatentView.of(experiment, settings);
            return measured(view.figures(), Optional.empty(), Optional.empty(), Optional.of(view));
        }

        @Override
        public String modelWords() {
            return " whose one output f(z) tilts the Gaussian prior of latent vectors z. " + settings.words();
        }

        @Override
        public String samplesWords() {
            return "The samples are the generator's images of latent vectors from chains on the prior, "
                    + (experiment.recipe().negatives().sampleSteps().isPresent()
                            ? "of " + experiment.recipe().negatives().freshSteps() + " steps."
                            : "as long as in training.")
                    + " f is log p(x, z) at the ends of chains on the posterior of z, an unnormalised stand-in for log p(x).";
        }

        @Override
        public String filmWords() {
            return " chains run from the Gaussian on the trained prior; shown are the generator's images of them.";
        }
    }

    /**
     * A figure of the model as it stands, lower is better, by which checkpoints are compared.
     *
     * @param cheap whether it takes so little time that its curve may have points between checkpoints too
     */
    record CheckpointMetric(Figure figure, boolean cheap, DoubleSupplier value) {
        /** A figure that takes some time. */
        public CheckpointMetric(Figure figure, DoubleSupplier value) {
            this(figure, false, value);
        }
    }

    /**
     * What a model's components (none, classes, times, latent vectors) add to its judgement.
     *
     * @param calibration of the model's own p(y|x), if it has classes
     * @param times of a time-joint model
     * @param latent of a latent model
     * @param samplesWords what the judged samples are, in a sentence
     * @param filmWords what the chains of a film do, to go on with after their number
     */
    record Measured(
            Map<String, Double> figures,
            Optional<Calibration.Report> calibration,
            Optional<Times> times,
            Optional<LatentView> latent,
            String samplesWords,
            String filmWords) {
        /** Nothing yet. */
        public static final Measured NONE =
                new Measured(Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), "", "");

        /** What was measured of a time-joint model. */
        public record Times(
                TimeView view, Optional<TimeView.Densities> densities, Optional<TimeNormaliser> normaliser) {}

        /** The square that holds the densities of all times, of a time-joint model of the plane. */
        public Optional<Box> box() {
            return times.flatMap(Times::densities).map(TimeView.Densities::box);
        }
    }
}

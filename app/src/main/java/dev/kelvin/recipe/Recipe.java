package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.SettingException;
import dev.kelvin.Words;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** All that a training run is: energy model × negatives × objective × optimiser, on data. */
@Doc("a training run")
public record Recipe(
        @Doc(
                value = "the run's name and its folder's: letters, digits, - and _",
                otherwise = "the file's name without .yaml")
        String name,

        @Doc("what it shows, in one line") @Default("''") String about,

        @Doc("the time it takes, such as 35 s") @Default("''")
        String takes,

        @Doc("what is learnt") DataSpec data,

        @Doc("the network whose output is f, the unnormalised log-density")
        ModelSpec model,

        @Doc(
                value =
                        "how the network takes the class of a labelled image: head gives it an output for each class, gains,"
                                + " for igebm and improved-cd, a gain and a bias for each class in every block",
                otherwise = "the model knows no classes")
        Optional<Classes> classes,

        @Doc(value = "time as a random variable, for the time-joint objectives", otherwise = "there is no time")
        Optional<TimeSpec> time,

        @Doc("where the model's samples come from") Negatives negatives,

        @Doc("what is made small") ObjectiveSpec objective,

        @Doc("how the parameters move") OptimiserSpec optimiser,

        @Doc("how long, and what is kept") TrainSpec train) {

    /** Starts with no dash, so that a name is never taken for an option. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]{0,99}");

    public Recipe {
        Check.all(() -> checkName(name), () -> checkLine("about", about), () -> checkLine("takes", takes));
        Check.all(
                () -> checkBuffer(negatives, train.batch()),
                () -> checkStart(negatives.start(), data),
                () -> Check.require(
                        model.forImages() == data instanceof DataSpec.Images,
                        "model",
                        model.forImages() ? "takes images, the data are points" : "takes points, the data are images"),
                () -> Check.require(
                        train.precision() == TrainSpec.Precision.FLOAT || model.forImages(),
                        "train.precision",
                        "must be float for points: bfloat16 is for images"),
                () -> Check.require(
                        !train.channelsLast() || model.forImages(),
                        "train.channelsLast",
                        "must be false for points, which have no channels"),
                () -> classes.ifPresent(form -> checkClasses(form, data, model, time, negatives)),
                () -> checkTime(time, objective),
                () -> time.filter(spec -> objective.overTime().isPresent())
                        .ifPresent(spec -> checkTimeJoint(spec, data, negatives)));
    }

    private static void checkClasses(
            Classes form, DataSpec data, ModelSpec model, Optional<TimeSpec> time, Negatives negatives) {
        Check.all(
                () -> Check.require(time.isEmpty(), "classes", "has no place where there is time"),
                () -> Check.require(
                        data instanceof DataSpec.Images, "classes", "takes labelled images; toy sets have no classes"),
                () -> Check.require(
                        form == Classes.HEAD || !model.forImages() || model.hasBlocks(),
                        "classes",
                        "can be gains only for igebm and improved-cd, which have blocks; say 'classes: head'"),
                () -> Check.require(
                        !(negatives.kernel() instanceof KernelSpec.Svgd),
                        "negatives.kernel",
                        "can't be svgd where there are classes: its particles look at each other, whatever their class"));
    }

    private static void checkTime(Optional<TimeSpec> time, ObjectiveSpec objective) {
        boolean wanted = objective.overTime().isPresent();
        Check.require(
                wanted == time.isPresent(),
                "time",
                wanted
                        ? "is missing, and the objective is about all times together: say 'time: {count: 64}'"
                        : "takes a time-joint objective: cd-ce, joint-cd, conditional-cd or cross-entropy");
    }

    /** Chains start at the batch, one for each sample, and are judged, so that their steps can be adapted. */
    private static void checkTimeJoint(TimeSpec time, DataSpec data, Negatives negatives) {
        Check.all(
                () -> checkMean("time.reference.mean", time.reference().mean(), data),
                () -> Check.require(
                        negatives.start() instanceof StartSpec.Data start && start.noise() == 0,
                        "negatives.start",
                        "must be data where there is time: chains start at the samples of the batch"),
                () -> Check.require(
                        negatives.buffer().isEmpty(), "negatives.buffer", "has no place where there is time"),
                () -> Check.require(
                        negatives.count().isEmpty(),
                        "negatives.count",
                        "has no place where there is time: each sample of the batch starts one chain"),
                () -> Check.require(negatives.steps() > 0, "negatives.steps", "must be at least 1 where there is time"),
                () -> Check.require(
                        negatives.kernel().adaptable(),
                        "negatives.kernel",
                        "must be " + String.join(" or ", KernelSpec.ADAPTABLE)
                                + " where there is time, whose step sizes are adapted to an acceptance"));
    }

    private static void checkName(String name) {
        Check.require(
                NAME.matcher(name).matches(),
                "name",
                "takes up to 100 letters, digits, - and _, the first not -, found " + Words.quote(name));
    }

    private static void checkLine(String setting, String text) {
        Check.require(text.lines().count() <= 1, setting, "must be one line");
    }

    private static void checkBuffer(Negatives negatives, int batch) {
        int count = negatives.count().orElse(batch);
        negatives.buffer().filter(buffer -> buffer.size() < count).ifPresent(buffer -> {
            throw new SettingException(
                    "negatives.buffer.size",
                    "must be at least " + count + ", the number of negatives, found " + buffer.size());
        });
    }

    private static void checkStart(StartSpec start, DataSpec data) {
        if (start instanceof StartSpec.Gaussian gaussian) {
            checkMean("negatives.start.gaussian.mean", gaussian.mean(), data);
        }
    }

    private static void checkMean(String setting, Optional<List<Double>> mean, DataSpec data) {
        if (mean.isPresent() && data.dimensions().isPresent()) {
            int expected = data.dimensions().getAsInt();
            int given = mean.get().size();
            Check.require(
                    given == expected, setting, "takes " + expected + " numbers, as the data has, found " + given);
        }
    }
}

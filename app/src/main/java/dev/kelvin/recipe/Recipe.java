package dev.kelvin.recipe;

import dev.kelvin.SettingException;
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

        @Doc("where the model's samples come from") Negatives negatives,

        @Doc("what is made small") ObjectiveSpec objective,

        @Doc("how the parameters move") OptimiserSpec optimiser,

        @Doc("how long, and what is kept") TrainSpec train) {

    /** Starts with no dash, so that a name is never taken for an option. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]{0,99}");

    public Recipe {
        Checks.all(() -> checkName(name), () -> checkLine("about", about), () -> checkLine("takes", takes));
        Checks.all(() -> checkBuffer(negatives, train.batch()), () -> checkMean(negatives.start(), data));
    }

    private static void checkName(String name) {
        Checks.require(
                NAME.matcher(name).matches(),
                "name",
                "takes up to 100 letters, digits, - and _, the first not -, found " + Words.quote(name));
    }

    private static void checkLine(String setting, String text) {
        Checks.require(text.lines().count() <= 1, setting, "must be one line");
    }

    private static void checkBuffer(Negatives negatives, int batch) {
        int count = negatives.count().orElse(batch);
        negatives.buffer().filter(buffer -> buffer.size() < count).ifPresent(buffer -> {
            throw new SettingException(
                    "negatives.buffer.size",
                    "must be at least " + count + ", the number of negatives, found " + buffer.size());
        });
    }

    private static void checkMean(StartSpec start, DataSpec data) {
        if (start instanceof StartSpec.Gaussian gaussian) {
            int given = gaussian.mean().map(mean -> mean.size()).orElse(data.dimensions());
            Checks.require(
                    given == data.dimensions(),
                    "negatives.start.gaussian.mean",
                    "takes " + data.dimensions() + " numbers, as the data has, found " + given);
        }
    }
}

package dev.kelvin.recipe;

import dev.kelvin.dataset.DataSettings;
import dev.kelvin.nn.Network;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Term;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Refusals;
import dev.kelvin.part.Words;
import dev.kelvin.training.BaseMeasure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

        @Doc("the data to learn") DataSettings data,

        @Doc("the network whose output is f") Network model,

        @Doc(
                value =
                        "how the network takes the class of a labelled image: head gives it an output for each class, gains,"
                                + " for igebm and improved-cd, a gain and a bias for each class in every block",
                otherwise = "the model has no classes")
        Optional<ClassForm> classes,

        @Doc(value = "time as a random variable, for time-joint models", otherwise = "the model has no time")
        Optional<TimeSettings> time,

        @Doc(
                value = "a generator of images from latent vectors; the model is their prior",
                otherwise = "the model is a density of the data themselves")
        Optional<LatentSettings> latent,

        @Doc(
                value =
                        "a base measure, added to the network's outputs: gaussian is log N(x; m, Σ) with the data's mean and"
                                + " covariance (of points a full one, of images the pixels' variances alone)",
                otherwise = "f is the network's output alone")
        Optional<BaseMeasure> baseMeasure,

        @Doc("how the model is sampled in training") Negatives negatives,

        @Doc("the training objective") Objective objective,

        @Doc("further terms of the loss, which depend on the samples themselves") @Default("[]")
        List<Term> terms,

        @Doc("the optimiser of the parameters") Optimiser optimiser,

        @Doc("the length of training, checkpoints and seed") Training train) {

    /** Starts with no dash, so that a name is never taken for an option. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]{0,99}");

    public Recipe {
        List<Term> added = List.copyOf(terms);
        terms = added;
        Check.all(
                () -> Check.require(
                        NAME.matcher(name).matches(),
                        "name",
                        "takes up to 100 letters, digits, - and _, the first not -, found " + Words.quote(name)),
                () -> checkLine("about", about),
                () -> checkLine("takes", takes),
                () -> ModelForm.check(classes, time, latent));
        new RecipeRules(
                        data,
                        model,
                        classes,
                        time,
                        latent,
                        baseMeasure,
                        negatives,
                        objective,
                        added,
                        optimiser,
                        train,
                        new Refusals())
                .check();
    }

    /** What the model's components are. */
    public ModelForm form() {
        return ModelForm.of(classes, time, latent);
    }

    /** Where the negatives come from: the recipe's chains, and further ones. */
    public List<Negatives.Source> sources() {
        return negatives.sources(negativeCount());
    }

    /**
     * Refuses data that it does not fit, by the setting: where their shape is not known from the recipe alone, this is
     * checked when they are opened.
     */
    public void requireFit(List<Long> shape, int components) {
        List<Long> learnt =
                latent.map(settings -> List.of((long) settings.size())).orElse(shape);
        long dimensions = learnt.stream().reduce(1L, Math::multiplyExact);
        Refusals refused = new Refusals();
        RecipeRules.checkFit(dimensions, sources(), time, refused);
        latent.ifPresent(
                settings -> refused.check(() -> Check.part("latent.generator", () -> settings.network(shape))));
        refused.check(() -> Check.part("model." + Catalogue.name(model.getClass()), () -> model.shaped(learnt, 1)));
        boolean eachAlone = objective.compares() == ContrastedDensity.GIVEN;
        sources()
                .forEach(each -> RecipeRules.checkSlots(
                        each, train, eachAlone, components, components + ", a slot for each class", refused));
        refused.raise();
    }

    /** The objective at the end of training. */
    public Objective finalObjective() {
        long end = train.iterations();
        return objective.at(new Objective.Moment(end, end, negatives.temperature()));
    }

    private static void checkLine(String setting, String text) {
        Check.require(text.lines().count() <= 1, setting, "must be one line");
    }

    /** This recipe, with data that are found from any folder. */
    public Recipe located() {
        return with(about, takes, data.located(), train.located());
    }

    /** This recipe, in which nothing is open any more. */
    public Recipe advised() {
        return with(about, takes, data.advised());
    }

    /** This recipe, with data that lie elsewhere now. */
    public Recipe withDataAt(Path place) {
        return with(about, takes, data.at(place));
    }

    /** This recipe without its description, which was written for other settings. */
    public Recipe withoutWords() {
        return with("", "", data);
    }

    private Recipe with(String otherAbout, String otherTakes, DataSettings otherData) {
        return with(otherAbout, otherTakes, otherData, train);
    }

    private Recipe with(String otherAbout, String otherTakes, DataSettings otherData, Training otherTrain) {
        return new Recipe(
                name,
                otherAbout,
                otherTakes,
                otherData,
                model,
                classes,
                time,
                latent,
                baseMeasure,
                negatives,
                objective,
                terms,
                optimiser,
                otherTrain);
    }

    /** The title of a report on it: with the data too, where the name does not have them. */
    public String title() {
        return name.contains(data.title()) ? name : data.title() + " (" + name + ")";
    }

    /** How many negatives a step has. */
    public int negativeCount() {
        return negatives.count().orElse(train.batch());
    }

    /** A description of the run for a reader who has not seen the recipe. */
    public List<String> story(String outputs) {
        List<String> story = new ArrayList<>();
        if (!about.isEmpty()) {
            story.add(about);
        }
        story.add(data.words() + " The model is " + model.words() + outputs
                + baseMeasure.map(BaseMeasure::words).orElse(""));
        story.add(objective.sampled() ? negatives.words() : "There are no chains: the objective needs none.");
        String by = objective.words()
                + terms.stream().map(term -> " plus " + term.words()).collect(Collectors.joining());
        String average = train.ema() > 0
                ? " What is evaluated is the exponential moving average (EMA) of the parameters (decay "
                        + Words.number(train.ema()) + ")."
                : "";
        story.add((objective.sampled()
                        ? "Training lowers f at those samples and raises it at the data, by "
                        : "Training is by ")
                + by + ", for " + train.iterations() + " steps with batches of " + train.batch()
                + (train.shardCount() > 1
                        ? ", each divided into " + train.shardCount() + " shards with chains of their own,"
                        : "")
                + " by "
                + optimiser.words() + " at a learning rate of " + Words.number(optimiser.learningRate()) + "."
                + average);
        return story;
    }
}

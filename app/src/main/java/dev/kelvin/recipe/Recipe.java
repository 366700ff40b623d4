package dev.kelvin.recipe;

import dev.kelvin.dataset.DataSettings;
import dev.kelvin.negative.ChainRequest;
import dev.kelvin.nn.Modulated;
import dev.kelvin.nn.Network;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Term;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
        Check.all(() -> checkName(name), () -> checkLine("about", about), () -> checkLine("takes", takes));
        List<ChainSource> sources = sources(negatives, train);
        ModelForm form = ModelForm.of(classes, time, latent);
        Check.all(
                () -> ChainSource.each(
                        sources, each -> each.checkBuffer(data.images() && form.isOfSamples(), form.leadsChains())),
                () -> latent.map(settings -> OptionalLong.of(settings.size()))
                        .orElseGet(data::dimensions)
                        .ifPresent(count -> checkFit(count, sources, time)),
                () -> latent.ifPresent(LatentSettings::checkFit),
                () -> ChainSource.each(
                        sources,
                        each -> each.checkBeside(
                                sources.get(0), negatives.count().isPresent())),
                () -> ChainSource.each(sources, each -> each.checkStart(form.leadsChains())),
                () -> Check.require(
                        model.takesImages() == (data.images() && form.isOfSamples()),
                        "model",
                        model.takesImages()
                                ? form.isOfSamples()
                                        ? "takes images, the data are points"
                                        : "takes images, and a latent model's prior takes latent vectors: say mlp"
                                : "takes points, the data are images"),
                () -> latent.ifPresent(settings -> checkLatent(data, sources, negatives)),
                () -> latent.ifPresent(settings -> settings.checkPrior(negatives, objective, added, optimiser)),
                () -> latent.ifPresent(settings -> settings.checkBatch(train.batch())),
                () -> Check.require(
                        form.isOfSamples() || objective.l2() == 0,
                        "objective",
                        "cannot have an L2 penalty on f where there are latent vectors: f has the log-density of their Gaussian"
                                + " in it, which the penalty would undo; say 'l2: 0'"),
                () -> baseMeasure.ifPresent(measure -> checkBase(negatives, objective, time, latent)),
                () -> checkNumbers(train, model, sources, latent),
                () -> ModelForm.check(classes, time, latent),
                () -> classes.ifPresent(how -> checkClasses(how, data, model)),
                () -> time.ifPresent(settings ->
                        checkTime(settings, negatives, sources, objective.compares() == ContrastedDensity.GIVEN)),
                () -> ChainSource.each(
                        sources,
                        each -> each.checkParticles(
                                form.hasSeveral() && objective.compares() == ContrastedDensity.GIVEN)),
                () -> checkObjective(objective, negatives, train.batch(), form.hasSeveral()),
                () -> checkTerms(added, negatives, objective),
                () -> checkLabels(data, form.hasLabels(), objective),
                () -> Check.part(
                        "objective." + Catalogue.name(objective.getClass()),
                        () -> negatives.kernel().traits().temperature().ifPresent(objective::requireTemperature)));
    }

    /** What terms want to know of chains must be there. */
    private static void checkTerms(List<Term> terms, Negatives negatives, Objective objective) {
        for (int i = 0; i < terms.size(); i++) {
            Term term = terms.get(i);
            ChainRequest wanted = term.off() ? ChainRequest.NOTHING : term.wanted();
            String at = "terms." + i;
            Check.require(
                    wanted.equals(ChainRequest.NOTHING) || objective.sampled(),
                    at,
                    "needs chains, and the objective has none: say 'objective: contrastive', or cd-ce");
            Check.require(
                    wanted.buffered() == 0 || negatives.buffer().isPresent(),
                    at,
                    "looks at samples of a replay buffer, and there is none: say 'buffer: {size: 10000}' in negatives");
            if (wanted.lastMoves() > 0) {
                negatives.checkLastMoves(at, wanted.lastMoves());
            }
        }
    }

    /** Who has batches for the label term has a label term. */
    private static void checkLabels(DataSettings data, boolean classes, Objective objective) {
        Check.require(
                !data.labelsApart() || (classes && objective.labels() > 0),
                "data.images.labelled",
                classes
                        ? "takes an objective with a label term, which alone would see these images: say"
                                + " 'objective: cd-ce', or let its labels be above 0"
                        : "takes a model with classes ('classes: head') and an objective with a label term, such as cd-ce");
    }

    /** What latent vectors leave a sense to. */
    private static void checkLatent(DataSettings data, List<ChainSource> sources, Negatives negatives) {
        Check.all(
                () -> Check.require(data.images(), "latent", "is for images, the data are points"),
                () -> ChainSource.each(sources, each -> each.checkLatent()),
                () -> Check.require(
                        negatives.atTemperatureOne(),
                        "negatives.kernel",
                        "must sample at temperature 1 where there are latent vectors: prior and likelihood are weighed at it,"
                                + " found " + temperatureWords(negatives)));
    }

    /** What a base measure leaves a sense to. */
    private static void checkBase(
            Negatives negatives, Objective objective, Optional<TimeSettings> time, Optional<LatentSettings> latent) {
        Check.all(
                () -> Check.require(
                        time.isEmpty(),
                        "baseMeasure",
                        "cannot be combined with time, whose reference is the base of every component: leave it out"),
                () -> Check.require(
                        latent.isEmpty(),
                        "baseMeasure",
                        "cannot be combined with latent, whose prior has a Gaussian of its own: leave it out"),
                () -> Check.require(
                        negatives.atTemperatureOne(),
                        "negatives.kernel",
                        "must sample at temperature 1 where there is a base measure: exp(f/T) would have another Gaussian"
                                + " than the one that is fitted, found " + temperatureWords(negatives)),
                () -> Check.require(
                        objective.l2() == 0,
                        "objective",
                        "cannot have an L2 penalty on f where there is a base measure: f has the log-density of the"
                                + " Gaussian in it, which the penalty would undo; say 'l2: 0'"));
    }

    private static List<ChainSource> sources(Negatives negatives, Training train) {
        return negatives.sources(negatives.count().orElse(train.batch()));
    }

    /** What the model's components are. */
    public ModelForm form() {
        return ModelForm.of(classes, time, latent);
    }

    /** Where the negatives come from: the recipe's chains, and further ones. */
    public List<ChainSource> sources() {
        return sources(negatives, train);
    }

    /**
     * Refuses data that it does not fit, by the setting: where the recipe alone does not tell what they are, this is asked
     * when they are opened.
     */
    public void requireFit(List<Long> shape, int components) {
        List<Long> learnt =
                latent.map(settings -> List.of((long) settings.size())).orElse(shape);
        long dimensions = learnt.stream().reduce(1L, Math::multiplyExact);
        Check.all(
                () -> checkFit(dimensions, sources(), time),
                () -> latent.ifPresent(settings -> Check.part("latent.generator", () -> settings.network(shape))),
                () -> Check.part("model." + Catalogue.name(model.getClass()), () -> model.shaped(learnt, 1)),
                () -> ChainSource.each(
                        sources(),
                        each -> each.checkComponents(
                                objective.compares() == ContrastedDensity.GIVEN,
                                components,
                                components + ", a slot for each class")));
    }

    /** What has a number for each of the data's. */
    private static void checkFit(long dimensions, List<ChainSource> sources, Optional<TimeSettings> time) {
        Check.all(
                () -> ChainSource.each(sources, each -> each.checkFit(dimensions)),
                () -> time.flatMap(settings -> settings.reference().mean())
                        .ifPresent(mean -> Check.require(
                                mean.size() == dimensions,
                                "time.reference.mean",
                                "takes " + dimensions + " numbers, as the data has, found " + mean.size())));
    }

    private static void checkNumbers(
            Training train, Network model, List<ChainSource> sources, Optional<LatentSettings> latent) {
        boolean rounded = train.precision().rounds();
        boolean vectors = latent.isPresent();
        boolean generated = vectors && train.precision() == Training.Precision.TF32; // of images
        Check.all(
                () -> Check.require(
                        !rounded || model.takesImages() || generated,
                        "train.precision",
                        vectors
                                ? "must be float or tf32 where there are latent vectors, whose network is one of points"
                                : "must be float for points: tf32 and bfloat16 are for images"),
                () -> Check.require(
                        !generated
                                || latent.filter(settings -> settings.posterior()
                                                .kernel()
                                                .traits()
                                                .adjusted())
                                        .isEmpty(),
                        "train.precision",
                        ChainSource.ROUNDED),
                () -> ChainSource.each(sources, each -> each.checkNumbers(rounded)));
    }

    private static void checkClasses(ClassForm form, DataSettings data, Network model) {
        Check.all(
                () -> Check.require(
                        data.canHaveClasses(), "classes", "takes labelled images; toy sets have no classes"),
                () -> Check.require(
                        form == ClassForm.HEAD || !model.takesImages() || model instanceof Modulated,
                        "classes",
                        "can be gains only for igebm and improved-cd, which have blocks; say 'classes: head'"));
    }

    private static void checkTime(TimeSettings time, Negatives negatives, List<ChainSource> sources, boolean given) {
        Check.all(
                () -> Check.require(
                        negatives.atTemperatureOne(),
                        "negatives.kernel",
                        "must sample at temperature 1 where there is time: the times' densities are tied at it, found "
                                + temperatureWords(negatives)),
                () -> Check.require(
                        negatives.sampleSteps().isEmpty(),
                        "negatives.sampleSteps",
                        "cannot be combined with time, whose chains are annealed through all times: say time.annealing.steps"),
                () -> ChainSource.each(
                        sources,
                        each -> each.checkComponents(given, time.count(), "the number of times, " + time.count())));
    }

    /** The objective at the end of training. */
    public Objective finalObjective() {
        long end = train.iterations();
        return objective.at(new Objective.Moment(end, end, negatives.temperature()));
    }

    private static String temperatureWords(Negatives negatives) {
        return negatives.kernel().traits().temperatureVaries()
                ? "another at every place"
                : Words.number(negatives.temperature());
    }

    /** Which objectives go with which chains and components. */
    private static void checkObjective(Objective objective, Negatives negatives, int batch, boolean components) {
        boolean given = components && objective.compares() == ContrastedDensity.GIVEN;
        boolean pairs = components && objective.compares() == ContrastedDensity.PAIR;
        int count = negatives.count().orElse(batch);
        Check.all(
                () -> Check.require(
                        components || (objective.labels() == 0 && objective.compares() == ContrastedDensity.GIVEN),
                        "objective",
                        "is about classes or times, and the recipe has neither: add 'time: {count: 64}' or 'classes: head'"),
                () -> Check.require(
                        !objective.weighs()
                                || negatives.kernel().traits().temperature().isPresent(),
                        "negatives.kernel",
                        "cannot be combined with a robust objective, whose weights need the temperature T of exp(f/T): "
                                + ChainSource.withoutTemperature(negatives.kernel())),
                () -> Check.require(
                        !pairs || negatives.atTemperatureOne(),
                        "negatives.kernel",
                        "must sample at temperature 1 where pairs are compared, found " + temperatureWords(negatives)),
                () -> Check.require(
                        !given || !objective.weighs() || count >= batch,
                        "negatives.count",
                        "must be at least train.batch, " + batch
                                + ", where a robust objective weighs each component alone"),
                () -> Check.require(
                        batch >= objective.fewestPositives(),
                        "objective",
                        "takes a batch of " + objective.fewestPositives() + " or more"),
                () -> Check.require(
                        !given || objective.fewestPositives() == 1,
                        "objective",
                        "takes " + objective.fewestPositives()
                                + " positives of each component or more, which no batch promises;"
                                + " compare the marginal or choose another variant"),
                () -> Check.require(
                        !components
                                || negatives.adapt().isEmpty()
                                || given
                                || (negatives.start().atBatch()
                                        && negatives.buffer().isEmpty()),
                        "negatives.adapt",
                        "cannot be combined with chains whose component is not known: start them at the batch (start: batch),"
                                + " without a buffer, or let the objective compare each component alone"));
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

    /** The same with data that are found from any folder. */
    public Recipe located() {
        return with(about, takes, data.located());
    }

    /** The same, after its data were asked for settings that suit them. */
    public Recipe advised() {
        return with(about, takes, data.advised());
    }

    /** The same with data that lie elsewhere now. */
    public Recipe withDataAt(Path place) {
        return with(about, takes, data.at(place));
    }

    /** The same without words that were written for other settings. */
    public Recipe withoutWords() {
        return with("", "", data);
    }

    private Recipe with(String otherAbout, String otherTakes, DataSettings otherData) {
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
                train);
    }

    /** What a report on it is called: by its data too, where the name does not tell them. */
    public String title() {
        return name.contains(data.title()) ? name : data.title() + " (" + name + ")";
    }

    /** How many negatives a step has. */
    public int negativeCount() {
        return negatives.count().orElse(train.batch());
    }

    /** The recipe, told to somebody who has not read it. */
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
                + by + ", for " + train.iterations() + " steps with batches of " + train.batch() + " by "
                + optimiser.words() + " at a learning rate of " + Words.number(optimiser.learningRate()) + "."
                + average);
        return story;
    }
}

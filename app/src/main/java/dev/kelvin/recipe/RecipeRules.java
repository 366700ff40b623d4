package dev.kelvin.recipe;

import dev.kelvin.dataset.DataSettings;
import dev.kelvin.model.Precision;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ChainRequest;
import dev.kelvin.negative.GeneratorStart;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Modulated;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.SquaredNorm;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Integration;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Term;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Refusals;
import dev.kelvin.part.Words;
import dev.kelvin.sample.DifferentiableKernel;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.KernelTraits;
import dev.kelvin.training.BaseMeasure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The cross-checks of a recipe: each rule says what must hold, at which setting, and what is wrong otherwise. */
record RecipeRules(
        DataSettings data,
        Network model,
        Optional<ClassForm> classes,
        Optional<TimeSettings> time,
        Optional<LatentSettings> latent,
        Optional<BaseMeasure> baseMeasure,
        Negatives negatives,
        Objective objective,
        List<Term> terms,
        Optimiser optimiser,
        Training train,
        Refusals refused) {
    private static final String KERNEL = "negatives.kernel";
    private static final String PRECISION = "train.precision";
    private static final String OBJECTIVE = "objective";

    private static final double ROUNDING = 1e-9;

    private static final String DIGITS =
            "must be float with a kernel that has an accept/reject step: f in three digits decides nothing";

    /** Refuses what breaks a rule, all of it at once. */
    void check() {
        List<Negatives.Source> sources = negatives.sources(count());
        sources.forEach(each -> {
            checkCount(each, sources.get(0));
            checkStart(each);
            checkBuffer(each);
            checkKernel(each);
        });
        (latent.isPresent() ? OptionalLong.of(latent.get().size()) : data.dimensions())
                .ifPresent(dimensions -> checkFit(dimensions, sources, time, refused));
        require(
                train.judgeEvery() == 0 || data.images(),
                "train.judgeEvery",
                "measures FID and Inception scores, which only images have");
        require(
                train.figures().features().isEmpty() || data.images(),
                "train.figures.features",
                "names a network that judges images");
        checkComponents();
        new SampleRules(negatives, form(), refused).check();
        if (train.shardCount() > 1) {
            new ShardRules(train.shardCount(), train.batch(), data, form(), negatives, sources, refused).check();
        }
        checkModel();
        checkBounded();
        checkBase();
        latent.ifPresent(this::checkLatent);
        checkObjective();
        for (int i = 0; i < terms.size(); i++) {
            if (!terms.get(i).off()) {
                checkTerm("terms." + i, terms.get(i).wanted());
            }
        }
        refused.raise();
    }

    private void require(boolean holds, String setting, String problem) {
        refused.require(holds, setting, problem);
    }

    private void apart(boolean both, String setting, String other) {
        refused.require(!both, setting, "cannot be combined with " + other);
    }

    private int count() {
        return negatives.count().orElse(train.batch());
    }

    private ModelForm form() {
        return ModelForm.of(classes, time, latent);
    }

    /** Whether negatives are compared for each of several components alone. */
    private boolean eachAlone() {
        return form().hasSeveral() && objective.compares() == ContrastedDensity.GIVEN;
    }

    private boolean onImages() {
        return data.images() && form().isOfSamples();
    }

    private void checkCount(Negatives.Source each, Negatives.Source one) {
        boolean first = each.at().equals(one.at());
        String setting =
                !first ? each.at() + ".share" : negatives.count().isPresent() ? "negatives.count" : "train.batch";
        require(
                each.count() >= 1,
                setting,
                first
                        ? "leaves no chain to the first chains beside the shares of the others"
                        : "gives no chain: it must be at least 1 in " + one.count()
                                + " or so, the number of negatives");
        require(
                !each.kernel().traits().interacting() || each.count() != 1,
                setting,
                (first ? "must be at least 2 with " : "must give at least 2 chains with ")
                        + Catalogue.name(each.kernel().getClass())
                        + ", whose particles push each other: one alone only climbs f");
        require(
                !first
                        || negatives.sets() < 2
                        || (each.count() % negatives.sets() == 0 && each.count() > negatives.sets()),
                "negatives.sets",
                "must divide the number of particles, " + each.count() + ", into sets of two or more, found "
                        + negatives.sets());
        boolean varies = one.kernel().traits().temperatureVaries();
        require(
                first || sameTemperature(each.kernel(), one.kernel()),
                (varies ? one.at() : each.at()) + ".kernel",
                varies
                        ? "cannot have further chains beside it, which are weighed as one set: "
                                + withoutTemperature(one.kernel())
                        : "must sample at the temperature of the first chains, " + temperature(one.kernel())
                                + ", because the negatives are weighed as one set; found "
                                + temperature(each.kernel()));
    }

    /** Whether the temperature of one, which must not vary, is that of the other, but for the rounding of σ²/(2h). */
    private static boolean sameTemperature(Kernel<?> one, Kernel<?> other) {
        OptionalDouble t = one.traits().temperature();
        OptionalDouble u = other.traits().temperature();
        return t.isPresent() == u.isPresent()
                && Math.abs(t.orElse(1) / u.orElse(1) - 1) < ROUNDING
                && !one.traits().temperatureVaries();
    }

    /** Why a kernel's chains have no one temperature. */
    static String withoutTemperature(Kernel<?> kernel) {
        KernelTraits traits = kernel.traits();
        return kernel.words()
                + (traits.judgedInexactly()
                        ? traits.temperatureVaries()
                                ? " has the one that it has heated to, another in each walk; say mala, or 'factor: 1'"
                                : " accepts by a ratio that is exact for no density; say 'ratio: exact', without"
                                        + " 'reject: false'"
                        : traits.temperatureVaries()
                                ? " and a noise of its own has another at every place; leave its noise out"
                                : " has none; give it noise");
    }

    private static String temperature(Kernel<?> kernel) {
        return kernel.traits().judgedInexactly()
                ? "none that is known"
                : kernel.traits().temperatureVaries()
                        ? "another at every place"
                        : kernel.traits().temperature().isPresent()
                                ? Words.number(kernel.traits().temperature().getAsDouble())
                                : "none, for want of noise";
    }

    private void checkStart(Negatives.Source each) {
        require(
                !form().annealsChains() || !(each.start() instanceof Start.ClassGaussianStart),
                each.at() + ".start",
                "cannot be class-gaussian where there is time: chains there are of noisy data; say 'start: batch'");
        require(
                form().isOfSamples()
                        || each.start() instanceof Start.GaussianStart
                        || each.start() instanceof Start.UniformStart,
                each.at() + ".start",
                "must be gaussian or uniform where there are latent vectors, which no data are samples of");
        if (each.start() instanceof GeneratorStart) {
            checkGenerator(each);
        }
    }

    /** A generator's images, as where chains start. */
    private void checkGenerator(Negatives.Source each) {
        String at = each.at() + ".start";
        require(data.images(), at, "can be generator only for images; for points say gaussian or uniform");
        apart(form().annealsChains(), at, "time, whose chains begin at noisy data of each time: say 'start: batch'");
        apart(
                each.buffer().filter(buffer -> !buffer.augment().isEmpty()).isPresent(),
                each.at() + ".buffer.augment",
                "chains that start at a generator's images: what is augmented is no longer the image of its latent vector");
        require(
                objective.sampled(),
                at,
                "is learnt from where chains end, and the objective has none: say 'objective: contrastive', or cd-ce");
    }

    private void checkBuffer(Negatives.Source each) {
        if (each.buffer().isEmpty()) {
            return;
        }
        Buffer buffer = each.buffer().get();
        String at = each.at() + ".buffer.";
        String points = "is for images, the data are points";
        require(
                buffer.size() >= each.count(),
                at + "size",
                "must be at least " + each.count() + ", the number of negatives, found " + buffer.size());
        require(buffer.augment().isEmpty() || onImages(), at + "augment", points);
        require(!buffer.bytes() || onImages(), at + "bytes", points);
        apart(
                buffer.bytes() && form().annealsChains() && onImages(),
                at + "bytes",
                "time: noisy images leave the range that bytes cover");
        require(
                !buffer.weighted()
                        || !(each.kernel().traits().temperatureVaries()
                                || each.kernel().traits().judgedInexactly()),
                at + "weighted",
                "needs the temperature T of exp(f/T): " + withoutTemperature(each.kernel()));
        time.ifPresent(times ->
                checkSlots(each, train, eachAlone(), times.count(), "the number of times, " + times.count(), refused));
    }

    /** A slot for each component, where chains keep theirs. */
    static void checkSlots(
            Negatives.Source each, Training train, boolean eachAlone, int components, String what, Refusals refused) {
        int shards = train.shardCount();
        each.buffer()
                .ifPresent(buffer -> refused.require(
                        !eachAlone || buffer.size() / shards >= components,
                        each.at() + ".buffer.size",
                        "must be at least " + what + (shards > 1 ? ", times train.shards, " + shards : "") + ", found "
                                + buffer.size()));
    }

    private void checkKernel(Negatives.Source each) {
        require(!train.precision().rounds() || !each.kernel().traits().adjusted(), PRECISION, DIGITS);
        apart(
                eachAlone() && each.kernel().traits().interacting(),
                each.at() + ".kernel",
                "an objective on each component alone: its particles look at each other, whatever their"
                        + " component; let the objective compare the marginal (cd-ce)");
    }

    /** Parts with a number for each coordinate of a sample have as many as there are. */
    static void checkFit(
            long dimensions, List<Negatives.Source> sources, Optional<TimeSettings> time, Refusals refused) {
        for (Negatives.Source each : sources) {
            refused.check(() -> Check.part(
                    each.at() + ".start." + Catalogue.name(each.start().getClass()),
                    () -> each.start().requireFit(dimensions)));
            refused.check(() -> Check.part(
                    each.at() + ".kernel." + Catalogue.name(each.kernel().getClass()),
                    () -> each.kernel().requireFit(dimensions)));
        }
        time.flatMap(settings -> settings.reference().mean())
                .ifPresent(mean -> refused.require(
                        mean.size() == dimensions,
                        "time.reference.mean",
                        "takes " + dimensions + " numbers, as the data has, found " + mean.size()));
    }

    private void requireTemperatureOne(boolean needed, String where) {
        KernelTraits traits = negatives.kernel().traits();
        require(
                !needed || (negatives.temperature() == 1 && !traits.judgedInexactly() && !traits.temperatureVaries()),
                KERNEL,
                "must sample at temperature 1 where " + where + ", found "
                        + (traits.judgedInexactly()
                                ? "none that is known: " + withoutTemperature(negatives.kernel())
                                : traits.temperatureVaries()
                                        ? "another at every place"
                                        : Words.number(negatives.temperature())));
    }

    private void refusePenalty(boolean needed, String where) {
        require(
                !needed || objective.l2() == 0,
                OBJECTIVE,
                "cannot have an L2 penalty on f where " + where + " in it, which the penalty would undo; say 'l2: 0'");
        refuseLevel(needed, where);
    }

    private void refuseLevel(boolean needed, String where) {
        require(
                !needed || !objective.aboutLevel(),
                OBJECTIVE,
                "cannot be binary-cross-entropy where " + where
                        + ", at a level of its own: it takes f for log-odds around 0; say contrastive");
    }

    private void checkComponents() {
        require(
                classes.isEmpty() || data.canHaveClasses(),
                "classes",
                "takes labelled images; toy sets have no classes");
        require(
                !classes.equals(Optional.of(ClassForm.GAINS)) || !model.takesImages() || model instanceof Modulated,
                "classes",
                "can be gains only for igebm and improved-cd, which have blocks; say 'classes: head'");
        require(
                !data.labelsApart() || (form().hasLabels() && objective.labels() > 0),
                "data.images.labelled",
                form().hasLabels()
                        ? "takes an objective with a label term, which alone would see these images: say"
                                + " 'objective: cd-ce', or let its labels be above 0"
                        : "takes a model with classes ('classes: head') and an objective with a label term, such as cd-ce");
        requireTemperatureOne(form().annealsChains(), "there is time: the times' densities are tied at it");
        refuseLevel(form().annealsChains(), "there is time: f is tied to the reference's log-density");
        apart(
                form().annealsChains() && negatives.sampleSteps().isPresent(),
                "negatives.sampleSteps",
                "time, whose chains are annealed through all times: say time.annealing.steps");
    }

    private void checkModel() {
        require(
                model.takesImages() == onImages(),
                "model",
                !model.takesImages()
                        ? "takes points, the data are images"
                        : !form().isOfSamples()
                                ? "takes images, and a latent model's prior takes latent vectors: say mlp"
                                : "takes images, the data are points");
        boolean generator = !form().isOfSamples() && train.precision() == Precision.TF32; // of images
        require(
                !train.precision().rounds() || model.takesImages() || generator,
                PRECISION,
                !form().isOfSamples()
                        ? "must be float or tf32 where there are latent vectors, whose network is one of points"
                        : "must be float for points: tf32 and bfloat16 are for images");
        require(
                !generator
                        || !latent.orElseThrow().posterior().kernel().traits().adjusted(),
                PRECISION,
                DIGITS);
    }

    /** f is never above 0, which not all densities may be. */
    private void checkBounded() {
        boolean bounded = model instanceof SquaredNorm;
        apart(
                bounded && form().annealsChains(),
                "model",
                "time: f of a time is tied to the reference's log-density, which may lie above or below; leave"
                        + " 'squared-norm' out");
        apart(
                bounded && objective.aboutLevel(),
                "model",
                "binary-cross-entropy: f is never above 0, so that nothing is more likely one of the data; leave"
                        + " 'squared-norm' out, or say contrastive");
    }

    private void checkBase() {
        boolean there = baseMeasure.isPresent();
        apart(
                there && form().annealsChains(),
                "baseMeasure",
                "time, whose reference is the base of every component: leave it out");
        apart(
                there && !form().isOfSamples(),
                "baseMeasure",
                "latent, whose prior has a Gaussian of its own: leave it out");
        requireTemperatureOne(
                there, "there is a base measure: exp(f/T) would have another Gaussian than the one that is fitted");
        refusePenalty(there, "there is a base measure: f has the log-density of the Gaussian");
    }

    private void checkLatent(LatentSettings settings) {
        require(data.images(), "latent", "is for images, the data are points");
        requireTemperatureOne(true, "there are latent vectors: prior and likelihood are weighed at it");
        refusePenalty(true, "there are latent vectors: f has the log-density of their Gaussian");
        Kernel<?> kernel = settings.posterior().kernel();
        refused.check(() -> Check.part(
                "latent.posterior.kernel." + Catalogue.name(kernel.getClass()),
                () -> kernel.requireFit(settings.size())));
        Optional<Integration> paper = settings.integration().filter(how -> how.mode() == Integration.Mode.PAPER);
        require(
                train.batch() > 1
                        || settings.posterior().chains() > 1
                        || paper.filter(by -> by.eta() > 0).isEmpty(),
                "latent.integration.eta",
                "weighs divergences between temperatures, which are taken from the variances of a batch: say 'eta: 0', or let"
                        + " train.batch or latent.posterior.chains be 2 or more");
        String twice =
                "cannot be sam where the gradient is backpropagated through the chains (latent.integration.mode: paper),"
                        + " which would have to run again at the perturbed parameters: say adam";
        require(paper.isEmpty() || optimiser.climb().isEmpty(), "optimiser", twice);
        require(
                paper.isEmpty()
                        || settings.optimiser().flatMap(Optimiser::climb).isEmpty(),
                "latent.optimiser",
                twice);
        if (!settings.trainsPrior()) {
            String why = " need a prior that is trained by chains of its own: with latent.integration.mode detached or"
                    + " paper it is not";
            require(terms.isEmpty(), "terms", why.strip());
            require(objective instanceof Contrastive, OBJECTIVE, "must be contrastive: others" + why);
            require(negatives.buffer().isEmpty(), "negatives.buffer", "would stay as it began: chains in it" + why);
            require(negatives.also().isEmpty(), "negatives.also", "would never run: further chains" + why);
            require(negatives.adapt().isEmpty(), "negatives.adapt", "would never be adapted: steps" + why);
        }
    }

    private void checkObjective() {
        require(
                form().hasSeveral() || (objective.labels() == 0 && objective.compares() == ContrastedDensity.GIVEN),
                OBJECTIVE,
                "is about classes or times, and the recipe has neither: add 'time: {count: 64}' or 'classes: head'");
        apart(
                objective.weighs() && negatives.kernel().traits().temperature().isEmpty(),
                KERNEL,
                "a robust objective, whose weights need the temperature T of exp(f/T): "
                        + withoutTemperature(negatives.kernel()));
        requireTemperatureOne(
                form().hasSeveral() && objective.compares() == ContrastedDensity.PAIR, "pairs are compared");
        require(
                !eachAlone() || !objective.weighs() || count() >= train.batch(),
                "negatives.count",
                "must be at least train.batch, " + train.batch()
                        + ", where a robust objective weighs each component alone");
        apart(
                eachAlone() && objective.ranks(),
                OBJECTIVE,
                "each component alone, whose f has an unknown constant: negatives are left out by the order of f; let"
                        + " 'trimmed' be under cd-ce or joint-cd");
        int positives = objective.fewestPositives();
        require(train.batch() >= positives, OBJECTIVE, "takes a batch of " + positives + " or more");
        require(
                !eachAlone() || positives == 1,
                OBJECTIVE,
                "takes " + positives
                        + " positives of each component or more, which no batch promises; compare the marginal or"
                        + " choose another variant");
        apart(
                form().hasSeveral()
                        && !eachAlone()
                        && negatives.adapt().isPresent()
                        && !(negatives.start().atBatch() && negatives.buffer().isEmpty()),
                "negatives.adapt",
                "chains whose component is not known: start them at the batch (start: batch), without"
                        + " a buffer, or let the objective compare each component alone");
        refused.check(() -> Check.part(
                "objective." + Catalogue.name(objective.getClass()),
                () -> negatives.kernel().traits().temperature().ifPresent(objective::requireTemperature)));
    }

    private void checkTerm(String at, ChainRequest wanted) {
        require(
                wanted.equals(ChainRequest.NOTHING) || objective.sampled(),
                at,
                "needs chains, and the objective has none: say 'objective: contrastive', or cd-ce");
        require(
                wanted.buffered() == 0 || negatives.buffer().isPresent(),
                at,
                "looks at samples of a replay buffer, and there is none: say 'buffer: {size: 10000}' in negatives");
        if (wanted.lastMoves() == 0) {
            return;
        }
        String gradient = "has a gradient through the sampler's last moves, ";
        require(
                negatives.kernel() instanceof DifferentiableKernel<?>,
                at,
                gradient + "which " + Catalogue.name(negatives.kernel().getClass())
                        + " does not have: let negatives.kernel be langevin, mala, psgld or gradient-descent");
        require(
                wanted.lastMoves() == 1
                        || !(negatives.kernel() instanceof DifferentiableKernel<?> moves)
                        || moves.resumes(),
                at,
                gradient + "and with " + Catalogue.name(negatives.kernel().getClass())
                        + ", whose moves depend on those before, only through the last: say 'steps: 1'");
        require(
                negatives.adapt().isEmpty(),
                at,
                gradient + "and cannot be combined with step sizes that are adapted: leave out negatives.adapt");
        require(
                negatives.also().isEmpty(),
                at,
                gradient + "and cannot be combined with further chains: leave out negatives.also");
        int steps = Math.min(negatives.steps().from(), negatives.steps().last());
        require(
                steps >= wanted.lastMoves(),
                at,
                "takes the last " + wanted.lastMoves() + " moves of every chain again, and negatives.steps is "
                        + steps);
    }
}

package dev.kelvin.judge;

import dev.kelvin.judge.Finding.Advice;
import dev.kelvin.judge.Finding.How;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Integration;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.yaml.SettingPaths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What can be tried with a recipe: each advice in the recipe's own settings, and none that it refuses. */
public final class Suggestions {
    private static final double GENTLE_ROBUST = 0.5;
    private static final int USUAL_BUFFER = 10_000;
    private static final double USUAL_AVERAGE = 0.999;
    private static final double USUAL_L2 = 0.01;
    private static final double THIRD = 1 / 3.0;
    private static final double USUAL_POWER = 3; // of temperatures

    private final Recipe recipe;
    private final Map<String, String> settings;
    private final boolean ofSamples;

    /** For a recipe. */
    public Suggestions(Recipe recipe) {
        this.recipe = recipe;
        settings = SettingPaths.of(recipe);
        ofSamples = recipe.form().isOfSamples();
    }

    /** The run goes on for as long again. */
    public Optional<Advice> trainLonger() {
        return iterations("train twice as long", How.RESUME, 2 * recipe.train().iterations());
    }

    Optional<Advice> trainShorter() {
        return iterations(
                "train half as long", How.ANEW, Math.max(1, recipe.train().iterations() / 2));
    }

    private static Optional<Advice> iterations(String words, How how, int count) {
        return Optional.of(Advice.set(words, how, "train.iterations=" + count));
    }

    /** Longer chains of training. */
    public Optional<Advice> moreSteps() {
        int steps = 2 * Math.max(1, recipe.negatives().steps().last());
        return anew(true, "train with chains of " + steps + " steps", "negatives.steps=" + steps);
    }

    /** The robust objective in the place of the plain one. */
    public Optional<Advice> robust() {
        double l2 = recipe.objective().l2();
        List<String> settings = new ArrayList<>(List.of("objective.robust.betaOverT=" + GENTLE_ROBUST));
        if (l2 != 0) {
            settings.add("objective.robust.l2=" + Words.number(l2));
        }
        return anew(
                recipe.objective() instanceof Contrastive
                        && ofSamples
                        && recipe.negatives().kernel().traits().temperature().isPresent(),
                "train with the robust objective",
                settings.toArray(String[]::new));
    }

    /** Another run by the recipe with these settings, where that is possible. */
    private static Optional<Advice> anew(boolean fits, String words, String... settings) {
        return fits ? Optional.of(Advice.set(words, How.ANEW, settings)) : Optional.empty();
    }

    /** A memory for chains that have none. */
    public Optional<Advice> replayBuffer() {
        boolean none = recipe.negatives().buffer().isEmpty();
        return anew(none, "train with a replay buffer", "negatives.buffer.size=" + USUAL_BUFFER)
                .flatMap(this::forChains);
    }

    /** An average of the parameters, where there is none. */
    Optional<Advice> average() {
        boolean none = recipe.train().ema() == 0;
        return anew(none, "train with an average of the parameters", "train.ema=" + USUAL_AVERAGE);
    }

    /** A third of the learning rate. */
    public Optional<Advice> smallerLearningRate() {
        return scaled("a third of the learning rate", "optimiser\\..*learningRate", THIRD);
    }

    Optional<Advice> penalty() {
        boolean fits = recipe.baseMeasure().isEmpty() && ofSamples; // it would undo the Gaussian
        return only("objective\\..*l2").flatMap(path -> {
            double weight = Math.max(USUAL_L2, 10 * value(path));
            return anew(fits, "an L2 penalty on f", path + "=" + Words.number(weight));
        });
    }

    Optional<Advice> smallerBeta() {
        return scaled("half the beta of the robust objective", "objective\\..*(beta|betaOverT)", 1 / 2.0);
    }

    Optional<Advice> moreNoise() {
        return only("data\\.table\\.noise").flatMap(path -> {
            double noise = Math.max(USUAL_L2, 2 * value(path));
            return anew(true, "twice the noise on the rows", path + "=" + Words.number(noise));
        });
    }

    /** Samples by chains that are longer than these steps. */
    public Optional<Advice> longerSamples(int usual) {
        int steps = 4 * Math.max(1, usual);
        return forChains(new Advice("sample with " + steps + " steps", How.SAMPLE, List.of("--steps", "" + steps)));
    }

    /** Longer fresh chains in all that is judged. */
    Optional<Advice> judgeLongerChains() {
        int steps = 4 * Math.max(1, recipe.negatives().freshSteps());
        boolean rounds = recipe.negatives().sampleRounds().orElse(1) > 1;
        String words = "let fresh chains run " + steps + " steps" + (rounds ? " in each round" : "");
        return forChains(Advice.set(words, How.RESUME, "negatives.sampleSteps=" + steps));
    }

    /** Advice about chains on the data, where the recipe's are. */
    private Optional<Advice> forChains(Advice advice) {
        return Optional.of(advice).filter(each -> recipe.form().runsOnData());
    }

    /** Chains of training with smaller steps, at the same temperature. */
    Optional<Advice> smallerSteps() {
        return steps("a third of the step size", THIRD);
    }

    /** Chains of training with larger steps, at an unchanged temperature. */
    public Optional<Advice> largerSteps() {
        return steps("three times the step size", 1 / THIRD);
    }

    /** A noise that is given has to follow the step size, or the temperature would change. */
    private Optional<Advice> steps(String words, double factor) {
        if (recipe.negatives().adapt().isPresent()) {
            return Optional.empty(); // they are the adaptation's
        }
        return scaled(words, "negatives\\.kernel\\..*stepSize", factor).map(advice -> {
            List<String> options = new ArrayList<>(advice.options());
            String noise = options.get(1).replaceFirst("stepSize=.*", "noise");
            if (settings.containsKey(noise)) {
                options.addAll(List.of("--set", noise + "=" + short3(value(noise) * Math.sqrt(factor))));
            }
            return new Advice(advice.words(), How.ANEW, options);
        });
    }

    /** More temperatures near the prior, whose draws then weigh less. */
    Optional<Advice> higherPower() {
        boolean lower = recipe.latent()
                .flatMap(LatentSettings::integration)
                .filter(by -> by.power() < USUAL_POWER)
                .isPresent();
        String power = Words.number(USUAL_POWER);
        return anew(lower, "train with p = " + power, "latent.integration.power=" + power);
    }

    /** No draws of the prior in the generator's gradient. */
    Optional<Advice> withoutPriorDraws() {
        boolean there = recipe.latent()
                .flatMap(LatentSettings::integration)
                .filter(Integration::fromPrior)
                .isPresent();
        return anew(
                there, "leave the prior's draws out of the generator's gradient", "latent.integration.fromPrior=false");
    }

    private Optional<Advice> scaled(String words, String pattern, double factor) {
        return only(pattern)
                .filter(path -> value(path) > 0)
                .map(path -> Advice.set("train with " + words, How.ANEW, path + "=" + short3(factor * value(path))));
    }

    private double value(String path) {
        return Double.parseDouble(settings.getOrDefault(path, "NaN"));
    }

    /** Three digits are enough to try. */
    private static String short3(double value) {
        return Words.number(Double.parseDouble(Words.say("%.2e", value)));
    }

    /** The one number whose path matches; nothing where there are none or several. */
    private Optional<String> only(String pattern) {
        Pattern wanted = Pattern.compile(pattern);
        List<String> found = settings.entrySet().stream()
                .filter(each -> wanted.matcher(each.getKey()).matches())
                .filter(each -> each.getValue().matches("[-+0-9.eE]+"))
                .map(Map.Entry::getKey)
                .toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }
}

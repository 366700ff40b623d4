package dev.kelvin.run;

import dev.kelvin.judge.Finding.Advice;
import dev.kelvin.judge.Finding.How;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.ReplicaExchange;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.Chains;
import dev.kelvin.yaml.RecipeWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What can be tried where chains can't be believed: options of {@code kelvin chains}, none of which asks for what was done
 * already.
 *
 * @param moved the kernel as it moved the chains, with the step size that was found
 * @param allowed whether {@code kelvin chains} samples this density at all
 * @param exact whether its values have the digits that an accept/reject step needs
 */
public record SamplerSuggestions(
        Recipes.KernelChoice choice, Kernel<?> moved, Chains.Length length, boolean allowed, boolean exact) {
    private static final int LONGER = 4;

    /** Beyond this, draws are better taken further apart than kept. */
    private static final int MOST_DRAWS = 20_000;

    Optional<Advice> longer() {
        int burnIn = LONGER * Math.max(1, length.burnIn());
        int draws = LONGER * length.draws();
        int thin = draws > MOST_DRAWS ? LONGER * length.thin() : length.thin();
        String words = "four times the burn-in and the draws";
        return advice(words, choice.kernel(), burnIn, Math.min(MOST_DRAWS, draws), thin);
    }

    /** As many draws as before, further apart. */
    Optional<Advice> thinner(double factor) {
        int times = (int) Math.min(1000, Math.max(2, Math.ceil(factor)));
        int thin = times * length.thin();
        return advice("draws " + thin + " steps apart", choice.kernel(), length.burnIn(), length.draws(), thin);
    }

    /** Steps of another size at the same temperature, where the size was given. */
    Optional<Advice> stepSize(double factor) {
        String words = factor < 1 ? "a smaller step size" : "a larger step size";
        return StepSized.of(choice.kernel())
                .filter(kernel -> !choice.findsStep())
                .flatMap(kernel -> advice(words, kernel.withStepSize(short3(factor * kernel.stepSize()))));
    }

    /** Paths that go further than steps. */
    Optional<Advice> paths() {
        Kernel<?> kernel = choice.kernel();
        boolean already = kernel instanceof Hmc || kernel instanceof JitteredHmc || kernel instanceof ReplicaExchange;
        return already || !allowed || !exact
                ? Optional.empty()
                : Optional.of(new Advice("Hamiltonian Monte Carlo", How.SAMPLE, options("hmc", length)));
    }

    /** Replicas that cross between modes; more of them where there are some. */
    Optional<Advice> replicas() {
        if (choice.kernel() instanceof ReplicaExchange few) {
            List<Double> ladder = few.ladder();
            int rungs = 2 * Math.max(few.rungs(), ladder.size());
            double hottest = ladder.isEmpty() ? few.hottest() : ladder.get(ladder.size() - 1);
            return advice("twice the rungs", new ReplicaExchange(few.inner(), rungs, hottest, few.steps(), List.of()));
        }
        return StepSized.of(moved).flatMap(kernel -> {
            double variance = Math.pow(kernel.stepLength(), 2)
                    * kernel.traits().temperature().orElse(1);
            double step = short3(variance / 2);
            String mala = "{replica-exchange: {inner: {mala: {stepSize: " + Words.number(step) + "}}}}";
            return step > 0 && Double.isFinite(step) && allowed && exact
                    ? Optional.of(new Advice(
                            "replica exchange, which crosses between modes", How.SAMPLE, options(mala, length)))
                    : Optional.empty();
        });
    }

    private static double short3(double value) {
        return Double.parseDouble(Words.say("%.2e", value));
    }

    private Optional<Advice> advice(String words, Kernel<?> kernel) {
        return advice(words, kernel, length.burnIn(), length.draws(), length.thin());
    }

    private Optional<Advice> advice(String words, Kernel<?> kernel, int burnIn, int draws, int thin) {
        return allowed
                ? Optional.of(
                        new Advice(words, How.SAMPLE, options(text(kernel), new Chains.Length(burnIn, draws, thin))))
                : Optional.empty();
    }

    /** The kernel as --kernel takes it; where its step size is to be found, without one. */
    private String text(Kernel<?> kernel) {
        String text = RecipeWriter.value(Kernel.class, kernel);
        return choice.findsStep() && kernel.equals(choice.kernel())
                ? text.replaceFirst("stepSize: [^,}]+(, )?", "")
                : text;
    }

    private static List<String> options(String kernel, Chains.Length length) {
        Stream<Object> run = Stream.of("--kernel", kernel, "-n", length.draws(), "--burn-in", length.burnIn());
        Stream<Object> thinned = length.thin() > 1 ? Stream.of("--thin", length.thin()) : Stream.empty();
        return Stream.concat(run, thinned).map(String::valueOf).toList();
    }
}

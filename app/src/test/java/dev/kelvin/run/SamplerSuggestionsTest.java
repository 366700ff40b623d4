package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.judge.Finding.Advice;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.ReplicaExchange;
import dev.kelvin.sample.chain.Chains;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplerSuggestionsTest {
    private static final Chains.Length LENGTH = new Chains.Length(10, 20, 1);

    private static SamplerSuggestions of(String kernel) {
        Recipes.KernelChoice choice = Recipes.kernel("--kernel", kernel);
        return new SamplerSuggestions(choice, choice.kernel(), LENGTH, true, true);
    }

    static List<Advice> all(SamplerSuggestions remedies) {
        return Stream.of(
                        remedies.longer(),
                        remedies.thinner(3.5),
                        remedies.stepSize(1 / 3.0),
                        remedies.paths(),
                        remedies.replicas())
                .flatMap(Optional::stream)
                .toList();
    }

    private static String kernel(Advice advice) {
        return advice.options().get(advice.options().indexOf("--kernel") + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hmc",
                "mala",
                "{hmc: {leaps: 3}}",
                "{mala: {stepSize: 0.1, temperature: 0.5}}",
                "{langevin: {stepSize: 1, noise: 0.01, clip: 1}}",
                "{langevin: {stepSize: 1, noise: 0}}",
                "{psgld: {stepSize: 0.01}}",
                "{svgd: {stepSize: 0.1}}",
                "{gradient-descent: {stepSize: 0.01}}",
                "{replica-exchange: {inner: {mala: {stepSize: 0.1}}}}",
                "{replica-exchange: {inner: {mala: {stepSize: 0.1}}, ladder: [1, 5]}}"
            })
    void everyKernelThatIsAdvisedCanBeRead(String kernel) {
        assertThat(all(of(kernel)))
                .hasSizeGreaterThan(1)
                .allSatisfy(advice ->
                        assertThat(Recipes.kernel("--kernel", kernel(advice))).isNotNull());
    }

    @Test
    void replicasAreAdvisedOnceAndThenMoreOfThem() {
        Advice first = of("{mala: {stepSize: 0.1}}").replicas().orElseThrow();
        assertThat(kernel(first)).isEqualTo("{replica-exchange: {inner: {mala: {stepSize: 0.1}}}}");
        Advice more = of(kernel(first)).replicas().orElseThrow();
        assertThat(more.words()).isEqualTo("twice the rungs");
        assertThat(Recipes.kernel("--kernel", kernel(more)).kernel())
                .isEqualTo(new ReplicaExchange(Mala.of(0.1), 12, 30, 5, List.of()));
    }

    /** σ of SGLD with h = 1 is 0.01; MALA at T = 1 with that noise has h = σ²/2. */
    @Test
    void replicasMoveAsFarAsTheChainsDid() {
        assertThat(kernel(
                        of("{langevin: {stepSize: 1, noise: 0.01}}").replicas().orElseThrow()))
                .isEqualTo("{replica-exchange: {inner: {mala: {stepSize: 5e-5}}}}");
    }

    @Test
    void aStepSizeThatWasFoundIsFoundAgain() {
        assertThat(of("mala").stepSize(3)).isEmpty();
        assertThat(kernel(of("{hmc: {leaps: 3}}").longer().orElseThrow()))
                .isEqualTo("{hmc: {leaps: 3, jitter: 0.1, mass: [], temperature: 1}}");
    }

    @Test
    void noAcceptRejectStepIsAdvisedWhereFIsRounded() {
        Recipes.KernelChoice choice = Recipes.kernel("--kernel", "{langevin: {stepSize: 0.1}}");
        assertThat(all(new SamplerSuggestions(choice, choice.kernel(), LENGTH, true, false)))
                .isNotEmpty()
                .noneMatch(advice -> Recipes.kernel("--kernel", kernel(advice))
                        .kernel()
                        .traits()
                        .adjusted());
    }

    @Test
    void nothingIsAdvisedWhereNothingCanBeSampled() {
        Recipes.KernelChoice choice = Recipes.kernel("--kernel", "{langevin: {stepSize: 0.1}}");
        assertThat(all(new SamplerSuggestions(choice, choice.kernel(), LENGTH, false, true)))
                .isEmpty();
    }
}

package dev.kelvin.cite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.cite.Citations.Citation;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.Cites;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.sets.KnownSet;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CitationsTest {
    private static List<Citation> of(String recipe, String... overrides) {
        return Citations.of(Recipes.load(recipe, List.of(overrides)));
    }

    @Test
    void aRecipeCitesWhatItsPartsCite() {
        assertThat(of("rings"))
                .containsExactly(
                        new Citation("data.toy.set: rings", "anonymous-robust"),
                        new Citation("negatives.kernel: mala", "roberts1996"),
                        new Citation("negatives.buffer", "tieleman2008"),
                        new Citation("objective: contrastive", "hinton2002"),
                        new Citation("optimiser: adam", "kingma2015"));
    }

    /** Parts within parts, settings that are on, constants that are chosen, and values that know their works. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    rings      | optimiser={sam: {by: {adamw: {learningRate: 1e-3}}, adaptive: true}} | optimiser: sam | foret2021
                    rings      | optimiser={sam: {by: {adamw: {learningRate: 1e-3}}, adaptive: true}} | optimiser.sam.adaptive | kwon2021
                    rings      | optimiser={sam: {by: {adamw: {learningRate: 1e-3}}}} | optimiser.sam.by: adamw | loshchilov2019
                    rings      | objective={robust: {beta: 0.5, l2: 0.1}} | objective: robust | anonymous-robust
                    rings      | objective={robust: {beta: 0.5, l2: 0.1}} | objective.robust.l2 | du2019
                    rings      | negatives.also=[{share: 0.2, start: batch, kernel: {langevin: {stepSize: 0.1}}, steps: 2}] | negatives.also.0.kernel: langevin | welling2011
                    rings      | negatives.also=[{share: 0.2, start: batch, kernel: {langevin: {stepSize: 0.1}}, steps: 2}] | negatives.also.0.start: batch | hinton2002
                    digits-improved-cd | train.seed=1 | terms.0: kl | du2021
                    gmm        | negatives.kernel={replica-exchange: {inner: {mala: {stepSize: 0.1}}}} | negatives.kernel.replica-exchange.inner: mala | roberts1996
                    rings      | negatives.kernel={mala: {stepSize: 0.1, ratio: step}} | negatives.kernel.mala.ratio: step | zhang2021
                    spiral-cdce | train.seed=1 | time | anonymous-time
                    digits-jem | objective={cd-ce: {alpha: 5}} | objective.cd-ce.alpha | shah2024
                    digits-jem | model={wide-resnet: {depth: 10, width: 1, norm: group}} | model.wide-resnet.norm: group | wu2018
                    digits-jem | data.images.set=cifar10 | data: images | krizhevsky2009
                    digits-latent | latent.integration={mode: corrected} | latent.integration | raj2024
                    digits-latent | train.seed=1 | latent.optimiser: adam | kingma2015
                    """)
    void partsWithinPartsAreCited(String recipe, String override, String part, String key) {
        assertThat(of(recipe, override)).contains(new Citation(part, key));
    }

    @Test
    void settingsThatAreOffCiteNothing() {
        assertThat(of(
                        "rings",
                        "optimiser={sam: {by: {adam: {learningRate: 1e-3}}}}",
                        "objective={contrastive: {l2: 0}}"))
                .extracting(Citation::key)
                .doesNotContain("kwon2021", "du2019", "shah2024");
        assertThat(of("digits-improved-cd", "terms=[{kl: {weight: 0}}]"))
                .noneMatch(citation -> citation.part().startsWith("terms.0"));
        assertThat(of("digits-jem", "objective={cd-ce: {alpha: 1}}", "data.images.set=pictures/"))
                .noneMatch(citation -> citation.part().equals("objective.cd-ce.alpha"))
                .noneMatch(citation -> citation.part().equals("data: images"));
    }

    /** Every key that the parts of shipped recipes, figures and sets name has its entry. */
    @Test
    void everyWorkIsInTheBibliography() throws IOException {
        Bibliography all = Bibliography.onClassPath();
        Stream<Citation> recipes = Recipes.all().stream().flatMap(recipe -> Citations.of(recipe).stream());
        Stream<Citation> figures = Figure.all().stream()
                .flatMap(figure -> figure.cites().stream().map(key -> new Citation(figure.name(), key)));
        Stream<Citation> sets = KnownSet.ALL.stream().map(set -> new Citation(set.name(), set.work()));
        assertThat(Stream.of(recipes, figures, sets).flatMap(each -> each).map(all::of))
                .isNotEmpty();
    }

    /** A part of a user's own. */
    @Cites("nobody1999")
    private record Own(@Cites({"a", "b"}) Optional<String> setting) {}

    private record Settings(Own own) {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anyRecordMayCite(boolean on) {
        List<Citation> found = Citations.of(new Settings(new Own(on ? Optional.of("x") : Optional.empty())));
        assertThat(found)
                .extracting(Citation::key)
                .containsExactly(on ? new String[] {"nobody1999", "a", "b"} : new String[] {"nobody1999"});
    }

    @Test
    void aWorkWithoutAnEntryIsNamedWithItsPart() throws IOException {
        Bibliography all = Bibliography.onClassPath();
        assertThatThrownBy(() -> all.of(new Citation("negatives.kernel: mine", "nobody1999")))
                .hasMessage(
                        "negatives.kernel: mine cites 'nobody1999', and no META-INF/kelvin/references.bib on the class path"
                                + " has an entry with that key");
    }
}

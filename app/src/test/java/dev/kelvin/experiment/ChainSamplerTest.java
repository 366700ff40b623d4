package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.judge.component.TimeView;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.panel.ComponentPanels;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.report.Curves;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a run's samples start, and by which steps they come about. */
class ChainSamplerTest {
    private static final int SIZE = 40;
    private static final int BATCH = 8;
    private static final int FEW = 4; // images, which are not moved in halves as more are

    private static Experiment experiment(String components, String negatives, String objective) {
        String recipe = """
                %sdata: {toy: moons}
                model: {mlp: {hidden: [8]}}
                negatives: {%s}
                objective: %s
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 1, batch: 8}
                """.formatted(components, negatives, objective);
        return new Experiment(Recipes.parse("a.yaml", recipe, List.of()), Device.CPU);
    }

    /** Chains that take no step say where they start. */
    private static Experiment still() {
        return experiment(
                "",
                "start: gaussian, kernel: {langevin: {stepSize: 0.1}}, steps: 0, buffer: {size: " + SIZE + "}",
                "contrastive");
    }

    private static double[] xs(Experiment experiment, Key key, int batch, int count) {
        return experiment
                .model()
                .sampler()
                .draw(SampleRequest.negatives(key, batch, count))
                .x()
                .select(1, 0)
                .toDoubles();
    }

    @Test
    void eachBatchOfADrawStartsFromSlotsOfItsOwn() {
        try (Experiment experiment = still();
                Scope scope = Scope.open()) {
            Set<Double> seen = new HashSet<>();
            for (int batch = 0; batch < SIZE / BATCH; batch++) {
                for (double x : xs(experiment, Key.of(1), batch, BATCH)) {
                    assertThat(seen.add(x)).as("batch %d", batch).isTrue();
                }
            }
            assertThat(seen).hasSize(SIZE);
            assertThat(xs(experiment, Key.of(1), 0, 2 * SIZE)).hasSize(SIZE).doesNotHaveDuplicates();
        }
    }

    /** Else pictures, figures and studies would all be of the first few slots. */
    @Test
    void drawsByOtherKeysStartFromOtherSlots() {
        try (Experiment experiment = still();
                Scope scope = Scope.open()) {
            assertThat(xs(experiment, Key.of(1), 0, BATCH)).isNotEqualTo(xs(experiment, Key.of(2), 0, BATCH));
        }
    }

    private static Experiment digits(String more) {
        return new Experiment(Recipes.parse("a.yaml", """
                        data: {images: {set: digits, low: -1, high: 1}}
                        model: {short-run: {filters: 2}}
                        negatives:
                          start: gaussian
                          kernel: {langevin: {stepSize: 0.1, noise: 0.2}}
                          steps: 2
                          sampleSteps: 3
                          buffer: {size: 20, augment: [flip, {crop: {padding: 1}}]}
                        %s
                        objective: contrastive
                        optimiser: {adam: {learningRate: 1e-3}}
                        train: {iterations: 1, batch: 8}
                        """.formatted(more), List.of()), Device.CPU);
    }

    /** Three rounds are three walks of three steps, with the buffer's augmentations between them; the film shows the same. */
    @Test
    void roundsAreWalksWithAugmentationsBetween() {
        try (Experiment once = digits("  # once");
                Experiment experiment = digits("  sampleRounds: 3");
                Scope scope = Scope.open()) {
            Key key = Key.of(5);
            Model model = experiment.model();
            Augmentation by = new Augmentation.InTurn(experiment
                            .recipe()
                            .negatives()
                            .buffer()
                            .orElseThrow()
                            .augment())
                    .within(new PixelRange(-1, 1));
            Tensor x =
                    once.model().sampler().draw(SampleRequest.fresh(key, BATCH)).x();
            for (int round = 1; round < 3; round++) {
                Tensor start = by.apply(key.child(2L * round), x);
                assertThat(start.toDoubles()).isNotEqualTo(x.toDoubles());
                x = ChainRun.inHalves(key.child(2L * round + 1), experiment.kernel(), model.logDensity(), start, 3)
                        .x();
            }
            Tensor drawn = model.sampler().draw(SampleRequest.fresh(key, BATCH)).x();
            assertThat(drawn.toDoubles()).isEqualTo(x.toDoubles());
            assertThat(model.sampler().draw(SampleRequest.of(key, BATCH)).x().toDoubles())
                    .isEqualTo(x.toDoubles());
            // of one component, so that those of a component are the same; steps are those of a round
            SampleRequest given = SampleRequest.given(key, 3, new long[BATCH]);
            assertThat(model.sampler().draw(given).x().toDoubles()).isEqualTo(x.toDoubles());
            assertThat(model.sampler().length(3)).isEqualTo(9);
            // negatives are as they were
            SampleRequest negatives = SampleRequest.negatives(key, BATCH);
            assertThat(model.sampler().draw(negatives).x().toDoubles())
                    .isEqualTo(once.model().sampler().draw(negatives).x().toDoubles());
            Map<String, double[]> film = new TreeMap<>();
            model.sampler().film(key, FEW, (moment, at) -> film.put(moment, at.toDoubles()));
            assertThat(Objects.requireNonNull(film.get("step 9")))
                    .containsExactly(
                            model.sampler()
                                    .draw(SampleRequest.fresh(key, FEW))
                                    .x()
                                    .toDoubles(),
                            within(1e-5));
            assertThat(ComponentJudge.of(experiment).samplesWords())
                    .contains("of 3 steps in each of 3 rounds, between which images are augmented: ");
        }
    }

    /** What is drawn of the model is denoised on its own density, and what training's negatives are is not. */
    @Test
    void samplesOfTheModelAreDenoisedAtTheEnd() {
        try (Experiment plain = digits("  # not");
                Experiment experiment = digits("  denoise: 0.3");
                Scope scope = Scope.open()) {
            Key key = Key.of(6);
            Model model = experiment.model();
            Tensor ends = plain.model()
                    .sampler()
                    .draw(SampleRequest.fresh(key, BATCH))
                    .x();
            // T = 0.2²/(2·0.1) = 0.2
            double[] expected = ends.plus(model.logDensity().gradient(ends).times(0.3 * 0.3 / 0.2))
                    .toDoubles();
            Tensor drawn = model.sampler().draw(SampleRequest.fresh(key, BATCH)).x();
            assertThat(drawn.toDoubles())
                    .containsExactly(expected, within(1e-6))
                    .isNotEqualTo(ends.toDoubles());
            SampleRequest negatives = SampleRequest.negatives(key, BATCH);
            assertThat(model.sampler().draw(negatives).x().toDoubles())
                    .isEqualTo(plain.model().sampler().draw(negatives).x().toDoubles());
            Map<String, double[]> film = new TreeMap<>();
            model.sampler().film(key, FEW, (moment, at) -> film.put(moment, at.toDoubles()));
            assertThat(Objects.requireNonNull(film.get("denoised")))
                    .containsExactly(
                            model.sampler()
                                    .draw(SampleRequest.fresh(key, FEW))
                                    .x()
                                    .toDoubles(),
                            within(1e-5));
            assertThat(ComponentJudge.of(experiment).samplesWords())
                    .contains("of 3 steps and a last move of 0.3²∇f/T, which takes noise away");
        }
    }

    /** Training moves the step sizes far from the kernel's; the film must show samples as they are drawn. */
    @Test
    void aFilmTakesTheAdaptedSteps() {
        try (Experiment experiment = experiment(
                        "", "start: gaussian, kernel: {mala: {stepSize: 1e-4}}, steps: 3, adapt: {}", "contrastive");
                Scope scope = Scope.open()) {
            for (int step = 0; step < 20; step++) {
                Key key = Key.of(2).child(step);
                experiment.learner().step(key, step, experiment.batches().batch(key, step, BATCH));
            }
            assertThat(experiment.model().adapted().orElseThrow().factors()[0]).isGreaterThan(10);
            Map<String, double[]> film = new TreeMap<>();
            experiment.model().sampler().film(Key.of(3), BATCH, (moment, x) -> film.put(moment, x.toDoubles()));
            assertThat(Objects.requireNonNull(film.get("step 3")))
                    .containsExactly(
                            experiment
                                    .model()
                                    .sampler()
                                    .draw(SampleRequest.fresh(Key.of(3), BATCH))
                                    .x()
                                    .toDoubles(),
                            within(1e-5));
        }
    }

    /** With a buffer or without one: what is judged is fresh, and training's chains stay as long as they are. */
    @ParameterizedTest
    @ValueSource(strings = {"", ", buffer: {size: 40}"})
    void samplesWalkAsFarAsTheRecipeSays(String buffer) {
        String chains = "start: gaussian, kernel: {langevin: {stepSize: 0.1}}, steps: 2" + buffer;
        try (Experiment three = experiment("", chains + ", sampleSteps: 3", "contrastive");
                Experiment two = experiment("", chains, "contrastive");
                Scope scope = Scope.open()) {
            Key key = Key.of(3);
            Map<String, double[]> film = new TreeMap<>();
            three.model().sampler().film(key, BATCH, (moment, x) -> film.put(moment, x.toDoubles()));
            assertThat(three.model()
                            .sampler()
                            .draw(SampleRequest.of(key, BATCH))
                            .x()
                            .toDoubles())
                    .containsExactly(Objects.requireNonNull(film.get("step 3")), within(1e-5));
            assertThat(three.model()
                            .sampler()
                            .draw(SampleRequest.negatives(key, BATCH))
                            .x()
                            .toDoubles())
                    .containsExactly(two.model()
                            .sampler()
                            .draw(SampleRequest.negatives(key, BATCH))
                            .x()
                            .toDoubles());
            assertThat(ComponentJudge.of(three).samplesWords()).contains("of 3 steps");
            assertThat(three.model().usualSteps()).isEqualTo(3);
        }
    }

    /** β: training's chains walk their own steps on (1 − β)f, those that are judged walk further, and on f. */
    @ParameterizedTest
    @ValueSource(strings = {"", ", buffer: {size: 40}"})
    void underARobustObjectiveSamplesWalkAsFarAsTheRecipeSaysOnF(String buffer) {
        String chains = "start: gaussian, kernel: {langevin: {stepSize: 0.1}}, steps: 2" + buffer;
        try (Experiment robust = experiment("", chains + ", sampleSteps: 3", "{robust: {beta: 0.5}}");
                Experiment plain = experiment("", chains + ", sampleSteps: 3", "contrastive");
                Experiment two = experiment("", chains, "{robust: {beta: 0.5}}");
                Scope scope = Scope.open()) {
            Key key = Key.of(3);
            double[] judged = robust.model()
                    .sampler()
                    .draw(SampleRequest.of(key, BATCH))
                    .x()
                    .toDoubles();
            assertThat(judged)
                    .containsExactly(plain.model()
                            .sampler()
                            .draw(SampleRequest.of(key, BATCH))
                            .x()
                            .toDoubles())
                    .isNotEqualTo(two.model()
                            .sampler()
                            .draw(SampleRequest.of(key, BATCH))
                            .x()
                            .toDoubles());
            double[] negatives = robust.model()
                    .sampler()
                    .draw(SampleRequest.negatives(key, BATCH))
                    .x()
                    .toDoubles();
            assertThat(negatives)
                    .containsExactly(two.model()
                            .sampler()
                            .draw(SampleRequest.negatives(key, BATCH))
                            .x()
                            .toDoubles())
                    .isNotEqualTo(plain.model()
                            .sampler()
                            .draw(SampleRequest.negatives(key, BATCH))
                            .x()
                            .toDoubles());
            assertThat(ComponentJudge.of(robust).samplesWords())
                    .contains("fresh chains on f, of 3 steps", "see (1 − β)f");
        }
    }

    @Test
    void annealedChainsHaveStepsOfTheirOwn() {
        assertThatThrownBy(() -> experiment(
                        "time: {count: 4}\n",
                        "start: batch, kernel: {mala: {stepSize: 0.08}}, steps: 1, sampleSteps: 3",
                        "{cd-ce: {}}"))
                .hasMessageContaining("negatives.sampleSteps cannot be combined with time");
    }

    /** MALA's noise is √(2h) and HMC's ε, both stretched by the root of a time's factor; the words are the kernel's. */
    @ParameterizedTest
    @ValueSource(strings = {"mala", "hmc"})
    void stepSizesOfTimesAreShownAsTheKernels(String kernel) {
        boolean hmc = kernel.equals("hmc");
        String settings = hmc ? "{hmc: {stepSize: 0.08, leaps: 2}}" : "{mala: {stepSize: 0.08}}";
        try (Experiment experiment = experiment(
                "time: {count: 4}\n", "start: batch, kernel: " + settings + ", steps: 1, adapt: {}", "{cd-ce: {}}")) {
            TimeView view =
                    TimeView.of(experiment, experiment.model().timeline().orElseThrow(), Map.of());
            double[] factors = experiment.model().adapted().orElseThrow().factors();
            for (int t = 0; t < factors.length; t++) {
                double expected = Math.sqrt(factors[t]) * (hmc ? 0.08 : 0.4); // √(2·0.08)
                assertThat(view.steps()[t]).isCloseTo(expected, within(1e-12));
            }
            assertThat(ComponentPanels.times(new Measured.Times(view, Optional.empty(), Optional.empty()))
                            .blocks())
                    .filteredOn(block -> block instanceof Curves curves
                            && curves.explanation().contains(experiment.kernel().words()))
                    .hasSize(1);
        }
    }
}

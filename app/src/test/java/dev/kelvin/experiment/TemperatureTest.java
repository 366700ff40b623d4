package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.judge.Judge;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.RecipeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which density a run's model is judged and sampled at. */
class TemperatureTest {
    private static final Key KEY = Key.of(1);

    private static Experiment experiment(String kernel, String objective) {
        return new Experiment(
                Recipes.load(
                        "gmm-robust",
                        List.of(
                                "model={mlp: {hidden: [4]}}",
                                "negatives={start: {gaussian: {std: 0.5}}, kernel: {" + kernel + "}, steps: 10}",
                                "objective=" + objective)),
                Device.CPU);
    }

    /** Where the damping is far above any gradient, each step is Langevin's with h/λ, and T = σ²λ/2h. */
    @Test
    void preconditionedLangevinWithANoiseOfItsOwnIsJudgedAtTheTemperatureThatItHas() {
        try (Experiment run = experiment("psgld: {stepSize: 0.05, damping: 1000, noise: 0.2}", "contrastive");
                Scope scope = Scope.open()) {
            assertThat(run.model().temperature()).isCloseTo(400, within(0.5));
            Tensor x = run.model().starts().draw(KEY, 3);
            assertThat(run.model()
                            .density()
                            .at(x)
                            .times(run.model().temperature())
                            .toDoubles())
                    .containsExactly(run.model().logDensity().at(x).toDoubles(), within(1e-6));
        }
    }

    @Test
    void weightsNeedATemperatureThatIsKnown() {
        String kernel = "psgld: {stepSize: 0.05, noise: 0.2}";
        assertThatThrownBy(() -> experiment(kernel, "{robust: {beta: 0.5}}").close())
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("cannot be combined with a robust objective")
                .hasMessageContaining("has another at every place");
        experiment(kernel, "{robust: {beta: 0}}").close(); // no weights
        experiment("psgld: {stepSize: 0.05}", "{robust: {beta: 0.5}}").close();
    }

    /** β·o is β/T with the kernel's T, in training and at the end of its schedule, where the model is judged. */
    @Test
    void chainsWithoutNoiseHaveNoTemperature() {
        String kernel = "langevin: {stepSize: 0.01, noise: 0}";
        assertThatThrownBy(() -> experiment(kernel, "{robust: {betaOverT: 4}}").close())
                .hasMessageContaining("and no noise has none; give it noise")
                .hasMessageNotContaining("at every place")
                .hasMessageNotContaining("1/T");
        try (Experiment run = experiment(kernel, "{contrastive: {}}")) {
            assertThat(run.model().chainSettings().hasTemperature()).isFalse();
        }
    }

    @Test
    void wordsTellHowBetaChanges() {
        String kernel = "langevin: {stepSize: 0.01, clip: 1, clamp: [-4, 4]}";
        String robust = "{robust: {beta: 0.5, schedule: {linear: {}}, variant: no-positive}}";
        try (Experiment run = experiment(kernel, robust)) {
            assertThat(Judge.of(run).story().toString())
                    .contains("in its variant no-positive with β = 0.5, which changes during the run")
                    .contains("gradients clipped to ±1, values to [-4, 4]");
        }
    }

    @Test
    void betaOverTFollowsTheKernel() {
        String kernel = "langevin: {stepSize: 1, noise: 0.5}"; // T = 1/8
        try (Experiment run = experiment(kernel, "{robust: {betaOverT: 4}}")) {
            assertThat(run.objective().samplingScale()).isEqualTo(0.5);
            assertThat(run.model().sampler().traits().negativesDiffer()).isTrue();
            assertThat(Judge.of(run).story().toString()).contains("β·o = 4 (o = 1/T)");
        }
        try (Experiment run = experiment(kernel, "{robust: {betaOverT: 4, schedule: {cosine: {finalShare: 0.5}}}}")) {
            assertThat(run.objective().samplingScale()).isCloseTo(0.75, within(1e-15));
        }
        assertThatThrownBy(
                        () -> experiment(kernel, "{robust: {betaOverT: 8.1}}").close())
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("betaOverT must be at most 1/T, 8 with these chains");
    }

    /** The densities of all times, and of all classes, are tied at T = 1. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spiral-cdce | where there is time",
                "spiral-jointcd | where there is time",
                "digits-classes | where pairs are compared"
            })
    void timesAndPairsNeedTheTemperatureOne(String name, String where) {
        List<String> changes = List.of(
                "negatives={start: batch, steps: 1, kernel: {psgld: {stepSize: 0.01, noise: 0.01}}}",
                name.equals("spiral-cdce") ? "objective=cd-ce" : "objective=joint-cd");
        assertThatThrownBy(() -> Recipes.load(name, changes))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("must sample at temperature 1 " + where)
                .hasMessageContaining("found another at every place");
    }

    /** T = 0.1²/(2·0.5) = 0.01. */
    @Test
    void anotherKernelSamplesWhatTrainingSamples() {
        try (Experiment run = experiment("langevin: {stepSize: 0.5, noise: 0.1}", "contrastive");
                Scope scope = Scope.open()) {
            Tensor x = run.model().starts().draw(KEY, 3);
            double[] f = run.model().logDensity().at(x).toDoubles();
            double[] overT = run.model().density().at(x).toDoubles();
            assertThat(overT[0]).isCloseTo(100 * f[0], within(1e-3 * Math.abs(f[0])));
            assertThat(run.model().densityFor(Mala.of(1)).at(x).toDoubles()).containsExactly(overT);
            assertThat(run.model().densityFor(Hmc.of(1, 5)).at(x).toDoubles()).containsExactly(overT);
            assertThat(run.model()
                            .densityFor(Langevin.of(1).withNoise(0.02))
                            .at(x)
                            .toDoubles())
                    .containsExactly(f);
        }
    }

    /** With β = 1 negatives see no f at all: they walk at random, to a variance of 0.5² + 10·2hT. */
    @Test
    void samplesAreOfTheModelAndNegativesAsTrainingMakesThem() {
        try (Experiment run = experiment("langevin: {stepSize: 0.15, temperature: 2}", "{robust: {beta: 1}}");
                Scope scope = Scope.open()) {
            Sampler sampler = run.model().sampler();
            assertThat(sampler.traits().negativesDiffer()).isTrue();
            Tensor negatives = sampler.draw(SampleRequest.negatives(KEY, 4000)).x();
            assertThat(negatives.square().mean().item()).isCloseTo(6.25, within(0.3));
            Tensor samples = sampler.draw(SampleRequest.of(KEY, 4000)).x();
            assertThat(samples.toDoubles())
                    .containsExactly(
                            sampler.draw(SampleRequest.fresh(KEY, 4000)).x().toDoubles());
            assertThat(samples.minus(negatives).abs().mean().item()).isGreaterThan(0.1);
            Map<String, Double> figures = Judge.of(run)
                    .measured()
                    .evaluate(KEY, Path.of("runs"), WorkListener.SILENT)
                    .figures();
            assertThat(figures).containsKeys("sample_tv", "training_tv", "training_tv_floor", "log_z_gap");
            assertThat(figures.get("training_tv")).isGreaterThan(figures.get("sample_tv"));
        }
    }

    @Test
    void atBetaZeroBothAreTheSame() {
        try (Experiment run = experiment("langevin: {stepSize: 0.3}", "{robust: {beta: 0}}");
                Scope scope = Scope.open()) {
            assertThat(run.model().sampler().traits().negativesDiffer()).isFalse();
            assertThat(run.model().sampler().draw(SampleRequest.of(KEY, 5)).x().toDoubles())
                    .containsExactly(run.model()
                            .sampler()
                            .draw(SampleRequest.negatives(KEY, 5))
                            .x()
                            .toDoubles());
        }
    }
}

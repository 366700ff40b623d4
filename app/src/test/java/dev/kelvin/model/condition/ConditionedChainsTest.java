package dev.kelvin.model.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.condition.GaussianRestoration;
import dev.kelvin.condition.Mask;
import dev.kelvin.condition.Restoration;
import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.Rows;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Chains that keep to known pixels, noisy images and other models, with the samplers of every kind of model. */
class ConditionedChainsTest {
    private static final String SHORT = """
            data: {images: {set: digits, noise: 0.03}}
            model: {short-run: {filters: 2}}
            negatives: {start: {uniform: {low: -1, high: 1}}, kernel: {langevin: {stepSize: 1, noise: 0.1}}, steps: 2}
            objective: {contrastive: {}}
            """;

    private static final String BUFFER = """
            data: {images: {set: digits, low: 0, high: 1, dequantise: true}}
            model: {short-run: {filters: 2}}
            negatives:
              start: {uniform: {low: 0, high: 1}}
              kernel: {langevin: {stepSize: 10, noise: 0.3, noiseFirst: true, clip: 0.01, clamp: [0, 1]}}
              steps: 3
              buffer: {size: 20, bytes: true}
            objective: {contrastive: {}}
            """;

    private static final String CLASSES = """
            data: {images: {set: digits}}
            model: {short-run: {filters: 2}}
            classes: head
            negatives:
              start: {uniform: {}}
              kernel: {mala: {stepSize: 0.1}}
              steps: 2
              adapt: {acceptance: 0.6}
            objective: {contrastive: {}}
            """;

    private static final String PARTICLES = """
            data: {images: {set: digits}}
            model: {short-run: {filters: 2}}
            negatives: {start: {uniform: {}}, kernel: {svgd: {stepSize: 0.1}}, steps: 2, count: 5}
            objective: {contrastive: {}}
            """;

    private static final String TIMES_BY_COSINE = """
            data: {images: {set: digits, low: -0.5, high: 0.5}}
            model: {short-run: {filters: 2}}
            time: {count: 4, reference: {std: 0.6}, base: first, scaled: false, mixing: cosine, annealing: {steps: 2}}
            negatives: {start: batch, kernel: {mala: {stepSize: 0.02}}, steps: 1, adapt: {acceptance: 0.6}}
            objective: cd-ce
            """;

    private static final String TIMES = """
            data: {images: {set: digits, low: -0.5, high: 0.5}}
            model: {short-run: {filters: 2}}
            time: {count: 4, reference: {std: 0.6}, annealing: {steps: 2}}
            negatives: {start: batch, kernel: {mala: {stepSize: 0.02}}, steps: 1, adapt: {acceptance: 0.6}}
            objective: cd-ce
            """;

    private static final String TIMES_OF_LANGEVIN = """
            data: {images: {set: digits, low: -0.5, high: 0.5}}
            model: {short-run: {filters: 2}}
            time: {count: 4, reference: {std: 0.6}, annealing: {steps: 2}}
            negatives: {start: batch, kernel: {langevin: {stepSize: 0.02}}, steps: 1}
            objective: cd-ce
            """;

    private static final boolean[] FREE = new boolean[64];

    static {
        Arrays.fill(FREE, 0, 32, true);
    }

    private static Experiment experiment(String text, String... overrides) {
        String whole = text + """
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 1, batch: 8}
                """;
        return new Experiment(Recipes.parse("a.yaml", whole, List.of(overrides)), Device.CPU);
    }

    private static ConditionedChains chains(Experiment experiment, String kernel) {
        Optional<Recipes.KernelChoice> choice =
                kernel.isEmpty() ? Optional.empty() : Optional.of(Recipes.kernel("--kernel", kernel));
        return new ConditionedChains(
                Product.of(experiment.model()),
                Optional.empty(),
                choice.map(Recipes.KernelChoice::kernel),
                choice.filter(Recipes.KernelChoice::findsStep).isPresent(),
                Optional.empty());
    }

    private static Tensor images(Experiment experiment, long... rows) {
        ImageDataset data = (ImageDataset) experiment.data();
        return data.learnt(data.test().images(rows));
    }

    @ParameterizedTest
    @ValueSource(strings = {SHORT, BUFFER, CLASSES, PARTICLES, TIMES, TIMES_OF_LANGEVIN})
    void theKnownPixelsStayAndTheOthersAreDrawn(String text) {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(text)) {
            filled(experiment, chains(experiment, ""));
        }
    }

    /** Known pixels get other noise after five steps at a time, or as soon after that as all rounds are as long. */
    @ParameterizedTest
    @CsvSource({"2, 1", "10, 2", "11, 1", "14, 2"})
    void theNoiseOfKnownPixelsIsDrawnAnew(int steps, int rounds) {
        try (Scope scope = Scope.open();
                Experiment timed = experiment(TIMES, "time.annealing.steps=" + steps);
                Experiment once = experiment(SHORT)) {
            filled(timed, chains(timed, ""));
            assertThat(chains(timed, "").length()).isEqualTo(3 * steps);
            assertThat(chains(timed, "").held()).isEqualTo(4 * rounds);
            assertThat(chains(once, "").held()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mala", "hmc", "{psgld: {stepSize: 0.01}}", "{langevin: {stepSize: 0.01, clamp: [-1, 1]}}"})
    void anotherKernelFillsInToo(String kernel) {
        try (Scope scope = Scope.open();
                Experiment chained = experiment(SHORT);
                Experiment timed = experiment(TIMES)) {
            filled(chained, chains(chained, kernel));
            filled(timed, chains(timed, kernel));
        }
    }

    private static void filled(Experiment experiment, ConditionedChains chains) {
        int together = chains.chainsFor(2);
        long[] rows = new long[2 * together];
        Arrays.setAll(rows, i -> i / together);
        Tensor known = images(experiment, rows);
        Tensor drawn = chains.fill(Key.of(1), known, FREE).x();
        float[] before = known.toFloats();
        float[] after = drawn.toFloats();
        for (int i = 0; i < before.length; i++) {
            assertThat(after[i] == before[i]).as("number " + i).isEqualTo(!FREE[i % 64]);
        }
        assertThat(chains.fill(Key.of(1), known, FREE).x().toFloats()).containsExactly(after);
        assertThat(chains.fill(Key.of(2), known, FREE).x().toFloats()).isNotEqualTo(after);
        assertThat(Arrays.copyOf(after, 32)).isNotEqualTo(Arrays.copyOfRange(after, 64, 96)); // two of one image
    }

    @Test
    void theRecipesLimitsAreThoseOfTheFreePixels() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(BUFFER)) {
            Tensor known = images(experiment, 0, 1).plus(3); // outside the limits, and known
            float[] after =
                    chains(experiment, "").fill(Key.of(1), known, FREE).x().toFloats();
            for (int i = 0; i < after.length; i++) {
                if (FREE[i % 64]) {
                    assertThat(after[i]).isBetween(0f, 1f);
                } else {
                    assertThat(after[i]).isGreaterThanOrEqualTo(3);
                }
            }
        }
    }

    @Test
    void particlesAreInSetsOfOneImage() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(PARTICLES)) {
            ConditionedChains chains = chains(experiment, "");
            assertThat(chains.chainsFor(1)).isEqualTo(5);
            assertThat(chains.chainsFor(6)).isEqualTo(10);
            Tensor two = images(experiment, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1);
            Tensor other = images(experiment, 0, 0, 0, 0, 0, 7, 7, 7, 7, 7);
            float[] first = Arrays.copyOf(chains.fill(Key.of(1), two, FREE).x().toFloats(), 5 * 64);
            assertThat(Arrays.copyOf(chains.fill(Key.of(1), other, FREE).x().toFloats(), 5 * 64))
                    .containsExactly(first);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SHORT, BUFFER, CLASSES, TIMES, TIMES_OF_LANGEVIN, TIMES_BY_COSINE})
    void denoisesFromTheNoisyImage(String text) {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(text)) {
            Tensor noisy = images(experiment, 0, 0, 1, 1);
            ConditionedChains chains = chains(experiment, "");
            float[] wide = chains.denoise(Key.of(1), noisy, 0.3).x().toFloats();
            assertThat(chains.denoise(Key.of(1), noisy, 0.3).x().toFloats()).containsExactly(wide);
            assertThat(chains.denoise(Key.of(2), noisy, 0.3).x().toFloats()).isNotEqualTo(wide);
        }
    }

    /** f is learnt as exp(f/T): at a low temperature the noise must count as little beside f as T is small. */
    @Test
    void theNoiseIsWeighedAtTheTemperatureOfTheChains() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(SHORT)) {
            double temperature = 0.1 * 0.1 / 2;
            Product models = Product.of(experiment.model());
            assertThat(models.temperature(Optional.empty())).isCloseTo(temperature, within(1e-12));
            assertThat(models.temperature(Optional.of(Mala.of(0.1)))).isEqualTo(1);
            Tensor x = images(experiment, 0, 1);
            double[] own =
                    models.density(Optional.empty(), Optional.empty(), 2).at(x).toDoubles();
            double[] other = models.density(Optional.of(Mala.of(0.1)), Optional.empty(), 2)
                    .at(x)
                    .toDoubles();
            assertThat(other[0]).isCloseTo(own[0] / temperature, within(1e-4 * Math.abs(other[0])));
        }
    }

    @Test
    void chainsWithoutNoiseHaveNoPosterior() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(SHORT, "negatives.kernel.langevin.noise=0")) {
            Tensor x = images(experiment, 0);
            assertThatThrownBy(() -> chains(experiment, "").denoise(Key.of(1), x, 0.1))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no temperature T");
            assertThat(chains(experiment, "mala").denoise(Key.of(1), x, 0.1).x().allFinite())
                    .isTrue();
        }
    }

    /** f would count T times too little beside the noise. */
    @ParameterizedTest
    @ValueSource(strings = {"{gradient-descent: {stepSize: 0.1}}", "{psgld: {stepSize: 0.01, noise: 0.1}}"})
    void kernelsWithoutOneTemperatureHaveNoPosterior(String kernel) {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(SHORT)) {
            Tensor x = images(experiment, 0);
            assertThatThrownBy(() -> chains(experiment, kernel).denoise(Key.of(1), x, 0.1))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no one temperature T");
        }
    }

    /** At the last time h = .5/16, and a step above 2σ² = 5e-5 would throw chains ever further from the image. */
    @Test
    void annealedStepsDoNotOvershootTheNoise() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(
                        TIMES_OF_LANGEVIN, "negatives.kernel.langevin.stepSize=0.5", "time.annealing.steps=20")) {
            Tensor noisy = images(experiment, 0, 1);
            Tensor drawn =
                    chains(experiment, "").denoise(Key.of(1), noisy, 0.005).x();
            // within a few times σ; six are passed by one of 128 numbers with a probability of 3e-7
            assertThat(drawn.minus(noisy).abs().max().item()).isLessThan(20 * 0.005);
        }
    }

    /** A step that is far too long is refused each time, and tuned where it is left out. */
    @ParameterizedTest
    @ValueSource(strings = {SHORT, TIMES})
    void aGivenStepIsTaken(String text) {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(text)) {
            Tensor noisy = images(experiment, 0, 1);
            assertThat(chains(experiment, "{mala: {stepSize: 1e6}}")
                            .denoise(Key.of(1), noisy, 0.3)
                            .acceptance()
                            .orElseThrow())
                    .isZero();
            assertThat(chains(experiment, "mala")
                            .denoise(Key.of(1), noisy, 0.3)
                            .acceptance()
                            .orElseThrow())
                    .isPositive();
        }
    }

    // ---- products

    /** exp(Σ w f/T): each with its own temperature, and the first model's kernel at its T. */
    @Test
    void aProductAddsEachModelAtItsOwnTemperature() {
        try (Scope scope = Scope.open();
                Experiment first = experiment(SHORT);
                Experiment second = experiment(SHORT, "train.seed=7", "negatives.kernel.langevin.noise=0.2")) {
            Product both = new Product(first.model(), List.of(new Product.Factor("b", second.model(), 0.5)));
            Tensor x = images(first, 0, 1, 2);
            double[] sum =
                    both.density(Optional.empty(), Optional.empty(), 3).at(x).toDoubles();
            double[] one = first.model().logDensity().at(x).toDoubles();
            double[] other = second.model().logDensity().at(x).toDoubles();
            double cold = 0.005;
            double warm = 0.02;
            for (int i = 0; i < 3; i++) {
                double expected = cold * (one[i] / cold + 0.5 * other[i] / warm);
                assertThat(sum[i]).isCloseTo(expected, within(1e-6 * Math.abs(expected)));
            }
            Kernel<?> climbing = Recipes.kernel("--kernel", "{gradient-descent: {stepSize: 0.1}}")
                    .kernel();
            assertThat(both.density(Optional.of(climbing), Optional.empty(), 3)
                            .at(x)
                            .toDoubles())
                    .containsExactly(sum, within(1e-6 * Math.abs(sum[0])));
            ConditionedChains chains =
                    new ConditionedChains(both, Optional.empty(), Optional.empty(), false, Optional.empty());
            Tensor drawn = chains.draw(Key.of(3), 4).x();
            assertThat(drawn.size(0)).isEqualTo(4);
            assertThat(drawn.toFloats())
                    .isNotEqualTo(chains(first, "").draw(Key.of(3), 4).x().toFloats());
            assertThat(chains.fill(Key.of(4), x, FREE).x().allFinite()).isTrue();
            assertThat(chains.denoise(Key.of(4), x, 0.2).x().allFinite()).isTrue();
        }
    }

    @Test
    void timeJointModelsAreMultipliedTimeByTime() {
        try (Scope scope = Scope.open();
                Experiment first = experiment(TIMES);
                Experiment second = experiment(TIMES, "train.seed=7")) {
            Product both = new Product(first.model(), List.of(new Product.Factor("b", second.model(), 1)));
            Tensor x = images(first, 0, 1);
            LogDensity at = both.at(Optional.empty(), 2);
            double[] expected = first.model()
                    .joint()
                    .mixture(first.model().timeline().orElseThrow().at(2))
                    .at(x)
                    .plus(second.model()
                            .joint()
                            .mixture(second.model().timeline().orElseThrow().at(2))
                            .at(x))
                    .toDoubles();
            assertThat(at.at(x).toDoubles()).containsExactly(expected, within(1e-3));
            ConditionedChains chains =
                    new ConditionedChains(both, Optional.empty(), Optional.empty(), false, Optional.empty());
            assertThat(chains.draw(Key.of(3), 4).x().allFinite()).isTrue();
        }
    }

    @Test
    void ofAClassBothModelsAreAskedForIt() {
        try (Scope scope = Scope.open();
                Experiment first = experiment(CLASSES);
                Experiment second = experiment(CLASSES, "train.seed=7");
                Experiment plain = experiment(SHORT)) {
            Product all = new Product(
                    first.model(),
                    List.of(new Product.Factor("b", second.model(), 1), new Product.Factor("c", plain.model(), 1)));
            Tensor x = images(first, 0, 1);
            double t = plain.model().temperature();
            double[] found =
                    all.density(Optional.empty(), Optional.of("3"), 2).at(x).toDoubles();
            double[] expected = first.model()
                    .given(3, 3)
                    .at(x)
                    .plus(second.model().given(3, 3).at(x))
                    .plus(plain.model().logDensity().at(x).times(1 / t))
                    .toDoubles();
            assertThat(found).containsExactly(expected, within(1e-3 * Math.abs(expected[0])));
            Product plainFirst = new Product(plain.model(), List.of(new Product.Factor("b", first.model(), 1)));
            double[] asked = plainFirst
                    .density(Optional.empty(), Optional.of("3"), 2)
                    .at(x)
                    .toDoubles();
            double[] both = plain.model()
                    .logDensity()
                    .at(x)
                    .plus(first.model().given(3, 3).at(x).times(t))
                    .toDoubles();
            assertThat(asked).containsExactly(both, within(1e-3 * Math.abs(both[0])));
            assertThat(new ConditionedChains(plainFirst, Optional.of("3"), Optional.empty(), false, Optional.empty())
                            .draw(Key.of(1), 2)
                            .x()
                            .allFinite())
                    .isTrue();
            assertThatThrownBy(() -> new ConditionedChains(
                            plainFirst, Optional.of("33"), Optional.empty(), false, Optional.empty()))
                    .hasMessageContaining("there is no class '33'");
            assertThatThrownBy(() -> new ConditionedChains(
                            Product.of(plain.model()), Optional.of("3"), Optional.empty(), false, Optional.empty()))
                    .hasMessageContaining("knows no classes");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    data.images.low=0                  | black and white are 0 and 1 there, and -1 and 1
                    negatives.kernel.langevin.noise=0  | have no noise, so that its density exp(f/T) has no temperature
                    data={toy: moons}                  | its samples have the shape [2], those of the first model [1, 8, 8]
                    """)
    void modelsOfOtherDataAreRefused(String change, String why) {
        String[] changes = change.startsWith("data=")
                ? new String[] {change, "model={mlp: {hidden: [4]}}"}
                : new String[] {change};
        try (Experiment first = experiment(SHORT);
                Experiment other = experiment(SHORT, changes)) {
            assertThatThrownBy(
                            () -> new Product(first.model(), List.of(new Product.Factor("runs/b", other.model(), 1))))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageStartingWith("--with runs/b cannot be combined with the run: ")
                    .hasMessageContaining(why);
        }
    }

    @Test
    void timesMustBeTheSame() {
        try (Experiment first = experiment(TIMES);
                Experiment shorter = experiment(TIMES, "time.count=3");
                Experiment cosine = experiment(TIMES, "time.mixing=cosine");
                Experiment plain = experiment(SHORT, "data.images.low=-0.5", "data.images.high=0.5")) {
            assertThatThrownBy(() -> new Product(first.model(), List.of(new Product.Factor("b", shorter.model(), 1))))
                    .hasMessageContaining("its times, or the noise at the first of them, are others");
            assertThatThrownBy(() -> new Product(first.model(), List.of(new Product.Factor("b", cosine.model(), 1))))
                    .hasMessageContaining("its times, or the noise at the first of them, are others");
            assertThatThrownBy(() -> new Product(first.model(), List.of(new Product.Factor("b", plain.model(), 1))))
                    .hasMessageContaining("this one has none; name this one first");
            assertThat(new Product(plain.model(), List.of(new Product.Factor("b", first.model(), 1))).others())
                    .hasSize(1);
        }
    }

    // ---- what is told of restored images

    /** Each image's draws lie together, and a Gaussian's conditional mean is nearer than grey. */
    @Test
    void tellsHowFarRestoredImagesAre() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(SHORT)) {
            ImageDataset data = (ImageDataset) experiment.data();
            Tensor images = data.test().images(0, 1, 2);
            Mask mask = new Mask("half", FREE);
            Restoration restored = Restoration.fill(chains(experiment, ""), Key.of(1), images, mask, 4);
            assertThat(restored.draws().shape()).containsExactly(12, 1, 8, 8);
            assertThat(restored.means().shape()).containsExactly(3, 1, 8, 8);
            assertThat(restored.means().narrow(2, 4, 4).toDoubles())
                    .containsExactly(images.narrow(2, 4, 4).toDoubles(), within(1e-6));
            GaussianRestoration gaussian = GaussianRestoration.filling(data.train(), FREE);
            Map<String, Double> figures = restored.figures(Key.of(2), Optional.of(gaussian), Optional.empty());
            assertThat(figures).containsOnlyKeys("mse_mean", "mse_single", "mse_gaussian_mean", "mse_gaussian_single");
            double grey = images.narrow(2, 0, 4).minus(0.5).square().mean().item();
            assertThat(figures.getOrDefault("mse_gaussian_mean", Double.NaN)).isLessThan(grey / 2);
            assertThat(figures.getOrDefault("mse_mean", Double.NaN))
                    .isLessThan(figures.getOrDefault("mse_single", Double.NaN));
            assertThat(restored.picture().width()).isPositive();
        }
    }

    /** A picture's shades need not be among the set's, which are 17. */
    @Test
    void aPicturesKnownPixelsAreNotRounded(@TempDir Path folder) throws IOException {
        BufferedImage picture = new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_GRAY);
        float[] shades = new float[64];
        for (int i = 0; i < 64; i++) {
            picture.getRaster().setSample(i % 8, i / 8, 0, 3 * i);
            shades[i] = 3 * i / 255f;
        }
        Path file = folder.resolve("one.png");
        ImageIO.write(picture, "png", file.toFile());
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(BUFFER);
                Rows rows = experiment
                        .model()
                        .unit(
                                "it",
                                ImageFiles.rows(file, ImageFiles.Options.usual().inGrey()))) {
            Tensor images = rows.next(1).orElseThrow();
            assertThat(images.toFloats()).containsExactly(shades, within(1e-6f));
            Restoration restored =
                    Restoration.fill(chains(experiment, ""), Key.of(1), images, new Mask("half", FREE), 2);
            assertThat(restored.means().narrow(2, 4, 4).toFloats())
                    .containsExactly(Arrays.copyOfRange(shades, 32, 64), within(1e-6f));
        }
    }

    /** Noise is added in shades, whatever black and white are to the model, and where its images are dequantised. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noiseIsOfTheWayFromBlackToWhite(boolean dequantise) {
        try (Scope scope = Scope.open();
                Experiment experiment =
                        experiment(SHORT, "negatives.steps=0", "data.images.dequantise=" + dequantise)) {
            ImageDataset data = (ImageDataset) experiment.data();
            long[] rows = new long[100];
            Arrays.setAll(rows, i -> i);
            Tensor images = data.test().images(rows);
            Restoration restored = Restoration.denoise(
                    new ConditionedChains(
                            Product.of(experiment.model()), Optional.empty(), Optional.empty(), false, Optional.of(0)),
                    Key.of(1),
                    images,
                    0.2,
                    true,
                    1);
            double noise =
                    Math.sqrt(restored.damaged().minus(images).square().mean().item());
            assertThat(noise).isCloseTo(0.2, within(0.006)); // 6400 numbers: standard error .2/√12800 = .0018
            assertThat(restored.draws()
                            .minus(data.learnt(restored.damaged()))
                            .abs()
                            .max()
                            .item())
                    .isLessThan(1e-5); // no step was taken
            GaussianRestoration gaussian = GaussianRestoration.denoising(data.train(), 0.2);
            Map<String, Double> figures = restored.figures(Key.of(2), Optional.of(gaussian), Optional.empty());
            assertThat(figures.getOrDefault("mse_gaussian_mean", Double.NaN)).isLessThan(0.5 * 0.04);
            // 6400 numbers: relative standard error of the mean square √(2/6400) = .018; with σ off by 16/17 it is off
            // by .12
            assertThat(figures.getOrDefault("mse_noisy", Double.NaN)).isCloseTo(0.04, within(0.003));
        }
    }
}

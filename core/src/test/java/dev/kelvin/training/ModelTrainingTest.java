package dev.kelvin.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.metric.OodScore;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.optim.Adam;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.loop.DivergedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelTrainingTest {
    private static final double[][] POINTS = {{0, 1}, {0.5, 0.25}, {2, 2}};

    @TempDir
    Path folder;

    private static ModelTraining moons() {
        return ModelTraining.of(ToyData.named("moons")).withIterations(20).withBatch(32);
    }

    @Test
    void aSeedGivesOneModelSavedOrNot() throws IOException {
        Path run = folder.resolve("run");
        try (Model first = moons().run(1);
                Model saved = moons().in(run).run(1);
                Model again = moons().in(run).run(1); // is there already
                Model loaded = Model.load(run);
                Model other = moons().run(2)) {
            double[] f = first.score(POINTS);
            assertThat(saved.score(POINTS)).isEqualTo(f);
            assertThat(again.score(POINTS)).isEqualTo(f);
            assertThat(loaded.score(POINTS)).isEqualTo(f);
            assertThat(other.score(POINTS)).isNotEqualTo(f);
            assertThat(loaded.sample(3, 10)).isDeepEqualTo(first.sample(3, 10));
            assertThat(first.sample(4, 10)[0]).isNotEqualTo(first.sample(3, 10)[0]);
            assertThat(first.sample(3, 0)).isEmpty();
            assertThat(loaded.step()).isEqualTo(first.step()).isBetween(1L, 20L); // the best
            assertThat(loaded.shape()).containsExactly(2L);
            assertThat(loaded.range()).isEmpty();
            assertThat(loaded.quantile(POINTS)).isEqualTo(first.quantile(POINTS));
            assertThat(loaded.isNormalised()).isTrue(); // it was judged
            assertThat(loaded.logNormaliser()).isEqualTo(first.logNormaliser());
            assertThat(loaded.logLikelihood(POINTS)).isEqualTo(first.logLikelihood(POINTS));
        }
    }

    @Test
    void aRunOfAnotherSeedIsNotGoneOnWith() throws IOException {
        moons().in(folder).run(1).close();
        assertThatThrownBy(() -> moons().in(folder).run(2).close()).hasMessageContaining("seed 1, here it is 2");
    }

    /** It does not begin again over them, and whoever loads it is told what is wrong. */
    @Test
    void aRunWhoseCheckpointsAreDamagedIsKept() throws IOException {
        moons().in(folder).run(1).close();
        Path checkpoints = folder.resolve("checkpoints");
        List<Path> headers;
        try (Stream<Path> files = Files.list(checkpoints)) {
            headers = files.filter(file -> file.toString().endsWith(".json")).toList();
        }
        for (Path header : headers) {
            Files.writeString(header, "{}");
        }
        assertThatThrownBy(() -> moons().in(folder).run(1).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(checkpoints + ": no checkpoint is whole: ");
        assertThatThrownBy(() -> Model.load(folder).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(checkpoints + ": no checkpoint is whole: ");
        assertThat(headers).allSatisfy(header -> assertThat(header).hasContent("{}"));
    }

    @Test
    void aRunThatIsRemovedWhileItTrainsDoesNotComeBack() {
        Path run = folder.resolve("run");
        TrainListener removing = new TrainListener() {
            @Override
            public void stepped(long step, StepReport report) throws IOException {
                if (step == 5) {
                    Files.move(run, folder.resolve("moved"));
                }
            }
        };
        assertThatThrownBy(() -> moons().in(run).withListener(removing).run(1).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no folder " + run);
        assertThat(run).doesNotExist();
    }

    private static double[][] rows(double mean) {
        RandomGenerator random = Key.of(5).stream();
        return Stream.generate(() -> new double[] {mean + 300 * random.nextGaussian(), random.nextGaussian()})
                .limit(100)
                .toArray(double[][]::new);
    }

    private static ModelTraining small(double[][] rows) {
        return ModelTraining.of(rows).withIterations(4).withBatch(16);
    }

    @Test
    void aRunOfOtherDataOrSettingsIsRefused() throws IOException {
        Path run = folder.resolve("run");
        small(rows(5000)).in(run).run(0).close();
        byte[] units = Files.readAllBytes(run.resolve(ModelCard.FILE));
        double[][] one = rows(5000);
        one[99][1] += 1e-3;
        for (double[][] other : new double[][][] {rows(4000), one}) {
            assertThatThrownBy(() -> small(other).in(run).run(0).close())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(run + " holds a run of other data, whose hash is ")
                    .hasMessageContaining("train into another folder");
        }
        ModelTraining same = small(rows(5000)).in(run);
        assertThatThrownBy(() -> same.withBatch(17).run(0).close())
                .hasMessageContaining("holds a run of another batch: 16, here it is 17");
        assertThatThrownBy(() -> same.withNetwork(new Mlp(2, List.of(3), 1, Activation.SILU, 0))
                        .run(0)
                        .close())
                .hasMessageContaining("holds a run of another network");
        assertThatThrownBy(() -> same.withKernel(Mala.of(0.1), 3).run(0).close())
                .hasMessageContaining("holds a run of another chains");
        assertThatThrownBy(() -> same.withOptimiser(Adam.of(1e-3)).run(0).close())
                .hasMessageContaining("holds a run of another optimiser");
        assertThatThrownBy(() -> same.withIterations(3).run(0).close())
                .hasMessageContaining("holds a run of 4 iterations, here they are 3");
        assertThat(Files.readAllBytes(run.resolve(ModelCard.FILE))).isEqualTo(units);
        try (Model longer = same.withIterations(6).run(0)) {
            assertThat(longer.step()).isEqualTo(6);
        }
    }

    @Test
    void aFolderOfOtherFilesIsRefused() throws IOException {
        Files.writeString(folder.resolve("thesis.tex"), "");
        assertThatThrownBy(() -> small(rows(0)).in(folder).run(0).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(folder + " holds no run of Kelvin's, but thesis.tex; train into another folder, or into one"
                        + " of its own in it");
        assertThat(folder.toFile().list()).containsExactly("thesis.tex");
    }

    @Test
    void rowsAndTensorsHaveOneScore() throws IOException {
        double[][] rows = {{5000, 0}, {4700, 1}, {5300, -2}};
        try (Scope scope = Scope.open();
                Model model = small(rows(5000)).run(0)) {
            Tensor x = Tensors.of(
                    Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray(), 3, 2);
            for (OodScore by : new OodScore[] {OodScore.F, OodScore.GRADIENT}) {
                assertThat(model.scores(x, by).f()).isEqualTo(model.score(rows));
                assertThat(model.scores(x, by).score())
                        .isEqualTo(model.scores(rows, by).score());
            }
            assertThat(model.scores(x.narrow(0, 0, 0), OodScore.F).f()).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // callers have no checker of nulls
    void numbersThatOverflowAndNullsAreRefused() throws IOException {
        try (Model model = small(rows(5000)).run(0)) {
            assertThatThrownBy(() -> model.score(new double[][] {{5000, 0}, {5000, 1e300}}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("row 1 has numbers too large for this model, such as 1.0E300; expected 1.0E18 at most,"
                            + " in deviations from the mean: leave the row out");
            assertThat(model.score(new double[][] {{5000, 1e17}})[0]).isNotNaN();
            assertThatThrownBy(() -> model.score((double[][]) null)).hasMessageStartingWith("the rows are null");
            assertThatThrownBy(() -> model.score(new double[][] {{1, 2}, null}))
                    .hasMessageStartingWith("row 1 is null");
            assertThatThrownBy(() -> model.score(new double[][] {{}})).hasMessageStartingWith("row 0 has no values");
        }
        assertThatThrownBy(() -> ModelTraining.of((double[][]) null)).hasMessageStartingWith("the rows are null");
        assertThatThrownBy(() -> ModelTraining.of(new double[][] {{1}, null})).hasMessageStartingWith("row 1 is null");
        assertThatThrownBy(() -> ModelTraining.of(new double[][] {{1}, {1e300}}))
                .hasMessageContaining("column 0 has 1.0E300; expected numbers whose squares do not overflow");
    }

    /** Rows far from 0 with columns of very different widths: what goes in and comes out is in their own units. */
    @Test
    void rowsAreInTheirOwnUnits() throws IOException {
        RandomGenerator random = Key.of(5).stream();
        double[][] rows = Stream.generate(
                        () -> new double[] {5000 + 300 * random.nextGaussian(), random.nextGaussian()})
                .limit(1000)
                .toArray(double[][]::new);
        try (Model model =
                ModelTraining.of(rows).withIterations(100).withBatch(32).run(0)) {
            assertThat(model.columns()).containsExactly("x1", "x2");
            double[] f = model.score(new double[][] {{5000, 0}, {8000, 0}, {5000, 10}});
            assertThat(f[0]).isGreaterThan(f[1]).isGreaterThan(f[2]);
            double[][] samples = model.sample(1, 400);
            double mean =
                    Arrays.stream(samples).mapToDouble(row -> row[0]).average().orElseThrow();
            assertThat(mean).isCloseTo(5000, within(4 * 300 / Math.sqrt(400) * 2)); // twice: the model is rough yet
        }
    }

    @Test
    void rowsAreChecked() {
        assertThatThrownBy(() -> ModelTraining.of(new double[][] {{1, 2}, {3}}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("row 1 has 1");
        assertThatThrownBy(() -> ModelTraining.of(new double[][] {{1, 2}, {3, Double.NaN}}))
                .hasMessageContaining("row 1 has NaN as its value 1");
        assertThatThrownBy(() -> ModelTraining.of(new double[][] {{1, 2}, {3, 2}}))
                .hasMessageContaining("column 1 has 2.0 alone");
        assertThatThrownBy(() -> ModelTraining.of(new double[0][])).hasMessageContaining("two rows or more");
    }

    @Test
    void imagesComeStoredOrAsRows() throws IOException {
        try (ImageSet digits = Digits.load();
                ImageSet few = digits.subset(LongStream.range(0, 20).toArray());
                Model model = ModelTraining.of(few)
                        .withNetwork(new ShortRun(1, 4, 4, 1, Activation.LEAKY_RELU, 0.2))
                        .withKernel(Langevin.of(1).withNoise(0.01), 2)
                        .withIterations(2)
                        .withBatch(8)
                        .in(folder)
                        .run(0)) {
            assertThat(model.shape()).containsExactly(1L, 8L, 8L);
            assertThat(model.range()).contains(new PixelRange(-1, 1));
            assertThat(model.temperature()).isEqualTo(5e-5);
            double[][] rows = new double[20][];
            for (int i = 0; i < 20; i++) {
                try (Tensor image = few.images(i)) {
                    rows[i] =
                            Arrays.stream(image.toDoubles()).map(x -> 2 * x - 1).toArray();
                }
            }
            double[] f = model.score(few);
            assertThat(model.score(rows)).containsExactly(f, within(1e-5)); // 2x − 1 in double and in float
            assertThat(model.sample(1, 3)).hasDimensions(3, 64);
            assertThatThrownBy(() -> model.score(new double[][] {new double[63]}))
                    .hasMessage("row 0 has 63 values; expected 64, an image of 1x8x8");
            rows[2][5] = 255;
            assertThatThrownBy(() -> model.score(rows))
                    .hasMessage("row 2 has a pixel of 255.0; this model's lie between -1.0, black, and 1.0, white");
            assertThatThrownBy(() -> model.classify(few)).hasMessageContaining("has no classes");
        }
    }

    /** |x|, for want of a better network; nobody registers it. */
    private record Unregistered(int size) implements Network {
        @Override
        public Layout layout() {
            return new Layout.Builder()
                    .add("scale", Initialisation.zeros(), 1L, (long) size)
                    .build();
        }

        @Override
        public Tensor apply(Parameters parameters, Tensor x) {
            return x.square().matmul(parameters.get("scale").transpose());
        }
    }

    @Test
    void aNetworkThatIsNotRegisteredIsTrainedInMemoryAlone() throws IOException {
        try (Model model = moons().withNetwork(new Unregistered(2)).run(0)) {
            assertThat(model.score(POINTS)).hasSize(3);
        }
        assertThatThrownBy(() -> moons().withNetwork(new Unregistered(2))
                        .in(folder.resolve("run"))
                        .run(0)
                        .close())
                .hasMessageContaining("is not registered")
                .hasMessageContaining("PartProvider");
        assertThat(Files.exists(folder.resolve("run"))).isFalse();
    }

    @Test
    void whatDoesNotGoTogetherIsRefusedAtOnce() {
        assertThatThrownBy(() -> moons().withObjective(new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1))))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("cross-entropy of classes");
        assertThatThrownBy(() -> moons().withNetwork(new ShortRun(1, 8, 4, 1, Activation.RELU, 0)))
                .hasMessageContaining("takes images, and the data are points");
        assertThatThrownBy(() -> moons().withKernel(Langevin.of(0.1).withNoise(0.01), 5))
                .hasMessageContaining("must sample at temperature 1 on points");
        assertThatThrownBy(() -> moons().withObjective(new Contrastive(0.1, 0))).hasMessageContaining("L2 penalty");
        assertThatThrownBy(() -> moons().withBatch(2000)).hasMessageContaining("must be at least 2000");
        assertThatThrownBy(() -> moons().withIterations(0)).hasMessageContaining("iterations");
    }

    @Test
    void aLossThatBreaksGoesBackInMemoryToo() {
        int[] back = {0};
        TrainListener listener = new TrainListener() {
            @Override
            public void wentBack(long brokenStep, long toStep, String why, int attempt, int attempts) {
                back[0] = attempt;
            }
        };
        assertThatThrownBy(() -> moons().withListener(listener)
                        .withObjective((up, down) ->
                                new Loss(Double.NaN, new double[up.length], new double[down.length], Map.of()))
                        .run(0)
                        .close())
                .isInstanceOf(DivergedException.class)
                .hasMessageContaining("loss is NaN, after going back 3 times");
        assertThat(back[0]).isEqualTo(3);
    }
}

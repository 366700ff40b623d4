package dev.kelvin.train;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.model.AnnealingSettings;
import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.Precision;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.negative.Start;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.Decay;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.KernelCases;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Svgd;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Loaded models of every kind of run with everything that they are asked for: each pair works, or is refused with its reason. */
class ModelPairsTest {
    private static final double[][] ROWS = {{0, 1}, {-2, 0.5}, {3, -3}};
    private static final Start NOISE = new Start.GaussianStart(Optional.empty(), 1);

    @TempDir
    Path folder;

    /** Five steps of a run, with what its folder says of it. */
    private void train(TinyRun.Kind kind, ChainSettings chains, ComponentKind components) throws IOException {
        try (Learner learner = TinyRun.learner(kind, Key.of(1), 5)) {
            new Trainer(
                            TinyRun.settings(5, 5),
                            TinyRun.positives(learner.model()),
                            learner,
                            new Checkpoints(folder.resolve("checkpoints")),
                            Optional.empty(),
                            new Recorder(),
                            System::nanoTime)
                    .run(() -> false);
        }
        card(chains, components).write(folder);
    }

    private static ModelCard card(ChainSettings chains, ComponentKind components) {
        return new ModelCard(
                ModelCard.FORMAT,
                "tiny",
                1,
                SampleKind.Points.of(2),
                components,
                Optional.of(chains),
                1,
                Precision.FLOAT,
                false,
                Optional.empty());
    }

    private static ModelCard card(ChainSettings chains) {
        return card(chains, new ComponentKind.None());
    }

    private static ChainSettings chains(Start start, Kernel<?> kernel, int buffer, boolean byComponent) {
        return new ChainSettings(
                start, kernel, 2, OptionalInt.empty(), buffer, Optional.empty(), byComponent, TinyRun.BATCH, 1);
    }

    /** As {@link TinyRun} makes its negatives. */
    private static ChainSettings chains(TinyRun.Kind kind) {
        return switch (kind) {
            case FRESH -> chains(NOISE, Langevin.of(0.01), 0, false);
            case PERSISTENT, JOINT -> chains(NOISE, Langevin.of(0.01), 50, false);
            case CLASSES -> chains(NOISE, Langevin.of(0.01), 50, true);
            case ROBUST -> chains(NOISE, Mala.of(0.1), 50, false);
            case TIME ->
                ChainSettings.fresh(new Start.BatchStart(0), Mala.of(0.1), 4).withAdapt(0.6);
        };
    }

    @ParameterizedTest
    @EnumSource(TinyRun.Kind.class)
    void everyKindScoresAndSamplesOrSaysWhyNot(TinyRun.Kind kind) throws IOException {
        boolean classes = kind == TinyRun.Kind.CLASSES || kind == TinyRun.Kind.JOINT;
        ComponentKind components = classes
                ? new ComponentKind.Classes(List.of("left", "right"))
                : kind == TinyRun.Kind.TIME
                        ? new ComponentKind.Times(new AnnealingSettings(AnnealingSettings.Schedule.SOFT, 2, 100))
                        : new ComponentKind.None();
        train(kind, chains(kind), components);
        try (Model model = Model.load(folder)) {
            assertThat(model.score(ROWS)).hasSize(3).doesNotContain(Double.NaN);
            assertThat(model.score(new double[0][])).isEmpty();
            assertThat(model.isNormalised()).isFalse();
            if (classes) {
                assertThat(model.classes()).containsExactly("left", "right");
                Scores scores = model.scores(ROWS, OodScore.MAX_P);
                assertThat(scores.p()).hasDimensions(3, 2);
                assertThat(model.classify(ROWS))
                        .containsExactly(scores.predicted(0), scores.predicted(1), scores.predicted(2));
                assertThat(model.classify(new double[0][])).isEmpty();
            } else {
                assertThat(model.classes()).isEmpty();
                assertThatThrownBy(() -> model.classify(ROWS)).hasMessageContaining("has no classes");
                assertThatThrownBy(() -> model.scores(ROWS, OodScore.MAX_P)).hasMessageContaining("has no classes");
            }
            assertThat(model.scores(ROWS, OodScore.GRADIENT).score()).hasSize(3).doesNotContain(Double.NaN);
            assertThat(model.sample(0, 4)).hasDimensions(4, 2).isDeepEqualTo(model.sample(0, 4));
            if (classes) {
                assertThat(model.sample(0, 4, "RIGHT"))
                        .hasDimensions(4, 2)
                        .isDeepEqualTo(model.sample(0, 4, "1"))
                        .isNotEqualTo(model.sample(0, 4, "left"));
                assertThatThrownBy(() -> model.sample(0, 4, "middle"))
                        .hasMessage("there is no class 'middle'; there are left, right, numbered from 0 to 1");
            } else {
                assertThatThrownBy(() -> model.sample(0, 4, "left")).hasMessageContaining("knows no classes");
            }
            assertThatThrownBy(() -> model.impute(0, ROWS)).hasMessageContaining("was trained on points");
            assertThatThrownBy(() -> model.sampleGiven(0, 2, "a=1")).hasMessageContaining("was trained on points");
            assertThatThrownBy(() -> model.oddColumns(ROWS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("none of a table");
        }
    }

    @Test
    void mistakesAreNamedInOurWords() throws IOException {
        train(TinyRun.Kind.FRESH, chains(TinyRun.Kind.FRESH), new ComponentKind.None());
        try (Scope scope = Scope.open();
                Model model = Model.load(folder);
                ImageSet digits = Digits.load()) {
            assertThatThrownBy(() -> model.score(new double[][] {{1, 2, 3}}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("row 0 has 3 values; expected 2, a point of 2 values");
            assertThatThrownBy(() -> model.score(new double[][] {{1, 2}, {Double.NaN, 2}}))
                    .hasMessage("row 1 has NaN as its value 0; a model takes finite numbers: leave the row out");
            assertThatThrownBy(() -> model.score(digits))
                    .hasMessageContaining("this model takes a point of 2 values each");
            assertThatThrownBy(() -> model.scores(Tensors.of(new double[6], 2, 3), OodScore.F))
                    .hasMessageContaining("expected a point of 2 values each, [n, 2]");
            assertThatThrownBy(() -> model.scores(Tensors.of(new double[] {1, Double.NaN}, 1, 2), OodScore.F))
                    .hasMessageContaining("NaN or infinity");
        }
    }

    @Test
    void samplesThatNeedMoreThanTheRunAreRefused() throws IOException {
        train(TinyRun.Kind.PERSISTENT, chains(TinyRun.Kind.PERSISTENT), new ComponentKind.None());
        try (Model model = Model.load(folder)) {
            assertThat(model.sample(0, 51)).hasDimensions(51, 2); // from fresh starts: the buffer has 50
        }
        ChainSettings atData = chains(new Start.DataStart(0), Langevin.of(0.01), 50, false);
        card(atData).write(folder);
        try (Model model = Model.load(folder)) {
            assertThatThrownBy(() -> model.sample(0, 4))
                    .hasMessageContaining("chains of tiny start at samples of the data")
                    .hasMessageContaining("kelvin sample");
            try (Scope scope = Scope.open()) { // from the buffer, so without the data
                assertThat(model.sampler()
                                .draw(SampleRequest.negatives(Key.of(0), 50))
                                .x()
                                .shape())
                        .containsExactly(50, 2);
            }
        }
        try (Model model = Model.load(
                folder,
                CheckpointChoice.NEWEST,
                Device.CPU,
                start -> start.draws(List.of(2L), TinyRun.DATA, Device.CPU))) {
            assertThat(model.sample(0, 4)).hasDimensions(4, 2);
        }
        Svgd pushing = new Svgd(0.1, Svgd.Update.ADAGRAD, 1, OptionalDouble.empty(), Optional.empty());
        card(chains(NOISE, pushing, 0, false)).write(folder);
        try (Model model = Model.load(folder)) {
            assertThat(model.sample(0, 4)).hasDimensions(4, 2); // the first of a whole set
        }
        Path file = folder.resolve(ModelCard.FILE);
        String card = Files.readString(file);
        Files.writeString(file, card.replace("svgd", "of-mine"));
        assertThatThrownBy(() -> Model.load(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("of-mine")
                .hasMessageContaining("class path");
        Files.writeString(
                file, card.replaceFirst("\"chains\":\\{.*?\\},\"temperature\"", "\"chains\":null,\"temperature\""));
        try (Model model = Model.load(folder)) {
            assertThatThrownBy(() -> model.sample(0, 4))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("the chains of tiny were not saved with it");
            assertThat(model.score(ROWS)).hasSize(3);
        }
    }

    /** A buffer may have some gigabytes: only who draws from it reads it. */
    @Test
    void scoresAndFreshSamplesReadNoReplayBuffer() throws IOException {
        ChainSettings chains = chains(TinyRun.Kind.PERSISTENT);
        double[] f;
        double[][] samples;
        Checkpoints checkpoints = new Checkpoints(folder.resolve("checkpoints"));
        try (Learner learner = TinyRun.learner(TinyRun.Kind.PERSISTENT, Key.of(1), 5)) {
            card(chains).write(folder);
            checkpoints.save(new Checkpoints.Position(5, 0, 3), learner, OptionalDouble.empty(), true);
            try (Model model = Model.load(folder)) {
                f = model.score(ROWS);
                samples = model.sample(0, 4);
            }
            checkpoints.save(new Checkpoints.Position(6, 0, 3), withoutChains(learner), OptionalDouble.empty(), true);
        }
        try (Model model = Model.load(folder)) {
            assertThat(model.step()).isEqualTo(6);
            assertThat(model.score(ROWS)).isEqualTo(f);
            assertThat(model.sample(0, 4)).isDeepEqualTo(samples);
            assertThat(model.buffer()).isEmpty();
        }
        try (Model model = Model.load(folder, CheckpointChoice.at(5), Device.CPU)) {
            try (Stream<Path> files = Files.list(folder.resolve("checkpoints"))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            assertThat(model.score(ROWS)).isEqualTo(f);
            assertThat(model.sample(0, 4)).isDeepEqualTo(samples);
            assertThatThrownBy(model::buffer).hasMessageContaining("keeps the checkpoint of step 5 no more");
        }
    }

    private static Learner withoutChains(Learner whole) {
        return (Learner) Proxy.newProxyInstance(
                Learner.class.getClassLoader(), new Class<?>[] {Learner.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(whole, arguments);
                    if (method.getName().equals("save")) {
                        State state = (State) arguments[0];
                        assertThat(state.tensors().keySet()).contains("negatives.slots");
                        state.tensors().keySet().removeIf(name -> name.startsWith("negatives."));
                        state.numbers().keySet().removeIf(name -> name.startsWith("negatives."));
                    }
                    return result;
                });
    }

    @Test
    void threadsShareAModel() throws IOException {
        train(TinyRun.Kind.FRESH, chains(TinyRun.Kind.FRESH), new ComponentKind.None());
        try (Model model = Model.load(folder)) {
            double[] expected = model.score(ROWS);
            List<CompletableFuture<double[]>> asked = Stream.generate(
                            () -> CompletableFuture.supplyAsync(() -> model.score(ROWS)))
                    .limit(20)
                    .toList();
            assertThat(asked.stream().map(CompletableFuture::join))
                    .allSatisfy(f -> assertThat(f).isEqualTo(expected));
        }
    }

    private static Stream<ChainSettings> everyForm() {
        Stream<Kernel<?>> kernels = Stream.concat(
                KernelCases.KERNELS.stream().map(KernelCases.Named::kernel),
                Stream.of(
                        new Hmc(0.1, 3, 0.1, List.of(1.0, 2.0), 1),
                        with(Langevin.of(0.1), "anneal", new Decay.Polynomial(10, 0.55))));
        return Stream.concat(
                kernels.map(kernel -> chains(NOISE, kernel, 10, false)),
                Stream.of(
                                new Start.UniformStart(-2, 2),
                                new Start.DataStart(0.1),
                                new Start.BatchStart(0),
                                new Start.ClassGaussianStart())
                        .map(start -> chains(start, Mala.of(0.1), 0, true)));
    }

    /** A kernel that is not registered leaves a card without chains. */
    @ParameterizedTest
    @MethodSource("everyForm")
    void chainsAreReadAsTheyWereWritten(ChainSettings chains) throws IOException {
        boolean registered =
                Catalogue.of(Kernel.class).containsValue(chains.kernel().getClass());
        card(chains).write(folder);
        assertThat(ModelCard.read(folder).chains()).isEqualTo(registered ? Optional.of(chains) : Optional.empty());
    }
}

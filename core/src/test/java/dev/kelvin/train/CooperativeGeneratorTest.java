package dev.kelvin.train;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.figure.TrainingFigures;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.GeneratorStart;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.PlainChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.ResidualGenerator;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Sam;
import dev.kelvin.optim.Sgd;
import dev.kelvin.sample.Langevin;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A generator of where chains start: what it learns, what slots keep of it, and what is saved. */
class CooperativeGeneratorTest {
    private static final int LATENT = 3;
    private static final int SIDE = 4;
    private static final int BATCH = 5;
    private static final String ERROR = TrainingFigures.GENERATOR_ERROR.name();
    private static final LogDensity TARGET = new Centred();

    /** Shrinks a chain by 0.9 a step. */
    private static final Langevin SHRINKS = with(Langevin.of(0.1), "noise", 0);

    /** f(x) = −½‖x‖² of images. */
    private record Centred() implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            return x.square().sumPerSample().times(-0.5);
        }
    }

    private static ResidualGenerator network(Norm norm) {
        return new ResidualGenerator(LATENT, List.of(3, 2), 1, SIDE, norm, Activation.SILU, 0.2);
    }

    private static CooperativeGenerator generator(Norm norm, DType type, Optimiser by, double ema) {
        ResidualGenerator network = network(norm);
        Parameters parameters = network.layout().init(Key.of(1), type);
        return new CooperativeGenerator(network, LATENT, new Descent(parameters, by, 10, ema));
    }

    private static Tensor normal(int key, long... shape) {
        return Tensors.normal(Key.of(key), DType.DOUBLE, Device.CPU, shape);
    }

    private static Batch positives() {
        return Batch.of(normal(9, BATCH, 1, SIDE, SIDE).to(DType.FLOAT));
    }

    private static DrawnNegatives draw(ModelChains chains, int step) {
        return chains.draw(Key.of(100 + step), step, k -> TARGET, positives(), BATCH);
    }

    /** mean over samples of the squared distance, of images in training. */
    private static double loss(ResidualGenerator network, Parameters parameters, Tensor z, Tensor ends) {
        try (Scope scope = Scope.open()) {
            double[] made = network.inTraining(parameters, z).toDoubles();
            double[] wanted = ends.toDoubles();
            double sum = 0;
            for (int i = 0; i < made.length; i++) {
                sum += (made[i] - wanted[i]) * (made[i] - wanted[i]);
            }
            return sum / ends.size(0);
        }
    }

    /** A step of SGD is the central differences of the mean of ‖G(z) − x‖², for every parameter that is trained. */
    @ParameterizedTest
    @EnumSource(value = Norm.class, names = "GROUP", mode = EnumSource.Mode.EXCLUDE)
    void oneStepIsThatOfTheSquaredDistance(Norm norm) {
        double rate = 0.01;
        double apart = 1e-6;
        ResidualGenerator network = network(norm);
        try (Scope scope = Scope.open();
                CooperativeGenerator learns = generator(norm, DType.DOUBLE, Sgd.of(rate), 0.5);
                Parameters before = learns.descent().parameters().copy()) {
            Tensor z = normal(2, BATCH, LATENT);
            Tensor ends = normal(3, BATCH, 1, SIDE, SIDE);
            Map<String, Double> report = learns.learn(0, z, ends);
            assertThat(report.get(ERROR)).isCloseTo(loss(network, before, z, ends) / (SIDE * SIDE), within(1e-12));
            double[] old = before.flat().toDoubles();
            double[] moved = learns.descent().parameters().flat().toDoubles();
            double[] averaged = learns.descent().averaged().flat().toDoubles();
            boolean[] trained = new boolean[old.length];
            int at = 0;
            for (var entry : network.layout().entries()) {
                for (long i = 0; i < entry.count(); i++) {
                    trained[at++] = entry.trained();
                }
            }
            for (int i = 0; i < old.length; i++) {
                if (trained[i]) {
                    Tensor number = before.flat().narrow(0, i, 1);
                    number.addNumberInPlace(apart);
                    double above = loss(network, before, z, ends);
                    number.addNumberInPlace(-2 * apart);
                    double below = loss(network, before, z, ends);
                    number.addNumberInPlace(apart);
                    double slope = (above - below) / (2 * apart);
                    assertThat(moved[i] - old[i]).isCloseTo(-rate * slope, within(1e-8));
                    assertThat(averaged[i]).isCloseTo(0.1 * old[i] + 0.9 * moved[i], within(1e-12)); // d = 1/10
                }
            }
            double[] running = network.layout().entries().stream()
                    .filter(entry -> !entry.trained())
                    .flatMapToDouble(entry -> Arrays.stream(
                            learns.descent().parameters().get(entry.name()).toDoubles()))
                    .toArray();
            assertThat(running.length > 0).isEqualTo(norm == Norm.BATCH);
            assertThat(running).doesNotContain(0, 1); // all have moved
        }
    }

    /** The gradient of SAM is taken after its climb: another step than without. */
    @Test
    void anOptimiserThatClimbsDoesSo() {
        Sgd plain = Sgd.of(0.01);
        try (Scope scope = Scope.open();
                CooperativeGenerator flat = generator(Norm.NONE, DType.DOUBLE, plain, 0);
                CooperativeGenerator climbs = generator(Norm.NONE, DType.DOUBLE, new Sam(plain, 0.5, false), 0)) {
            Tensor z = normal(2, BATCH, LATENT);
            Tensor ends = normal(3, BATCH, 1, SIDE, SIDE);
            Tensor before = flat.descent().parameters().flat().copy();
            flat.learn(0, z, ends);
            climbs.learn(0, z, ends);
            Tensor up = before.minus(flat.descent().parameters().flat());
            before.addInPlace(up, 0.5 / up.norm().item()); // where the climb ends
            try (Parameters top = new Parameters(network(Norm.NONE).layout(), before.copy());
                    CooperativeGenerator there = new CooperativeGenerator(
                            network(Norm.NONE), LATENT, new Descent(top.copy(), plain, 10, 0))) {
                there.learn(0, z, ends);
                Tensor step = top.flat().minus(there.descent().parameters().flat());
                Tensor found = climbs.descent().parameters().flat();
                Tensor start = before.minus(up.times(0.5 / up.norm().item()));
                assertThat(found.minus(start.minus(step)).norm().item()).isLessThan(1e-12);
            }
        }
    }

    /** Fresh chains begin at G(z), whatever the positives are, and G takes its step from where they end. */
    @Test
    void freshChainsBeginAtItsImages() {
        CooperativeGenerator learns = generator(Norm.NONE, DType.FLOAT, Sgd.of(1e-30), 0);
        try (Scope scope = Scope.open();
                ModelChains still = PlainChains.fresh(learns, SHRINKS, 0);
                ModelChains two = PlainChains.fresh(learns, SHRINKS, 2)) {
            Tensor begun = draw(still, 0).x();
            DrawnNegatives ended = draw(two, 0);
            assertThat(begun.toDoubles()).isNotEqualTo(draw(still, 1).x().toDoubles());
            double squares = begun.square().mean().item();
            assertThat(draw(still, 0).figures().get(ERROR)).isZero();
            assertThat(ended.figures().get(ERROR)).isCloseTo(0.19 * 0.19 * squares, within(1e-6));
            assertThat(ended.x().minus(begun.times(0.81)).abs().max().item()).isLessThan(1e-6);
        }
    }

    /** It comes to where chains end: they stand still in the end. */
    @Test
    void chainsHaveNothingLeftToDo() {
        try (Scope scope = Scope.open();
                ModelChains chains =
                        PlainChains.fresh(generator(Norm.BATCH, DType.FLOAT, Adam.of(0.01), 0), SHRINKS, 20)) {
            double first = draw(chains, 0).figures().get(ERROR);
            double last = first;
            for (int step = 1; step < 60; step++) {
                try (Scope one = Scope.open()) {
                    last = draw(chains, step).figures().get(ERROR);
                }
            }
            assertThat(last).isLessThan(0.05 * first);
        }
    }

    /**
     * With a generator that stays and chains that take no step, a slot always holds the image of its latent vector, however
     * chains come to their slots; those of the first filling are gone in the end.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "false | false | false | FIFO | 0",
                "true | false | false | FIFO | 0",
                "true | false | false | RESERVOIR | 0",
                "false | true | false | FIFO | 0",
                "false | true | true | RESERVOIR | 0",
                "false | false | false | FIFO | 1",
                "true | false | true | FIFO | 2",
                "false | true | false | RESERVOIR | 1",
            })
    void slotsKeepTheirLatentVectors(
            boolean insertAllEnds, boolean weighted, boolean bytes, ReplayBuffer.Entry entry, int visits) {
        OptionalInt limit = visits == 0 ? OptionalInt.empty() : OptionalInt.of(visits);
        Buffer settings = new Buffer(12, entry, insertAllEnds, 0.4, List.of(), bytes, weighted, false, limit);
        CooperativeGenerator stays = generator(Norm.NONE, DType.FLOAT, Sgd.of(1e-30), 0);
        Optional<PixelRange> range = Optional.of(new PixelRange(-1, 1));
        try (Scope scope = Scope.open();
                ModelChains chains = PlainChains.persistent(
                        stays, SHRINKS, 0, new ReplayBuffer(Key.of(5), stays, settings, range, 1, 1))) {
            double rounding = bytes ? 1 / 255.0 + 1e-6 : 1e-6;
            double[] first = imagesAndSlots(chains, stays, rounding);
            for (int step = 0; step < 20; step++) {
                draw(chains, step);
                imagesAndSlots(chains, stays, rounding);
            }
            double[] last = imagesAndSlots(chains, stays, rounding);
            assertThat(last).isNotEqualTo(first);
        }
    }

    /** The latent vectors of all slots, of which the slots are the images. */
    private static double[] imagesAndSlots(ModelChains chains, CooperativeGenerator stays, double rounding) {
        State state = State.empty();
        chains.save(state);
        Tensor z = state.tensors().get("latents");
        assertThat(z).isNotNull();
        Tensor slots = chains.buffer().orElseThrow().chains();
        assertThat(stays.begun(z).minus(slots).abs().max().item()).isLessThan(rounding);
        return z.toDoubles();
    }

    /** Several chains with one step each: those that go on keep their z, those that begin anew start at a fresh one's image. */
    @Test
    void aBufferTeachesTheOldLatentVectorsWhereTheirChainsAreNow() {
        CooperativeGenerator stays = generator(Norm.NONE, DType.FLOAT, Sgd.of(1e-30), 0);
        Buffer never = Buffer.of(BATCH, ReplayBuffer.Entry.FIFO, 0);
        try (Scope scope = Scope.open();
                ModelChains chains = PlainChains.persistent(
                        stays, SHRINKS, 1, new ReplayBuffer(Key.of(5), stays, never, Optional.empty(), 1, 1))) {
            double squares =
                    chains.buffer().orElseThrow().chains().square().mean().item();
            for (int step = 1; step < 5; step++) {
                double left = Math.pow(0.9, step); // of all chains, which are all drawn each time
                assertThat(draw(chains, step).figures().get(ERROR))
                        .isCloseTo((1 - left) * (1 - left) * squares, within(1e-6));
            }
        }
    }

    /** All that it is goes into a state and comes out of it: to the bit the same afterwards, and none of it is left out. */
    @Test
    void goesOnFromItsState() {
        Map<String, Tensor> saved = new LinkedHashMap<>();
        Map<String, Long> numbers = new HashMap<>();
        Buffer settings = Buffer.of(12, ReplayBuffer.Entry.FIFO, 0.4);
        CooperativeGenerator one = generator(Norm.BATCH, DType.FLOAT, Adam.of(0.01), 0.9);
        CooperativeGenerator two = generator(Norm.BATCH, DType.FLOAT, Adam.of(0.01), 0.9);
        try (Scope scope = Scope.open();
                ModelChains whole = PlainChains.persistent(
                        one, SHRINKS, 2, new ReplayBuffer(Key.of(5), one, settings, Optional.empty(), 1, 1));
                ModelChains other = PlainChains.persistent(
                        two, SHRINKS, 2, new ReplayBuffer(Key.of(6), two, settings, Optional.empty(), 1, 1))) {
            draw(whole, 0);
            State state = State.empty();
            whole.save(state);
            state.tensors().forEach((name, tensor) -> saved.put(name, tensor.copy()));
            numbers.putAll(state.numbers());
            assertThat(saved.keySet())
                    .containsExactlyInAnyOrder(
                            "slots",
                            "latents",
                            "generator.parameters",
                            "generator.average",
                            "generator.optimiser.mean",
                            "generator.optimiser.square");
            double[] next = draw(whole, 1).x().toDoubles();
            double[] after = draw(whole, 2).x().toDoubles();
            assertThat(draw(other, 1).x().toDoubles()).isNotEqualTo(next);
            other.load(State.of(saved, numbers));
            assertThat(draw(other, 1).x().toDoubles()).isEqualTo(next);
            assertThat(draw(other, 2).x().toDoubles()).isEqualTo(after);
            assertThat(two.draw(Key.of(7), 3).toDoubles())
                    .isEqualTo(one.draw(Key.of(7), 3).toDoubles());
        }
    }

    @Test
    void isNoStartWithoutARecipe() {
        GeneratorStart start = new GeneratorStart(LATENT, network(Norm.NONE), Optional.empty());
        assertThatThrownBy(() -> start.draws(List.of(1L, 4L, 4L), (key, count) -> normal(1, count), Device.CPU))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("takes a recipe");
    }
}

package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.data.toy.Toys;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.TooLargeException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {
    private static final int T = JointDensities.TIMES;
    private static final double STD = JointDensities.STD;

    private final Scope scope = Scope.open();

    @AfterEach
    void close() {
        scope.close();
    }

    private static Tensor points(int n) {
        return Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, n, 2);
    }

    /** By hand: the reference's density, and the network's outputs added up. */
    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.JointDensities#timelines")
    void isTheReferencePlusTheOutputs(EnergyModel model) {
        Timeline timeline = (Timeline) model.head();
        try (Parameters parameters = JointDensities.parameters(model)) {
            Tensor z = points(3);
            boolean centred = !timeline.mean().isEmpty();
            Tensor u = (centred ? z.minus(Tensors.of(new double[] {0.5, -1})) : z).over(STD);
            double[] outputs = model.network().apply(parameters, u).toDoubles();
            double[] table = model.bind(parameters).at(z).toDoubles();
            double[] point = z.toDoubles();
            int first = timeline.pinned() ? 1 : 0; // the time of the first output
            for (int i = 0; i < 3; i++) {
                double square = 0;
                for (int d = 0; d < 2; d++) {
                    double centre = centred ? timeline.mean().get(d) : 0;
                    square += Math.pow(point[2 * i + d] - centre, 2);
                }
                double r = -square / (2 * STD * STD) - Math.log(2 * Math.PI * STD * STD) - Math.log(T);
                if (timeline.pinned()) {
                    assertThat(table[i * T]).isCloseTo(r, within(1e-12));
                }
                double sum = 0;
                for (int t = first; t < T; t++) {
                    double output = outputs[i * (T - first) + t - first];
                    double share = timeline.scaled() ? Math.sqrt(T) : 1;
                    sum = timeline.cumulative() ? sum + output / share : output;
                    double base = timeline.base() == Timeline.Base.EVERY ? r : 0;
                    assertThat(table[i * T + t]).isCloseTo(base + sum, within(1e-12));
                }
            }
        }
    }

    private static EnergyModel images(Network network) {
        return new EnergyModel(network, new Timeline(T, List.of(), STD, true, true));
    }

    /** Of images, with a network that has something to advance and to freeze: its norms must stay the same ones. */
    @Test
    void takesImages() {
        EnergyModel plain = images(new Resnet(1, 4, List.of(2, 3), 1, T - 1, Activation.SILU, 0));
        EnergyModel normed = images(new Igebm(1, 4, List.of(2, 3), T - 1, 0.2, true));
        for (EnergyModel model : List.of(plain, normed)) {
            try (Parameters parameters = model.layout().init(Key.of(1), DType.DOUBLE)) {
                Tensor z = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 3, 1, 4, 4);
                model.advance(parameters, z);
                JointDensity table = model.bind(parameters);
                assertThat(table.at(z).shape()).containsExactly(3, T);
                for (LogDensity density :
                        List.of(table.marginal(), table.data(), table.given(0, 4, 2), table.blend(0, 0, 0.3, 0.7, 0))) {
                    Tensor leaf = z.asLeaf();
                    Tensor value = density.at(leaf);
                    double[] right = Gradients.of(value, leaf).toDoubles();
                    ValueAndGradient found = density.valueAndGradient(z);
                    assertThat(found.value().toDoubles())
                            .containsExactly(value.detach().toDoubles(), within(1e-12));
                    assertThat(found.gradient().toDoubles()).containsExactly(right, within(1e-12));
                }
                double[] bridge = table.at(z)
                        .select(1, 2)
                        .times(0.3)
                        .plus(table.at(z).select(1, 3), 0.7)
                        .toDoubles();
                assertThat(table.blend(0, 0, 0.3, 0.7, 0).at(z).toDoubles()).containsExactly(bridge, within(1e-12));
                double[] last = table.at(z).select(1, T - 1).plus(Math.log(T)).toDoubles();
                assertThat(table.data().at(z).toDoubles()).containsExactly(last, within(1e-12));
            }
        }
    }

    @Test
    void passesOnWhatTheNetworkAdvances() {
        EnergyModel model = images(new Igebm(1, 4, List.of(2), T - 1, 0.2, true));
        try (Parameters parameters = model.layout().init(Key.of(1), DType.DOUBLE)) {
            double[] before = parameters.flat().toDoubles();
            model.advance(parameters, Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 3, 1, 4, 4));
            assertThat(parameters.flat().toDoubles()).isNotEqualTo(before);
        }
    }

    /** The first time is the reference, and normalised; the marginal is the mean of the conditionals. */
    @Test
    void densitiesFitTogether() {
        EnergyModel model = JointDensities.times(List.of(), true, true);
        Timeline timeline = (Timeline) model.head();
        try (Parameters parameters = JointDensities.parameters(model)) {
            Tensor z = points(3);
            JointDensity table = model.bind(parameters);
            Gaussian reference = Gaussian.isotropic(new double[2], STD);
            double[] exact = reference.at(z).minus(reference.logNormaliser()).toDoubles();
            assertThat(table.mixture(timeline.at(0)).at(z).toDoubles()).containsExactly(exact, within(1e-12));
            double[] sum = new double[3];
            for (int t = 0; t < T; t++) {
                double[] log = table.mixture(timeline.at(t)).at(z).toDoubles();
                for (int i = 0; i < 3; i++) {
                    sum[i] += Math.exp(log[i]) / T;
                }
            }
            assertThat(table.marginal().at(z).exp().toDoubles()).containsExactly(sum, within(1e-12));
            double[] even = timeline.mixed(0.2, 0.2, 0.2, 0.2, 0.2);
            assertThat(table.mixture(even).at(z).exp().toDoubles()).containsExactly(sum, within(1e-12));
            double[] late = timeline.mixed(0, 0, 0, 0, 1);
            assertThat(table.mixture(late).at(z).toDoubles())
                    .containsExactly(table.data().at(z).toDoubles(), within(1e-12));
        }
    }

    /** However few there are, each part of the times has as many as another, give or take one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 12, 100})
    void timesAreSpread(int count) {
        Timeline timeline = new Timeline(T, List.of(), 1, true, true);
        long[] counts = new long[T];
        for (int round = 0; round < 200; round++) {
            long[] t = timeline.drawTimes(Key.of(3).child(round), count);
            assertThat(t).hasSize(count).isSorted();
            long[] now = new long[T];
            for (long time : t) {
                now[(int) time]++;
                counts[(int) time]++;
            }
            for (long number : now) {
                assertThat(Math.abs(number - (double) count / T)).isLessThan(2);
            }
        }
        // each share is 1/T; the deviation of a count of 200 rounds is below √(200·count/T)
        double expected = 200.0 * count / T;
        for (long number : counts) {
            assertThat((double) number).isCloseTo(expected, within(5 * Math.sqrt(expected)));
        }
        assertThat(timeline.drawTimes(Key.of(4), count)).isEqualTo(timeline.drawTimes(Key.of(4), count));
    }

    /** z = αx + βn: the data itself at the last time, the reference's noise at the first, both between. */
    @Test
    void mixesDataAndNoise() {
        Timeline timeline = new Timeline(3, List.of(2.0, -1.0), 0.5, true, true);
        assertThat(new double[] {timeline.alpha(0), timeline.alpha(1), timeline.alpha(2)})
                .containsExactly(0, 0.5, 1);
        Tensor x = Tensors.of(new double[] {10, 20, 10, 20, 10, 20}, 3, 2);
        double[] noise = Tensors.normalLike(Key.of(5), 0.5, x).toDoubles();
        double[] z = timeline.mix(Key.of(5), x, 0, 1, 2).toDoubles();
        double[] expected = {
            2 + noise[0], -1 + noise[1], 0.5 * 10 + 0.5 * (2 + noise[2]), 0.5 * 20 + 0.5 * (-1 + noise[3]), 10, 20
        };
        assertThat(z).containsExactly(expected, within(1e-13));
        Timeline plain = new Timeline(3, List.of(), 0.5, true, true);
        assertThat(plain.mix(Key.of(5), x, 0, 0, 0).toDoubles()).containsExactly(noise, within(1e-13));
    }

    private static Timeline mixed(int times, Timeline.Mixing mixing) {
        return new Timeline(times, List.of(2.0, -1.0), 0.5, true, true, Timeline.Base.EVERY, true, mixing);
    }

    /** From the reference to the data, ever more of it; by hand at five times. */
    @ParameterizedTest
    @EnumSource(Timeline.Mixing.class)
    void everyMixingLeadsFromTheReferenceToTheData(Timeline.Mixing mixing) {
        for (int times : new int[] {2, 3, 5, 64}) {
            Timeline timeline = mixed(times, mixing);
            assertThat(timeline.alpha(0)).isZero();
            assertThat(timeline.beta(0)).isEqualTo(1);
            assertThat(timeline.alpha(times - 1)).isEqualTo(1);
            assertThat(timeline.beta(times - 1)).isZero();
            for (int t = 1; t < times; t++) {
                assertThat(timeline.alpha(t)).isGreaterThan(timeline.alpha(t - 1));
                assertThat(timeline.beta(t)).isLessThan(timeline.beta(t - 1));
            }
        }
        double[] beta =
                IntStream.range(0, 5).mapToDouble(mixed(5, mixing)::beta).toArray();
        double[] expected = switch (mixing) {
            case LINEAR -> new double[] {1, 0.75, 0.5, 0.25, 0};
            case COSINE -> new double[] {1, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898, 0};
            case GEOMETRIC -> new double[] {1, 0.6299605249474366, 0.3968502629920499, 0.25, 0}; // 4^(−t/3)
        };
        assertThat(beta).containsExactly(expected, within(1e-15));
        assertThat(mixed(5, Timeline.Mixing.COSINE).alpha(1)).isCloseTo(0.3826834323650898, within(1e-15));
    }

    /** z = αx + β(m + σξ) at each time of each mixing. */
    @ParameterizedTest
    @EnumSource(Timeline.Mixing.class)
    void mixesByItsMixing(Timeline.Mixing mixing) {
        Timeline timeline = mixed(4, mixing);
        Tensor x = Tensors.of(new double[] {10, 20, 10, 20, 10, 20}, 3, 2);
        double[] noise = Tensors.normalLike(Key.of(5), 0.5, x).toDoubles();
        double[] z = timeline.mix(Key.of(5), x, 0, 2, 3).toDoubles();
        double alpha = timeline.alpha(2);
        double beta = timeline.beta(2);
        double[] expected = {
            2 + noise[0], -1 + noise[1], alpha * 10 + beta * (2 + noise[2]), alpha * 20 + beta * (-1 + noise[3]), 10, 20
        };
        assertThat(z).containsExactly(expected, within(1e-13));
        assertThat(timeline.firstSteps()[1]).isEqualTo(timeline.beta(1) * timeline.beta(1));
    }

    /** The spiral's exact density at a time has the moments of what is mixed there. */
    @ParameterizedTest
    @EnumSource(Timeline.Mixing.class)
    void theSpiralsExactDensityFollowsTheMixing(Timeline.Mixing mixing) {
        Timeline timeline = new Timeline(9, List.of(0.2, -0.1), 0.3, true, true, Timeline.Base.EVERY, true, mixing);
        ToyData spiral = Toys.spiral();
        int draws = 4000;
        for (int t : new int[] {3, 6}) {
            double beta = timeline.beta(t);
            LogDensity exact = spiral.mixed(
                            timeline.alpha(t), new double[] {beta * 0.2, -beta * 0.1}, beta * timeline.std())
                    .orElseThrow();
            GridDensity grid = GridDensity.of(exact, new Box(-1.6, 1.8, -1.7, 1.7), 128, DType.DOUBLE, Device.CPU);
            long[] times = new long[draws];
            Arrays.fill(times, t);
            Tensor x = spiral.draw(Key.of(6).child(t), draws).to(DType.DOUBLE);
            double[] z = timeline.mix(Key.of(7).child(t), x, times).toDoubles();
            for (int d = 0; d < 2; d++) {
                double mean = 0;
                double square = 0;
                for (int i = 0; i < draws; i++) {
                    mean += z[2 * i + d] / draws;
                    square += z[2 * i + d] * z[2 * i + d] / draws;
                }
                // 3 mixings × 2 times × 3 checks; 4.5 standard errors: 1.2e-4 that one fails
                double error = Math.sqrt((square - mean * mean) / draws);
                assertThat(mean).as(mixing + " at " + t).isCloseTo(grid.mean()[d], within(4.5 * error));
            }
            // E[log p] over draws is minus the entropy of the grid's density
            double[] log = exact.at(Tensors.of(z, draws, 2)).toDoubles();
            double mean = Arrays.stream(log).average().orElseThrow() - grid.logNormaliser();
            double spread = Math.sqrt(Arrays.stream(log)
                    .map(each -> each - mean - grid.logNormaliser())
                    .map(each -> each * each)
                    .average()
                    .orElseThrow());
            double entropy = 0;
            double cell = grid.box().area() / (128 * 128);
            for (double each : grid.logDensities()) {
                entropy += Math.exp(each) * each * cell;
            }
            assertThat(mean).as(mixing + " at " + t).isCloseTo(entropy, within(4.5 * spread / Math.sqrt(draws)));
        }
    }

    /** The square of the noise, and never nothing. */
    @Test
    void moreTimesThanMemoryHoldsAreRefused() {
        Timeline timeline = new Timeline(Integer.MAX_VALUE, List.of(), 1, true, true);
        assertThatThrownBy(timeline::firstSteps).isInstanceOf(TooLargeException.class);
    }

    @Test
    void firstStepsFallWithTheNoise() {
        double[] first = new Timeline(5, List.of(), 1, true, true).firstSteps();
        assertThat(first).containsExactly(new double[] {1, 0.5625, 0.25, 0.0625, 0.04}, within(1e-15));
    }

    @Test
    void componentsOfNumbersGoWithTheRows() {
        Tensor images = Tensors.normal(Key.of(1), DType.DOUBLE, Device.CPU, 3, 1, 2, 2);
        Tensor component = Timeline.byComponent(images, new long[] {2, 0, 2}, k -> 10 + k);
        assertThat(component.shape()).containsExactly(3, 1, 1, 1);
        assertThat(component.toDoubles()).containsExactly(12, 10, 12);
        assertThat(Arrays.stream(new Timeline(3, List.of(1.0, 2.0, 3.0), 1, true, true).centre()))
                .containsExactly(1.0, 2.0);
    }

    @Test
    void refusesWhatDoesNotFit() {
        Network network = new Mlp(2, List.of(4), 3, Activation.TANH, 0);
        assertThatThrownBy(() -> new Timeline(1, List.of(), 1, true, true))
                .isInstanceOf(SettingException.class)
                .hasMessage("times must be at least 2, found 1");
        assertThatThrownBy(() -> new Timeline(4, List.of(), 0, true, true))
                .isInstanceOf(SettingException.class)
                .hasMessage("std must be above 0, found 0");
        assertThatThrownBy(() ->
                        new Timeline(4, List.of(), 1, false, false, Timeline.Base.EVERY, true, Timeline.Mixing.LINEAR))
                .isInstanceOf(SettingException.class)
                .hasMessage("scaled is about the cumulative sum, and there is none (cumulative: false): leave it out");
        assertThatThrownBy(() ->
                        new Timeline(4, List.of(), 1, true, true, Timeline.Base.FIRST, false, Timeline.Mixing.LINEAR))
                .hasMessageStartingWith("base cannot be first where the first time is not pinned");
        assertThatThrownBy(() ->
                        new Timeline(4, List.of(), 1, true, true, Timeline.Base.NONE, true, Timeline.Mixing.LINEAR))
                .hasMessageStartingWith("base cannot be none where the first time is pinned");
        EnergyModel wide = new EnergyModel(network, new Timeline(4, List.of(1.0, 2.0, 3.0), 1, true, true));
        EnergyModel many = new EnergyModel(network, new Timeline(9, List.of(), 1, true, true));
        EnergyModel free = new EnergyModel(network, new Timeline(4, List.of(), 1, true, false));
        try (Parameters parameters = wide.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor z = Tensors.normal(Key.of(1), 2, 2);
            assertThatThrownBy(() -> wide.bind(parameters).at(z))
                    .hasMessage("reference.mean must have 2 numbers, as the data has, found 3");
            assertThatThrownBy(() -> many.bind(parameters).at(z)).hasMessageContaining("expected [2, 8]");
            assertThatThrownBy(() -> free.bind(parameters).at(z)).hasMessageContaining("expected [2, 4]");
        }
    }
}

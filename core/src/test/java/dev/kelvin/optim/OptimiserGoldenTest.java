package dev.kelvin.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Descent;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ten steps from θ = (1, −2, .5) at learning rate .1 on the gradient c(θ − a)·cos t, c = (1, .5, 3), a = (.3, −1, 2), t =
 * 0..9. The values after 1, 2 and 10 steps are those of torch.optim in Debian's python3-torch 1.13.0 in float64.
 */
class OptimiserGoldenTest {
    private static final double[] C = {1, 0.5, 3};
    private static final double[] A = {0.3, -1, 2};
    private static final double[] START = {1, -2, 0.5};

    record Case(String name, Optimiser optimiser, List<double[]> values) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Sgd sgd(double momentum, boolean nesterov, double decay) {
        return new Sgd(0.1, momentum, nesterov, decay, Schedule.constant(), OptionalDouble.empty());
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        "SGD",
                        sgd(0, false, 0),
                        List.of(
                                new double[] {0.93, -1.95, 0.9500000000000001},
                                new double[] {0.8959609547303072, -1.9243356404712633, 1.120195226348464},
                                new double[] {0.9534088230981004, -1.9726577084412982, 0.9716284290085947})),
                new Case(
                        "SGD(weight_decay=.1)",
                        sgd(0, false, 0.1),
                        List.of(
                                new double[] {0.92, -1.93, 0.9450000000000001},
                                new double[] {0.8773012570361753, -1.8855759427771315, 1.1065556798072662},
                                new double[] {0.861122218946651, -1.782600931701819, 0.8842910771827973})),
                new Case(
                        "SGD(momentum=.9)",
                        sgd(0.9, false, 0),
                        List.of(
                                new double[] {0.93, -1.95, 0.9500000000000001},
                                new double[] {0.8329609547303072, -1.8793356404712633, 1.525195226348464},
                                new double[] {0.5792102104509306, -1.7281446596439143, 2.5738975986091734})),
                new Case(
                        "SGD(momentum=.9, nesterov=True, weight_decay=.1)",
                        sgd(0.9, true, 0.1),
                        List.of(
                                new double[] {0.848, -1.867, 1.3455000000000001},
                                new double[] {0.7108317239130093, -1.7303250005771706, 1.8819533797386976},
                                new double[] {0.2367695080839791, -0.9532668558227261, 1.689229393181222})),
                new Case(
                        "Adam",
                        new Adam(0.1, 0.9, 0.999, 1e-8, 0, Schedule.constant(), OptionalDouble.empty()),
                        List.of(
                                new double[] {0.9000000014285714, -1.900000002, 0.5999999997777777},
                                new double[] {0.8079190132418124, -1.807191700989076, 0.6933425294529105},
                                new double[] {0.6758858903581435, -1.697460506794029, 0.7866195930754157})),
                new Case(
                        "Adam(betas=(0, .9), eps=1e-3, weight_decay=.1)",
                        new Adam(0.1, 0, 0.9, 1e-3, 0.1, Schedule.constant(), OptionalDouble.empty()),
                        List.of(
                                new double[] {0.9001248439450686, -1.9001426533523538, 0.5999775331386206},
                                new double[] {0.8341890663799895, -1.8249640327465082, 0.6638719755985945},
                                new double[] {0.7871086253057004, -1.5632822227299523, 0.5225780965563813})),
                new Case(
                        "AdamW(betas=(.5, .99), weight_decay=.1)",
                        new Adamw(0.1, 0.5, 0.99, 1e-8, 0.1, Schedule.constant(), OptionalDouble.empty()),
                        List.of(
                                new double[] {0.8900000014285714, -1.880000002, 0.5949999997777777},
                                new double[] {0.7989888448193615, -1.7780105051410413, 0.6738096577882611},
                                new double[] {0.7072966217746801, -1.6291886665290962, 0.6173461358061474})));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void equalsPyTorch(Case c) {
        try (Scope scope = Scope.open()) {
            Tensor parameters = Tensors.of(START.clone());
            try (OptimiserState optimiser = c.optimiser().start(parameters)) {
                for (int t = 0; t < 10; t++) {
                    Tensor gradient =
                            Tensors.of(C).times(parameters.minus(Tensors.of(A))).times(Math.cos(t));
                    double[] before = gradient.toDoubles();
                    optimiser.step(parameters, gradient, 0.1);
                    assertThat(gradient.toDoubles()).isEqualTo(before); // the gradient is the caller's
                    int golden = List.of(0, 1, 9).indexOf(t);
                    if (golden >= 0) {
                        // some dozen roundings a step of numbers of size 1
                        assertThat(parameters.toDoubles())
                                .containsExactly(c.values().get(golden), within(1e-14));
                    }
                }
            }
        }
    }

    /** torch.nn.utils.clip_grad_norm_([3, −4, 12], 2), which divides by norm + 1e-6 where we divide by the norm. */
    @Test
    void clippedGradientHasTheLimitsLength() {
        try (Scope scope = Scope.open()) {
            Tensor gradient = Tensors.of(new double[] {3, -4, 12});
            assertThat(Descent.norm(gradient)).isEqualTo(13);
            Descent.limit(gradient, 13, 2);
            assertThat(gradient.toDoubles())
                    .containsExactly(
                            new double[] {0.46153842603550577, -0.615384568047341, 1.846153704142023}, within(2e-7));
            assertThat(Descent.norm(gradient)).isCloseTo(2, within(1e-15));
        }
    }
}

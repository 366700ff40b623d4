package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Particles that push each other are drawn in sets as large as training's, however many are asked for. */
class ParticleDrawsTest {
    private static final int SET = 8;

    private static final String PLANE = """
            data: {toy: moons}
            model: {mlp: {hidden: [8]}}
            """;

    private static final String CLASSES = """
            data: {images: {set: digits}}
            classes: head
            model: {short-run: {filters: 2}}
            """;

    private static final String TIMES = """
            data: {toy: moons}
            time: {count: 3, annealing: {steps: 2}}
            model: {mlp: {hidden: [8]}}
            """;

    private static Experiment experiment(String kind, String more) {
        String objective = kind.equals(PLANE) ? "contrastive" : "cd-ce";
        String text =
                kind + """
                negatives:
                  start: gaussian
                  kernel: {svgd: {stepSize: 0.1}}
                  steps: 3
                MOREobjective: OBJECTIVE
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 1, batch: SET}
                """.replace("MORE", more).replace("OBJECTIVE", objective).replace("SET", Integer.toString(SET));
        return new Experiment(Recipes.parse("a.yaml", text, List.of()), Device.CPU);
    }

    private static double[] first(Tensor x) {
        return x.narrow(0, 0, SET).toDoubles();
    }

    /** Draws of more begin with those of fewer, so that the first set is the same, alone or among others. */
    @ParameterizedTest
    @ValueSource(strings = {PLANE, CLASSES, TIMES})
    void aSetDoesNotSeeTheOthers(String kind) {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(kind, "")) {
            Sampler sampler = experiment.model().sampler();
            Tensor many =
                    sampler.draw(SampleRequest.fresh(Key.of(1), 2 * SET + 3)).x();
            assertThat(many.size(0)).isEqualTo(2 * SET + 3);
            assertThat(first(many))
                    .containsExactly(first(
                            sampler.draw(SampleRequest.fresh(Key.of(1), SET)).x()));
            double[] few = sampler.draw(SampleRequest.fresh(Key.of(1), 3)).x().toDoubles();
            assertThat(few).containsExactly(Arrays.copyOf(first(many), few.length));
        }
    }

    /** Three sets of training are three sets afterwards, and each is the same whatever the others are. */
    @Test
    void setsOfTrainingStaySets() {
        String sets = "  count: " + 3 * SET + "\n  sets: 3\n";
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(PLANE, sets);
                Experiment one = experiment(PLANE, "  count: " + SET + "\n")) {
            assertThat(experiment.card().chains().orElseThrow().together()).isEqualTo(SET);
            SampleRequest many = SampleRequest.fresh(Key.of(1), 3 * SET);
            assertThat(experiment.model().sampler().draw(many).x().toDoubles())
                    .containsExactly(one.model().sampler().draw(many).x().toDoubles());
        }
    }

    @Test
    void chainsOfABufferAreDrawnInWholeSets() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(PLANE, "  buffer: {size: 21}\n")) {
            Tensor all = experiment
                    .model()
                    .sampler()
                    .draw(SampleRequest.of(Key.of(1), 1000))
                    .x();
            assertThat(all.size(0)).isEqualTo(2 * SET);
            assertThat(first(experiment
                            .model()
                            .sampler()
                            .draw(SampleRequest.of(Key.of(1), SET))
                            .x()))
                    .containsExactly(first(all));
        }
    }

    /** All particles of a set are of one density: those of class 1 do not move those of class 0. */
    @Test
    void samplesByClassAreInSetsOfOneClass() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(CLASSES, "")) {
            long[] mixed = new long[2 * SET - 3];
            Arrays.setAll(mixed, i -> i % 2);
            long[] rows = new long[SET - 1];
            Arrays.setAll(rows, i -> 2L * i);
            double[] alone = experiment
                    .model()
                    .sampler()
                    .draw(SampleRequest.given(Key.of(1), 3, new long[SET - 1]))
                    .x()
                    .toDoubles();
            double[] among = experiment
                    .model()
                    .sampler()
                    .draw(SampleRequest.given(Key.of(1), 3, mixed))
                    .x()
                    .rows(rows)
                    .toDoubles();
            assertThat(among).containsExactly(alone);
        }
    }

    /** A film from a buffer shows long chains, which of 1000 particles at once took minutes. */
    @Test
    void aFilmIsOfSetsToo() {
        try (Scope scope = Scope.open();
                Experiment experiment = experiment(PLANE, "  buffer: {size: 21}\n")) {
            Map<String, double[]> many = film(experiment, SET + 2);
            assertThat(many.keySet()).contains("step 0", "step 200").hasSizeLessThan(14);
            Map<String, double[]> one = film(experiment, SET);
            assertThat(one.keySet()).isEqualTo(many.keySet());
            one.forEach((moment, x) -> assertThat(Arrays.copyOf(many.getOrDefault(moment, new double[0]), x.length))
                    .containsExactly(x));
        }
    }

    private static Map<String, double[]> film(Experiment experiment, int count) {
        Map<String, double[]> frames = new LinkedHashMap<>();
        experiment.model().sampler().film(Key.of(1), count, (moment, x) -> {
            assertThat(x.size(0)).isEqualTo(count);
            frames.put(moment, x.toDoubles());
        });
        return frames;
    }
}

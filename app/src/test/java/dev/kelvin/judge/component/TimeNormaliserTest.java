package dev.kelvin.judge.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.nn.Parameters;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Normalisers that a time-joint model of images has learnt, against such as are known. */
final class TimeNormaliserTest {
    private static final int TIMES = 4;

    private static Experiment experiment(String... changes) {
        return new Experiment(
                Recipes.load(
                        "digits-time-cdce",
                        List.of(
                                "model={preact-resnet: {widths: [2], blocks: 1, hidden: 2}}",
                                "time={count: " + TIMES + ", reference: {std: 0.55}, annealing: {steps: 1}"
                                        + String.join("", changes) + "}")),
                Device.CPU);
    }

    private static Optional<TimeNormaliser> judged(Experiment experiment) {
        return TimeNormaliser.of(experiment, experiment.model().timeline().orElseThrow(), 1);
    }

    /** With all weights 0 and biases c at the end, p(z|t) is the reference times exp(ct/√T): log Z is ct/√T. */
    @Test
    void findsTheNormalisersOfARaisedReference() {
        try (Experiment experiment = experiment();
                Scope scope = Scope.open()) {
            double c = 1.5;
            Parameters parameters = experiment.learner().averaged();
            parameters.flat().timesInPlace(0);
            parameters.get("out.bias").addNumberInPlace(c);
            TimeNormaliser found = judged(experiment).orElseThrow();
            double last = c * (TIMES - 1) / Math.sqrt(TIMES);
            for (int t = 0; t < TIMES; t++) {
                assertThat(found.estimates()[t]).isCloseTo(c * t / Math.sqrt(TIMES), within(1e-3));
            }
            assertThat(found.lower()[TIMES - 1]).isCloseTo(last, within(1e-3));
            assertThat(found.upper()).isCloseTo(last, within(1e-3));
            assertThat(found.figures())
                    .containsKeys("learnt_log_likelihood", "log_z_lower", "log_z_upper")
                    .hasEntrySatisfying("log_z_max", worst -> assertThat(worst).isCloseTo(last, within(1e-3)));
            // digits have squares of 0.1 to 0.2 a pixel, and the noise of training, so that log N lies at -20 to -40
            double raised = found.logLikelihood() - last;
            assertThat(raised).isBetween(-40.0, -20.0);
        }
    }

    @Test
    void isSilentWhereNothingIsPinnedOrFIsCoarse() {
        try (Experiment free = experiment(", pinned: false")) {
            assertThat(judged(free)).isEmpty();
        }
        Recipe coarse = Recipes.load(
                "digits-time-cdce",
                List.of(
                        "train.precision=bfloat16",
                        "negatives={start: batch, kernel: {langevin: {stepSize: 0.02}}, steps: 1}"));
        try (Experiment experiment = new Experiment(coarse, Device.CPU)) {
            assertThat(judged(experiment)).isEmpty();
        }
    }
}

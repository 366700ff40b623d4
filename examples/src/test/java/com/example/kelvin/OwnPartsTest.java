package com.example.kelvin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.GradientCheck;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Term;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each part by itself, as one would test one's own. */
class OwnPartsTest {
    private static final double STEP = 1e-5; // of central differences in double

    @TempDir
    private Path folder;

    private static final RadialBasis NETWORK = new RadialBasis(2, 1, 7, 0.5, 3);

    /** Parameters that are not those of the start, whose heights are 0. */
    private static Parameters parameters() {
        Layout layout = NETWORK.layout();
        return new Parameters(
                layout, Scope.detach(Tensors.normal(Key.of(1), layout.count()).to(DType.DOUBLE)));
    }

    @Test
    void theNetworksGradientIsThatOfItsValue() {
        try (Scope scope = Scope.open();
                Parameters parameters = parameters()) {
            Tensor x = Tensors.normal(Key.of(2), 5, 2).to(DType.DOUBLE);
            GradientCheck.require(EnergyModel.plain(NETWORK).density(parameters), x);
        }
    }

    @Test
    void theNetworkIsABumpUnderTheEnvelope() {
        RadialBasis one = new RadialBasis(2, 1, 1, 0.5, 3);
        try (Scope scope = Scope.open();
                Parameters parameters =
                        new Parameters(one.layout(), Scope.detach(Tensors.of(new double[] {1, 2, 4})))) {
            double[] f = one.apply(parameters, Tensors.of(new double[] {1, 2, 1, 3}, 2, 2))
                    .toDoubles();
            assertThat(f[0]).isCloseTo(4 - 5 / 18.0, within(1e-12));
            assertThat(f[1]).isCloseTo(4 * Math.exp(-2) - 10 / 18.0, within(1e-12));
        }
    }

    @Test
    void theObjectivesGradientIsThatOfItsValue() {
        Logistic objective = new Logistic(0.7);
        double[] up = {0.3, -1.2, 2};
        double[] down = {1.5, 0.1};
        Loss loss = objective.of(up, down);
        for (int i = 0; i < up.length; i++) {
            double slope = (objective.of(moved(up, i, STEP), down).value()
                            - objective.of(moved(up, i, -STEP), down).value())
                    / (2 * STEP);
            assertThat(loss.positiveGradient()[i]).isCloseTo(slope, within(1e-8));
        }
        for (int i = 0; i < down.length; i++) {
            double slope = (objective.of(up, moved(down, i, STEP)).value()
                            - objective.of(up, moved(down, i, -STEP)).value())
                    / (2 * STEP);
            assertThat(loss.negativeGradient()[i]).isCloseTo(slope, within(1e-8));
        }
        assertThat(objective.of(new double[] {1}, new double[] {1}).negativeGradient())
                .containsExactly(1);
    }

    private static double[] moved(double[] values, int at, double by) {
        double[] copy = values.clone();
        copy[at] += by;
        return copy;
    }

    @Test
    void theTermsGradientIsThatOfItsValue() {
        GradientPenalty term = new GradientPenalty(0.3, 0.05);
        EnergyModel model = EnergyModel.plain(NETWORK);
        try (Scope scope = Scope.open();
                Parameters parameters = parameters()) {
            Batch batch = Batch.of(Tensors.normal(Key.of(3), 6, 2).to(DType.DOUBLE));
            double[] gradient = of(term, model, parameters, batch).gradient().toDoubles();
            for (int i = 0; i < gradient.length; i++) {
                double[] values = new double[2];
                for (int side = 0; side < 2; side++) {
                    double[] theta = moved(parameters.flat().toDoubles(), i, side == 0 ? STEP : -STEP);
                    try (Parameters other = new Parameters(NETWORK.layout(), Scope.detach(Tensors.of(theta)))) {
                        values[side] = of(term, model, other, batch).value();
                    }
                }
                assertThat(gradient[i])
                        .as("parameter %d", i)
                        .isCloseTo((values[0] - values[1]) / (2 * STEP), within(1e-6));
            }
        }
    }

    private static Term.Value of(GradientPenalty term, EnergyModel model, Parameters parameters, Batch batch) {
        DrawnNegatives none = new DrawnNegatives(batch.x().narrow(0, 0, 0), new long[0], OptionalDouble.empty());
        return term.of(Key.of(4), model, parameters, batch, none);
    }

    /**
     * 4000 chains start in the target and stay there. Four checks at alpha = 1e-4 in all: each mean and second moment within
     * 4.2 standard errors of a normal's, 2 · Φ(−4.2) · 4 = 1e-4. The twin, a walk at another temperature, must fail.
     */
    @Test
    void theKernelLeavesItsTargetAlone() {
        assertThat(misfit(new RandomWalk(0.5, 1))).isLessThan(4.2);
        assertThat(misfit(new RandomWalk(0.5, 1.3))).isGreaterThan(4.2);
    }

    /** The largest of the moments' errors, in standard errors. */
    private static double misfit(RandomWalk kernel) {
        int chains = 4000;
        Gaussian target = new Gaussian(new double[2], new double[][] {{1, 0}, {0, 1}});
        try (Scope scope = Scope.open()) {
            Tensor x = target.draw(Key.of(5), chains, DType.DOUBLE);
            ChainRun walk = ChainRun.run(Key.of(6), kernel, target, x, 40);
            assertThat(walk.acceptance().orElseThrow()).isBetween(0.3, 0.9);
            double worst = 0;
            for (double mean : walk.x().mean(0L).toDoubles()) {
                worst = Math.max(worst, Math.abs(mean) * Math.sqrt(chains));
            }
            for (double square : walk.x().square().mean(0L).toDoubles()) {
                worst = Math.max(worst, Math.abs(square - 1) * Math.sqrt(chains / 2.0));
            }
            return worst;
        }
    }

    @Test
    void theFigureIsJudgedByItsRatio() {
        assertThat(NearestNeighbour.SAMPLES.verdict(Map.of("nearest_neighbour", 0.4, "nearest_neighbour_data", 0.3)))
                .isEqualTo(Verdict.GOOD);
        assertThat(NearestNeighbour.SAMPLES.verdict(Map.of("nearest_neighbour", 0.4, "nearest_neighbour_data", 0.1)))
                .isEqualTo(Verdict.POOR);
    }

    @Test
    void imagesAreReadFromText() throws IOException {
        Path file = Files.writeString(folder.resolve("two.txt"), "hex-images\n0f\n80\n\n00\n0f\n");
        try (ImageSet images = ImageFiles.read(file)) {
            assertThat(images.toString()).isEqualTo("two.txt: 2 images, 1x2x2, without labels");
            assertThat(images.maximum()).isEqualTo(15);
            assertThat(images.pixels().toDoubles()).containsExactly(0, 15, 8, 0, 0, 0, 0, 15);
        }
    }

    @Test
    void brokenTextIsToldInALine() throws IOException {
        for (String text :
                List.of("hex-images\n0f\n8\n", "hex-images\n0g\n", "hex-images\n0f\n\n0f\n0f\n", "hex-images")) {
            Path file = Files.writeString(folder.resolve("broken.txt"), text);
            assertThatThrownBy(() -> ImageFiles.read(file))
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageContaining("broken.txt");
        }
    }
}

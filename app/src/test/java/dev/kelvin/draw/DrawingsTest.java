package dev.kelvin.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.math.Box;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrawingsTest {
    private static final Box UNIT = new Box(0, 1, 0, 1);
    private static final int DARK = rgb(0);
    private static final int BRIGHT = rgb(1);
    private static final int GREY = rgb(Double.NaN);

    @Test
    void densityHasTheLowestRowAtTheBottomAndTheFirstColumnAtTheLeft() {
        double[][] density = {{0, 1}, {0, 0}};
        BufferedImage image = Raster.density(density, Scale.linear(density), 100, 100);
        assertThat(image.getRGB(99, 99)).isEqualTo(BRIGHT);
        assertThat(image.getRGB(0, 99)).isEqualTo(DARK);
        assertThat(image.getRGB(99, 0)).isEqualTo(DARK);
    }

    @Test
    void notANumberIsGreyAndInfinityIsTheEndOfTheScale() {
        double[][] density = {{Double.NaN, 1, 0, Double.POSITIVE_INFINITY}};
        BufferedImage image = Raster.density(density, Scale.linear(density), 8, 2);
        assertThat(image.getRGB(0, 0)).isEqualTo(GREY);
        assertThat(image.getRGB(7, 0)).isEqualTo(BRIGHT);
    }

    @Test
    void logScaleReachesTenNatsDownAndZeroDensityIsItsLowEnd() {
        Scale scale = Scale.log(new double[][] {{Math.exp(3)}});
        assertThat(scale.low()).isEqualTo(-7);
        assertThat(scale.position(Math.exp(-2))).isBetween(0.4999, 0.5001);
        assertThat(scale.position(0)).isZero();
        assertThat(scale.position(Double.NaN)).isNaN();
    }

    @Test
    void scaleOfADensityWithoutAPeakIsStillAScale() {
        assertThat(Scale.linear(new double[][] {{0, Double.NaN}}).high()).isEqualTo(1);
        assertThat(Scale.linear(new double[][] {{1e300, Double.POSITIVE_INFINITY}})
                        .high())
                .isEqualTo(1e300);
    }

    @Test
    void aSinglePointIsSeenWhereItIs() {
        BufferedImage image = Raster.points(new float[][] {{0.25f, 0.75f}}, UNIT, 100, 100);
        assertThat(image.getRGB(25, 25)).isNotEqualTo(DARK);
        assertThat(image.getRGB(25, 75)).isEqualTo(DARK);
    }

    @Test
    void pointsOutsideOrNotFiniteAreNotDrawn() {
        float[][] points = {{2, 0.5f}, {Float.NaN, 0}, {0, Float.NEGATIVE_INFINITY}, {3e38f, -3e38f}};
        BufferedImage image = Raster.points(points, UNIT, 50, 50);
        int[] pixels = image.getRGB(0, 0, 50, 50, null, 0, 50);
        assertThat(Arrays.stream(pixels).distinct()).containsExactly(DARK);
    }

    @Test
    void barsStandSideBySideAndNotANumberIsNone() {
        BufferedImage image = Raster.bars(new double[] {0.5, Double.NaN}, false, 100);
        int bar = rgb(0.5);
        assertThat(image.getRGB(25, 60)).isEqualTo(bar);
        assertThat(image.getRGB(25, 40) >>> 24).isZero();
        assertThat(image.getRGB(75, 60) >>> 24).isZero();
        assertThat(image.getRGB(75, 25) >>> 24).isZero();
        assertThat(Raster.bars(new double[] {0.5, Double.NaN}, true, 100).getRGB(75, 24) >>> 24)
                .isEqualTo(255); // the diagonal
    }

    @Test
    void densitiesAndSamplesOfOneDomainHaveOneWidth() {
        double[][] density = {{1, 2}, {3, 4}};
        Png heatMap = Drawings.density(UNIT, density, Scale.linear(density));
        Png samples = Drawings.samples(UNIT, new float[0][2]);
        assertThat(samples.width()).isEqualTo(heatMap.width());
        assertThat(samples.height()).isLessThan(heatMap.height());
        assertThat(heatMap.image().getHeight()).isEqualTo(heatMap.height());
    }

    @Test
    void aWideDomainKeepsItsProportions() {
        Png frame = Drawings.frame(new Box(-4, 4, -2, 2), new float[0][2]);
        assertThat(frame.width()).isEqualTo(320);
        assertThat(frame.height()).isEqualTo(160);
    }

    @Test
    void aSheetHoldsItsPicturesInRows() {
        Png frame = Drawings.frame(UNIT, new float[0][2]);
        Png sheet = Drawings.sheet(2, List.of("step 0 – été", "", "step 2"), List.of(frame, frame, frame));
        assertThat(sheet.width()).isEqualTo(24 + 2 * (320 + 24));
        assertThat(sheet.height()).isEqualTo(24 + 2 * (36 + 320 + 24));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1e-300, 1e300, 0.3, 7})
    void ticksAreFewAndInside(double reach) {
        double[] ticks = Axis.roundNumbers(-reach, reach, 6);
        assertThat(ticks).hasSizeBetween(3, 7).contains(0);
        assertThat(ticks[0]).isGreaterThanOrEqualTo(-reach * (1 + 1e-9));
    }

    @Test
    void aPngIsWrittenWholeAndLeavesNothingBeside(@TempDir Path folder) throws Exception {
        Png png = Drawings.frame(UNIT, new float[0][2]);
        Path file = folder.resolve("frame.png");
        png.write(file);
        png.write(file);
        assertThat(Files.readAllBytes(file)).isEqualTo(png.bytes()).startsWith(0x89, 'P', 'N', 'G');
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    private static int rgb(double position) {
        return Raster.Palette.colour(position);
    }

    /** Too little on the left, too much on the right, nothing in the middle; row 0 at the bottom. */
    @Test
    void aMapOfDifferencesIsPurpleBelowZeroAndGreenAbove() {
        BufferedImage map = Diverging.map(new double[][] {{-2, 0, 2}, {Double.NaN, 0, 9}}, 2, 30, 20);
        Color little = new Color(map.getRGB(5, 15));
        Color none = new Color(map.getRGB(15, 15));
        Color much = new Color(map.getRGB(25, 15));
        assertThat(little.getGreen()).isLessThan(little.getBlue());
        assertThat(none.getRed()).isEqualTo(none.getGreen()).isGreaterThan(240);
        assertThat(much.getGreen()).isGreaterThan(much.getRed());
        assertThat(map.getRGB(5, 5) >>> 24).isZero();
        assertThat(map.getRGB(25, 5)).isEqualTo(map.getRGB(25, 15));
        Png drawn = Drawings.difference(Box.square(0, 0, 1), new double[][] {{-1, 1}, {0, 1}}, 1);
        Png density = Drawings.density(Box.square(0, 0, 1), new double[][] {{0, 1}, {0, 1}}, new Scale(0, 1, false));
        assertThat(drawn.width()).isEqualTo(density.width());
        assertThat(drawn.height()).isEqualTo(density.height());
    }
}

package dev.kelvin.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SmallMultiplesTest {
    private static final double[] HUNDRED =
            IntStream.range(0, 100).mapToDouble(i -> i / 10.0).toArray();
    private static final double[] NONE = {};

    @Test
    void anExtentIsRobustAndItsOutermostBinsHoldTheRest() {
        double[] values =
                IntStream.range(0, 1000).mapToDouble(i -> i / 999.0 - 0.5).toArray();
        values[999] = 1e9;
        Extent extent = Extent.of("x", values, NONE);
        assertThat(extent.high()).isLessThan(1);
        assertThat(extent.low()).isGreaterThan(-1);
        double[] shares = extent.shares(values);
        assertThat(Arrays.stream(shares).sum()).isBetween(0.999999, 1.000001);
        assertThat(extent.shares(1e9)[shares.length - 1]).isEqualTo(1);
        assertThat(Arrays.stream(extent.shares(Double.NaN)).sum()).isZero();
    }

    @Test
    void theRangeReachesToMostOfWhatIsCompared() {
        Extent extent = Extent.of("x", HUNDRED, new double[] {50, 50, 50, 50, 50});
        assertThat(extent.place(50)).isGreaterThan(0.9).isLessThan(1);
        assertThat(Extent.of("x", HUNDRED, new double[] {Double.NaN, Double.POSITIVE_INFINITY})
                        .high())
                .isLessThan(11);
    }

    @Test
    void wholeNumbersHaveBinsAboutThem() {
        Extent words = Extent.of("colour=red", new double[] {0, 1, 1, 0, 0}, new double[] {0.1, 0.9, -0.2});
        assertThat(words).isEqualTo(new Extent("colour=red", -0.5, 1.5, 2, true));
        assertThat(words.shares(0.1, 0.9, -0.2, 1.3)).containsExactly(0.5, 0.5);
        Extent many =
                Extent.of("n", IntStream.range(0, 1000).mapToDouble(i -> i).toArray(), NONE);
        assertThat((many.high() - many.low()) / many.bins()).isEqualTo(34); // 990 of them in 30 bins
        assertThat(many.low()).isEqualTo(4.5);
    }

    @Test
    void aConstantAndNothingHaveARangeToo() {
        assertThat(Extent.of("x", new double[] {2.5, 2.5}, NONE).place(2.5)).isEqualTo(0.5);
        assertThat(Extent.of("x", new double[] {0.5}, NONE).place(0.5)).isEqualTo(0.5);
        assertThat(Extent.of("x", NONE, NONE).bins()).isPositive();
    }

    /** x rises with y in the first cloud and falls in the second: each has its corner of its triangle. */
    @Test
    void theFirstCloudIsBelowTheDiagonalAndTheSecondAbove() {
        double[] falling = Arrays.stream(HUNDRED).map(x -> 9.9 - x).toArray();
        Extent extent = Extent.of("x", HUNDRED, NONE);
        Png png = SmallMultiples.pairs(
                List.of(extent, extent),
                List.of(
                        new SmallMultiples.Cloud("rows", new double[][] {HUNDRED, HUNDRED}),
                        new SmallMultiples.Cloud("samples", new double[][] {HUNDRED, falling})));
        int side = 420; // the largest panel
        int left = 142;
        int top = 76;
        int next = side + 12;
        assertThat(seen(png.image(), left, top + next, 0)).isTrue(); // rising: low left
        assertThat(seen(png.image(), left + side - 60, top + next, 0)).isTrue(); // its upper right
        assertThat(seen(png.image(), left + next, top, 1)).isTrue(); // falling: upper left
        assertThat(seen(png.image(), left, top + next, 1)).isFalse();
        assertThat(seen(png.image(), left + next, top, 0)).isFalse();
    }

    /** Whether the colour of a kind is in a panel's column of 60 pixels. */
    private static boolean seen(BufferedImage image, int left, int top, int kind) {
        int rgb = Canvas.colour(kind).getRGB() & 0xFFFFFF;
        int[] pixels = image.getRGB(left + 2, top + 2, 56, 416, null, 0, 56);
        return Arrays.stream(pixels).anyMatch(pixel -> pixel >>> 24 > 0 && (pixel & 0xFFFFFF) == rgb);
    }

    @Test
    void oneVariableIsOneHistogramAndManyFillThePage() {
        SmallMultiples.Cloud one = new SmallMultiples.Cloud("rows", new double[][] {HUNDRED});
        Extent extent = Extent.of("x", HUNDRED, NONE);
        assertThat(SmallMultiples.pairs(List.of(extent), List.of(one)).width()).isLessThan(Canvas.PAGE);
        int many = 50;
        double[][] columns = new double[many][];
        Arrays.fill(columns, HUNDRED);
        List<Extent> extents = IntStream.range(0, many).mapToObj(i -> extent).toList();
        Png png = SmallMultiples.histograms(
                extents,
                List.of(new SmallMultiples.Cloud("rows", columns), new SmallMultiples.Cloud("samples", columns)));
        assertThat(png.width()).isBetween(Canvas.PAGE - 10, Canvas.PAGE);
    }

    @Test
    void aHeatMapIsPurpleBelowZeroAndGreenAbove() {
        Png png = Diverging.of(List.of("a", "b"), new double[][] {{1, -1}, {0, Double.NaN}}, 1);
        BufferedImage image = png.image();
        int left = image.getHeight() - 2 * 64 - 76;
        assertThat(image.getRGB(left + 3, left + 3)).isEqualTo(0xFF23875A);
        assertThat(image.getRGB(left + 64 + 3, left + 3)).isEqualTo(0xFF8A4FB5);
        assertThat(image.getRGB(left + 3, left + 64 + 3)).isEqualTo(0xFFF7F7F7);
        assertThat(image.getRGB(left + 64 + 3, left + 64 + 3) >>> 24).isZero();
    }

    @Test
    void namesThatDifferInTheMiddleStayDifferent() {
        List<String> names = List.of("mean_of_the_last_30_days_in_euros", "mean_of_the_last_90_days_in_euros", "x");
        List<String> shorter = Lettering.shortened(names, Lettering.AVAILABLE ? 200 : 0);
        assertThat(shorter).doesNotHaveDuplicates().contains("x");
    }
}

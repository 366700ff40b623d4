package dev.kelvin.pages;

import dev.kelvin.diagnostic.ChainDraws;
import dev.kelvin.draw.Extent;
import dev.kelvin.draw.Numbers;
import dev.kelvin.draw.Series;
import dev.kelvin.draw.SmallMultiples;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.sample.chain.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Pictures of chains' draws: ranks, marginals and pairs of coordinates, beside exact draws where there are some. */
record ChainPictures(Trace trace, Optional<double[]> exact) {
    private static final int BINS = 60;
    private static final int PICTURED = 4000;

    /** How far a range reaches beyond the middle half of the values, in units of that half. A Gaussian's is 6 deviations. */
    private static final double REACH = 4;

    private static final double TAIL = 0.001;

    static String name(int coordinate) {
        return "x" + (coordinate + 1);
    }

    Pictures ranks(int coordinate) {
        double[][] chains = trace.coordinate(coordinate);
        String some = chains.length > SmallMultiples.MOST_RANKED
                ? " The first " + SmallMultiples.MOST_RANKED + " of " + chains.length + " chains."
                : "";
        return Pictures.wide(
                "Rank plots of " + name(coordinate)
                        + ", the coordinate whose chains agree least: how the draws of each chain"
                        + " rank among those of all chains, from the lowest to the highest. Chains that agree have flat"
                        + " histograms along the dashed line; bars end at four times its height." + some,
                new Picture(
                        "Ranks of " + name(coordinate) + " by chain",
                        "Histograms of the ranks of each chain's draws",
                        SmallMultiples.ranks(chains)));
    }

    Curves marginal(int coordinate) {
        double[] drawn = drawn(coordinate);
        Optional<double[]> truth = exact(coordinate);
        double[] range = range(truth.orElse(drawn));
        List<Series> series = new ArrayList<>();
        truth.ifPresent(values -> series.add(histogram("truth", values, range)));
        series.add(histogram("chains", drawn, range));
        return new Curves(
                "Marginal of " + name(coordinate),
                "Its density" + beyond(drawn, range) + ".",
                name(coordinate),
                "density",
                series);
    }

    private static String beyond(double[] drawn, double[] range) {
        long outside = Arrays.stream(drawn)
                .filter(value -> !(value >= range[0] && value <= range[1]))
                .count();
        return outside == 0
                ? ""
                : "; " + Numbers.forPeople(100.0 * outside / drawn.length)
                        + " % of the draws lie beyond the range shown";
    }

    /** Pairs of these coordinates, two or more. */
    Pictures pairs(List<Integer> coordinates) {
        List<Extent> extents = coordinates.stream().map(this::extent).toList();
        List<SmallMultiples.Cloud> clouds = new ArrayList<>();
        if (exact.isPresent()) {
            clouds.add(cloud(
                    "exact draws", coordinates, coordinate -> exact(coordinate).orElseThrow()));
        }
        clouds.add(cloud("draws of the chains", coordinates, this::drawn));
        return Pictures.wide(
                (exact.isEmpty()
                                ? "Pairs of coordinates below the diagonal, histograms on it."
                                : "Pairs of coordinates: exact draws below the diagonal, the chains' above it, histograms of both on"
                                        + " it.")
                        + " What lies beyond a range is drawn at its edge: " + pairsBeyond(coordinates, extents) + ".",
                new Picture("Pairs of coordinates", "Scatter plots of pairs", SmallMultiples.pairs(extents, clouds)));
    }

    private Extent extent(int coordinate) {
        double[] range = range(exact(coordinate).orElseGet(() -> drawn(coordinate)));
        return new Extent(name(coordinate), range[0], range[1], BINS / 2, false);
    }

    private static SmallMultiples.Cloud cloud(String name, List<Integer> coordinates, IntFunction<double[]> values) {
        return new SmallMultiples.Cloud(
                name,
                coordinates.stream().map(values::apply).map(ChainPictures::some).toArray(double[][]::new));
    }

    private String pairsBeyond(List<Integer> coordinates, List<Extent> extents) {
        double[][] values = coordinates.stream().map(this::drawn).toArray(double[][]::new);
        long outside = IntStream.range(0, values[0].length)
                .filter(draw -> IntStream.range(0, values.length)
                        .anyMatch(k -> !(values[k][draw] >= extents.get(k).low()
                                && values[k][draw] <= extents.get(k).high())))
                .count();
        return Numbers.forPeople((double) outside) + " of " + Numbers.forPeople(values[0].length)
                + " draws of the chains";
    }

    /** At most {@value #PICTURED} values, evenly from all. */
    private static double[] some(double[] values) {
        int count = Math.min(PICTURED, values.length);
        return IntStream.range(0, count)
                .mapToDouble(i -> values[(int) ((long) values.length * i / count)])
                .toArray();
    }

    private double[] drawn(int coordinate) {
        return ChainDraws.pooled(trace.coordinate(coordinate));
    }

    private Optional<double[]> exact(int coordinate) {
        int dimension = trace.coordinates();
        return exact.map(all -> IntStream.range(0, all.length / dimension)
                .mapToDouble(i -> all[i * dimension + coordinate])
                .toArray());
    }

    /** The 0.1 % to 99.9 % quantiles and a tenth more, at most {@value #REACH} widths from the middle half. */
    static double[] range(double... values) {
        double[] sorted =
                Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
        if (sorted.length == 0) {
            return new double[] {-1, 1};
        }
        double low = ChainDraws.quantile(sorted, TAIL);
        double high = ChainDraws.quantile(sorted, 1 - TAIL);
        double quarter = ChainDraws.quantile(sorted, 0.25);
        double threeQuarters = ChainDraws.quantile(sorted, 0.75);
        double half = threeQuarters - quarter;
        if (half > 0) {
            low = Math.max(low, quarter - REACH * half);
            high = Math.min(high, threeQuarters + REACH * half);
        }
        double margin = high > low ? (high - low) / 10 : Math.max(1e-6, Math.abs(low) / 10);
        return new double[] {low - margin, high + margin};
    }

    private static Series histogram(String name, double[] values, double[] range) {
        double width = (range[1] - range[0]) / BINS;
        double[] density = new double[BINS];
        for (double value : values) {
            int bin = (int) Math.floor((value - range[0]) / width);
            if (bin >= 0 && bin < BINS) {
                density[bin] += 1 / (values.length * width);
            }
        }
        return Series.of(name, density, i -> range[0] + (i + 0.5) * width);
    }
}

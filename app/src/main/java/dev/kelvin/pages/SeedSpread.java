package dev.kelvin.pages;

import dev.kelvin.draw.Numbers;
import java.util.Arrays;

/**
 * A figure over the seeds, in words.
 *
 * @param middle the median of those that are known
 * @param range from the least to the most, and how many are not known; empty where all seeds agree
 */
record SeedSpread(String middle, String range) {
    static SeedSpread of(double... values) {
        double[] known =
                Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
        if (known.length == 0) {
            return new SeedSpread("not known", "");
        }
        double least = known[0];
        double most = known[known.length - 1];
        String range = number(least).equals(number(most)) ? "" : number(least) + " to " + number(most);
        int unknown = values.length - known.length;
        String gaps = unknown == 0 ? "" : unknown + " of " + values.length + " not known";
        return new SeedSpread(
                number(median(known)), range.isEmpty() || gaps.isEmpty() ? range + gaps : range + "; " + gaps);
    }

    private static double median(double[] sorted) {
        double low = sorted[(sorted.length - 1) / 2];
        double high = sorted[sorted.length / 2];
        return low == high ? low : low / 2 + high / 2;
    }

    private static String number(double value) {
        return Double.isInfinite(value) ? (value > 0 ? "∞" : "−∞") : Numbers.forPeople(value);
    }

    @Override
    public String toString() {
        return range.isEmpty() ? middle : middle + " (" + range + ")";
    }
}

package dev.kelvin.draw;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One axis of a chart: what it measures, and its range, which may be shown by the logarithm.
 *
 * @param label with the unit; empty where the chart's title says it
 * @param names of the places 0, 1, 2 and on, of an axis without numbers
 */
public record Axis(String label, double low, double high, boolean logarithmic, List<String> names)
        implements Canvas.Ranged {
    /** Left free at both ends of an axis whose values should not touch the frame, as a share of the range. */
    public static final double ROOM = 0.05;

    /** In a range below this, ticks would be equal as doubles. */
    private static final double NARROWEST = 1e-300;

    /** Powers of ten alone from this many on; else twos and fives between them too. */
    private static final int FEW_DECADES = 3;

    public Axis {
        names = List.copyOf(names);
    }

    /** An axis of numbers. */
    public Axis(String label, double low, double high, boolean logarithmic) {
        this(label, low, high, logarithmic, List.of());
    }

    /** An axis of names, each at its place in the list; those wider than so many pixels are shortened. */
    public static Axis of(String label, List<String> names, int width) {
        return new Axis(label, -0.5, names.size() - 0.5, false, Lettering.shortened(names, width));
    }

    /** Around all finite values; logarithmic only if all of them are above 0 too. */
    public static Axis of(String label, double[] values, boolean logarithmic, double room) {
        double[] shown = Arrays.stream(values).filter(Double::isFinite).toArray();
        double low = Arrays.stream(shown).min().orElse(0);
        double high = Arrays.stream(shown).max().orElse(1);
        return logarithmic && low >= Double.MIN_NORMAL
                ? byLogarithm(label, low, high, room)
                : linear(label, low, high, room);
    }

    private static Axis linear(String label, double low, double high, double room) {
        double range = high / 2 - low / 2; // a half, which does not overflow
        double margin = range > NARROWEST ? 2 * room * range : Math.abs(high) > NARROWEST ? Math.abs(high) / 10 : 1;
        return new Axis(
                label, Math.max(-Double.MAX_VALUE, low - margin), Math.min(Double.MAX_VALUE, high + margin), false);
    }

    private static Axis byLogarithm(String label, double low, double high, double room) {
        double range = Math.log(high) - Math.log(low);
        double factor = Math.exp(range > 0 ? room * range : Math.log(2));
        return new Axis(
                label, Math.max(Double.MIN_NORMAL, low / factor), Math.min(Double.MAX_VALUE, high * factor), true);
    }

    @Override
    public double place(double value) {
        return logarithmic
                ? (Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))
                : (value / 2 - low / 2) / (high / 2 - low / 2);
    }

    @Override
    public String words(double tick) {
        return names.isEmpty() ? Canvas.Ranged.super.words(tick) : names.get((int) tick);
    }

    @Override
    public double[] ticks(int parts) {
        if (!names.isEmpty()) {
            return IntStream.range(0, names.size()).asDoubleStream().toArray();
        }
        if (!logarithmic) {
            return roundNumbers(low, high, parts);
        }
        int first = (int) Math.ceil(Math.log10(low) - 1e-9);
        int last = (int) Math.floor(Math.log10(high) + 1e-9);
        int decades = last - first + 1;
        if (decades >= FEW_DECADES) {
            int every = (decades + parts - 1) / parts;
            return IntStream.rangeClosed(first, last)
                    .filter(power -> Math.floorMod(power, every) == 0)
                    .mapToDouble(power -> power(power))
                    .toArray();
        }
        double[] between = IntStream.rangeClosed(first - 1, last)
                .boxed()
                .flatMapToDouble(power -> DoubleStream.of(1, 2, 5).map(digit -> digit * power(power)))
                .filter(tick -> tick >= low && tick <= high)
                .toArray();
        return between.length > 1 ? between : roundNumbers(low, high, parts);
    }

    /** About as many round numbers in [low, high] as parts. */
    static double[] roundNumbers(double low, double high, int parts) {
        double rough = high / parts - low / parts; // which does not overflow
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
        long first = (long) Math.ceil(low / step - 1e-9);
        long last = (long) Math.floor(high / step + 1e-9);
        return LongStream.rangeClosed(first, last).mapToDouble(i -> i * step).toArray();
    }

    /** The double next to a power of ten: Math.pow may miss it by a digit. */
    private static double power(int exponent) {
        return Double.parseDouble("1e" + exponent);
    }
}

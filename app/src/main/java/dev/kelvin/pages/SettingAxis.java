package dev.kelvin.pages;

import dev.kelvin.draw.Axis;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.sweep.SweepRun;
import dev.kelvin.yaml.ScalarText;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A setting of a sweep as an axis of charts: of numbers, if all its values are, or else of names.
 *
 * @param values numbers by their size, others as they were given
 */
record SettingAxis(String path, List<String> values, Axis axis) {
    /** An axis of numbers that differ by more than this is logarithmic. */
    private static final double WIDE = 10;

    /** Of what these runs have; names are shortened to fit, all of them, into so many pixels. */
    static SettingAxis of(String path, List<SweepRun.Result> runs, int width) {
        return of(path, false, runs, width);
    }

    /** As {@link #of(String, List, int)}; of names, if it is to be, even where all values are numbers. */
    static SettingAxis of(String path, boolean names, List<SweepRun.Result> runs, int width) {
        String name = runs.get(0).run().point().shortName(path);
        List<String> values = runs.stream()
                .map(run -> value(path, run))
                .distinct()
                .sorted(Comparator.comparingDouble(value -> number(value)))
                .toList();
        double[] numbers = values.stream().mapToDouble(SettingAxis::number).toArray();
        boolean named = names || Arrays.stream(numbers).anyMatch(number -> !Double.isFinite(number));
        return new SettingAxis(
                path,
                values,
                named
                        ? Axis.of(name, values, width / values.size())
                        : Axis.of(name, numbers, isWide(numbers), 2 * Axis.ROOM));
    }

    /** An axis of a figure of these runs. */
    static Axis of(Figure figure, List<SweepRun.Result> runs) {
        double[] values = runs.stream()
                .mapToDouble(run -> figure.value(run.figures()))
                .filter(Double::isFinite)
                .toArray();
        return Axis.of(figure.title(), values, isWide(values), Axis.ROOM);
    }

    private static boolean isWide(double... values) {
        double least = Arrays.stream(values).min().orElse(0);
        return least > 0 && Arrays.stream(values).max().orElse(0) / least > WIDE;
    }

    private static String value(String path, SweepRun.Result run) {
        return run.run().point().values().getOrDefault(path, "");
    }

    /** A run's value, as recipes write it. */
    String value(SweepRun.Result run) {
        return value(path, run);
    }

    /** Where a run lies. */
    double place(SweepRun.Result run) {
        return axis.names().isEmpty() ? number(value(run)) : values.indexOf(value(run));
    }

    /** NaN where it is none; words stay in their order behind all numbers. */
    private static double number(String value) {
        return ScalarText.number(value).orElse(Double.NaN);
    }
}

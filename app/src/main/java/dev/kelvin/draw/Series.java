package dev.kelvin.draw;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** A named curve: values over steps. A value that is not finite is kept, and drawn as a gap. */
public record Series(String name, List<Point> points) {
    private static final int FEW = 20;
    private static final int MEANS = 200;

    /** One value of a curve. */
    public record Point(double step, double value) {
        /** Whether there is a value to draw. */
        public boolean isFinite() {
            return Double.isFinite(value);
        }
    }

    public Series {
        points = List.copyOf(points);
    }

    /** A curve of values, each at the step of its index. */
    public static Series of(String name, double[] values, IntToDoubleFunction step) {
        return new Series(
                name,
                IntStream.range(0, values.length)
                        .mapToObj(i -> new Point(step.applyAsDouble(i), values[i]))
                        .toList());
    }

    /** How many values are NaN or infinite. */
    public int gaps() {
        return (int) points.stream().filter(point -> !point.isFinite()).count();
    }

    /** Whether the curve has so few values that each should be seen; of one alone there is no line. */
    public boolean isSparse() {
        return points.size() < FEW;
    }

    /** Whether the curve is shown by running means, as the noise of its many values hides its course. */
    public boolean isDense() {
        return points.size() > 2 * MEANS;
    }

    /**
     * The course of a dense curve: means over 1/50 of the values, at {@value #MEANS} places; gaps are left out. It
     * starts and ends half a window inside, because a mean at the very end would lean towards the middle.
     */
    public Series smoothed() {
        int half = points.size() / 100;
        int places = points.size() - 2 * half;
        List<Point> means = new ArrayList<>();
        for (int k = 0; k < MEANS; k++) {
            int middle = half + (int) ((places - 1L) * k / (MEANS - 1));
            List<Point> window = points.subList(middle - half, middle + half + 1);
            // Divided before summing, so that huge values don't overflow; NaN where no value is finite.
            long count = window.stream().filter(Point::isFinite).count();
            double mean = window.stream()
                    .filter(Point::isFinite)
                    .mapToDouble(p -> p.value() / count)
                    .sum();
            means.add(new Point(points.get(middle).step(), count == 0 ? Double.NaN : mean));
        }
        return new Series(name, means);
    }

    /** About {@code most} points that look alike: the ends, and of each bucket the extremes and the first gap. */
    public Series thinned(int most) {
        if (points.size() <= most) {
            return this;
        }
        int buckets = most / 2;
        TreeSet<Integer> kept = new TreeSet<>(List.of(0, points.size() - 1));
        for (int b = 0; b < buckets; b++) {
            int from = (int) ((long) points.size() * b / buckets);
            int to = (int) ((long) points.size() * (b + 1) / buckets);
            keepExtremes(kept, from, to);
        }
        return new Series(name, kept.stream().map(points::get).toList());
    }

    private void keepExtremes(TreeSet<Integer> kept, int from, int to) {
        List<Integer> finite = IntStream.range(from, to)
                .filter(i -> points.get(i).isFinite())
                .boxed()
                .toList();
        Comparator<Integer> byValue =
                Comparator.comparingDouble(i -> points.get(i).value());
        finite.stream().min(byValue).ifPresent(kept::add);
        finite.stream().max(byValue).ifPresent(kept::add);
        IntStream.range(from, to)
                .filter(i -> !points.get(i).isFinite())
                .limit(1)
                .forEach(kept::add);
    }
}

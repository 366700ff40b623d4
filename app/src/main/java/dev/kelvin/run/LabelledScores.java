package dev.kelvin.run;

import dev.kelvin.data.format.Rows;
import dev.kelvin.metric.OutOfDistribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** f of labelled samples by their labels; beyond a bound, every second one of those that are kept is left out. */
public final class LabelledScores {
    /** Of all labels together. */
    private static final int MOST = 1 << 22;

    private final Map<String, Values> byLabel = new LinkedHashMap<>();
    private long seen;
    private long stride = 1;
    private int kept;

    private static final class Values {
        private float[] f = new float[1 << 8];
        private int count;

        void add(double value) {
            if (count == f.length) {
                f = Arrays.copyOf(f, 2 * count);
            }
            f[count++] = (float) value;
        }

        void halve() {
            int left = 0;
            for (int i = 0; i < count; i += 2) {
                f[left++] = f[i];
            }
            count = left;
        }

        DoubleStream doubles() {
            return IntStream.range(0, count).mapToDouble(i -> f[i]);
        }
    }

    /** Adds what was given last, from a sample on, if it has labels. */
    void add(Rows rows, int from, double[] f) {
        if (!rows.labelled()) {
            return;
        }
        for (int i = 0; i < f.length; i++) {
            String label = rows.label(from + i);
            if (!label.isEmpty() && seen++ % stride == 0) {
                byLabel.computeIfAbsent(label, each -> new Values()).add(f[i]);
                kept++;
            }
        }
        if (kept > MOST) {
            byLabel.values().forEach(Values::halve);
            kept = byLabel.values().stream().mapToInt(values -> values.count).sum();
            stride *= 2;
        }
    }

    /** The label that most samples have. */
    public Optional<String> mostFrequent() {
        return byLabel.entrySet().stream()
                .max(Comparator.comparingInt(each -> each.getValue().count))
                .map(Map.Entry::getKey);
    }

    /** Whether there are samples of this label and of others. */
    public boolean separates(String normal) {
        return byLabel.containsKey(normal) && byLabel.size() > 1;
    }

    /** How well f separates samples with this label, of which there are some, from the others. */
    public Separation separation(String normal) {
        double[] in = Objects.requireNonNull(byLabel.get(normal)).doubles().toArray();
        double[] out = byLabel.entrySet().stream()
                .filter(each -> !each.getKey().equals(normal))
                .flatMapToDouble(each -> each.getValue().doubles())
                .toArray();
        return new Separation(normal, OutOfDistribution.of(in, out), in, out);
    }

    /**
     * Samples with one label against all others.
     *
     * @param in f of those with the label
     * @param out f of the others
     */
    public record Separation(String normal, OutOfDistribution figures, double[] in, double[] out) {
        private static final double[] RATES = {0.001, 0.003, 0.01, 0.03, 0.1};

        /** Thresholds on f by their rate of false alarms, with the share of the others that each finds, and its precision. */
        public List<Map<String, Double>> thresholds() {
            double[] sorted = Arrays.stream(in).sorted().toArray();
            List<Map<String, Double>> rows = new ArrayList<>();
            for (double rate : RATES) {
                int below = (int) Math.floor(rate * sorted.length);
                if (below == 0) {
                    continue; // too few samples
                }
                double threshold = sorted[below - 1];
                double alarms = atMost(in, threshold);
                double found = atMost(out, threshold);
                Map<String, Double> row = new LinkedHashMap<>();
                row.put("f", threshold);
                row.put("false_alarms", alarms);
                row.put("found", found);
                row.put("precision", found * out.length / (found * out.length + alarms * in.length));
                rows.add(row);
            }
            return rows;
        }

        /** The share of samples whose f is at most a threshold. */
        private static double atMost(double[] f, double threshold) {
            return (double) Arrays.stream(f).filter(value -> value <= threshold).count() / f.length;
        }
    }
}

package dev.kelvin.negative;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Negatives of one batch from several sources, such as chains with different kernels, steps or memories (Robust to Inaccurate
 * SGLD Samples, discussion). The first rows are the first source's, and so on; row i has the component of positive i, in turn,
 * whichever source it comes from. All sources must sample the same exp(f/T), because their samples are weighed as one set.
 */
public record SeveralSources(List<Part> parts) implements NegativeSource {
    /** A source, and how many of the negatives it gives. */
    public record Part(NegativeSource source, int count) {
        public Part {
            Check.atLeast("count", count, 1);
        }
    }

    public SeveralSources {
        parts = List.copyOf(parts);
    }

    @Override
    public DrawnNegatives draw(Key key, long iteration, Target target, Batch positives, int count) {
        int all = parts.stream().mapToInt(Part::count).sum();
        if (all != count) {
            throw new IllegalArgumentException("the sources give " + all + " samples, asked for are " + count);
        }
        try (Scope scope = Scope.open()) {
            List<Tensor> x = new ArrayList<>();
            double accepted = 0;
            int judged = 0;
            Map<String, double[]> sums = new TreeMap<>(); // of each figure: of values by samples, and of samples
            int from = 0;
            for (Part part : parts) {
                DrawnNegatives drawn = part.source.draw(
                        key.child(x.size()), iteration, target, beside(positives, from, part.count), part.count);
                x.add(drawn.x());
                if (drawn.acceptance().isPresent()) {
                    accepted += part.count * drawn.acceptance().getAsDouble();
                    judged += part.count;
                }
                drawn.figures().forEach((figure, value) -> {
                    double[] sum = sums.computeIfAbsent(figure, name -> new double[2]);
                    sum[0] += part.count * value;
                    sum[1] += part.count;
                });
                from += part.count;
            }
            Map<String, Double> figures = new TreeMap<>();
            sums.forEach((figure, sum) -> figures.put(figure, sum[0] / sum[1]));
            return new DrawnNegatives(
                    scope.keep(Tensors.concat(0, x)),
                    positives.components(count),
                    judged == 0 ? OptionalDouble.empty() : OptionalDouble.of(accepted / judged),
                    Optional.empty(),
                    figures);
        }
    }

    /** The first source alone may adapt its steps. */
    @Override
    public double[] found() {
        return parts.get(0).source.found();
    }

    @Override
    public void settle(double[] sums) {
        parts.get(0).source.settle(sums);
    }

    /** The positives of {@code count} negatives from a row on, in turn. */
    private static Batch beside(Batch positives, int from, int count) {
        long[] rows = LongStream.range(from, from + count)
                .map(i -> i % positives.size())
                .toArray();
        long[] k = Arrays.stream(rows).map(i -> positives.k()[(int) i]).toArray();
        return new Batch(positives.x().rows(rows), k);
    }

    /** The first source's names are those that it has alone. */
    private static State of(State state, int part) {
        return part == 0 ? state : state.at(Integer.toString(part));
    }

    @Override
    public void save(State state) {
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).source.save(of(state, i));
        }
    }

    @Override
    public void load(State state) {
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).source.load(of(state, i));
        }
    }

    @Override
    public void close() {
        parts.forEach(part -> part.source.close());
    }
}

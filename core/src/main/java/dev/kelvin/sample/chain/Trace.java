package dev.kelvin.sample.chain;

import dev.kelvin.diagnostic.Summary;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * What chains visited, in bounded memory: when {@code most} draws are held, every second one is dropped and from then on
 * only every second offered one is kept. So the draws are always evenly spaced and cover the whole run. Draws of double
 * chains are held as doubles.
 */
public final class Trace {
    private final int most;
    private final List<Row> draws = new ArrayList<>();
    private Row last = new Row(new float[0], new double[0]);
    private long[] shape = {0, 0};
    private int stride = 1;
    private long offered;

    /** The positions of all chains, [chains, coordinates], in the precision that they came in: one of the two is empty. */
    private record Row(float[] floats, double[] doubles) {
        static Row of(Tensor x) {
            return x.dtype() == DType.DOUBLE
                    ? new Row(new float[0], x.toDoubles())
                    : new Row(x.toFloats(), new double[0]);
        }

        boolean isDouble() {
            return floats.length == 0;
        }

        int size() {
            return isDouble() ? doubles.length : floats.length;
        }

        double get(int i) {
            return isDouble() ? doubles[i] : floats[i];
        }
    }

    /** Keeps at most {@code most} draws of each chain; of more, every second, then every fourth, and so on. */
    public Trace(int most) {
        this.most = Math.toIntExact(Check.atLeast("most", most, 2));
    }

    /** Offers the chains' positions, [chains, ...]. */
    public void add(Tensor x) {
        Row row = Row.of(x);
        if (offered > 0 && (row.isDouble() != last.isDouble() || !Arrays.equals(shape, x.shape()))) {
            throw new IllegalArgumentException("a trace holds draws of one type and shape; there are "
                    + (last.isDouble() ? "double " : "float ") + Arrays.toString(shape) + ", and " + x + " was added");
        }
        shape = x.shape();
        last = row;
        if (offered++ % stride != 0) {
            return;
        }
        if (draws.size() == most) {
            halve();
            if ((offered - 1) % stride != 0) {
                return;
            }
        }
        draws.add(last);
    }

    private void halve() {
        List<Row> all = List.copyOf(draws);
        draws.clear();
        for (int i = 0; i < all.size(); i += 2) {
            draws.add(all.get(i));
        }
        stride *= 2;
    }

    /** Every how many offered draws one is held. */
    public int stride() {
        return stride;
    }

    /** How many draws of each chain are held. */
    public int draws() {
        return draws.size();
    }

    /** How many chains there are. */
    public int chains() {
        return (int) shape[0];
    }

    /** How many numbers a draw of a chain has. */
    public int coordinates() {
        return draws.isEmpty() ? 0 : draws.get(0).size() / Math.max(1, chains());
    }

    /** One coordinate of all chains, [chain][draw], as the diagnostics want it. */
    public double[][] coordinate(int coordinate) {
        int width = coordinates();
        double[][] values = new double[chains()][draws.size()];
        for (int draw = 0; draw < draws.size(); draw++) {
            for (int chain = 0; chain < values.length; chain++) {
                values[chain][draw] = draws.get(draw).get(chain * width + coordinate);
            }
        }
        return values;
    }

    /** The draws as a tensor of the chains' type on the CPU, [draws, chains, coordinates]. */
    public Tensor tensor() {
        return tensor(draws, draws(), chains(), coordinates());
    }

    /** Where the chains were at last, whether or not that draw is held; of the chains' type and shape, on the CPU. */
    public Tensor last() {
        return tensor(List.of(last), shape);
    }

    private static Tensor tensor(List<Row> rows, long... shape) {
        int count = rows.stream().mapToInt(Row::size).sum();
        boolean doubles = rows.stream().allMatch(Row::isDouble);
        Object all = doubles ? new double[count] : new float[count];
        int at = 0;
        for (Row row : rows) {
            System.arraycopy(doubles ? row.doubles : row.floats, 0, all, at, row.size());
            at += row.size();
        }
        return all instanceof double[] numbers ? Tensors.of(numbers, shape) : Tensors.of((float[]) all, shape);
    }

    /** Mean, sd, Monte Carlo errors, quantiles, effective sample sizes and R-hat of each coordinate, named x0, x1, … */
    public Summary summary() {
        return summary(IntStream.range(0, coordinates()).mapToObj(i -> "x" + i).toList());
    }

    /** Mean, sd, Monte Carlo errors, quantiles, effective sample sizes and R-hat of each coordinate, with these names. */
    public Summary summary(List<String> names) {
        Check.require(
                names.size() == coordinates(),
                "names",
                "must be one for each of the " + coordinates() + " coordinates; found " + names.size());
        return Summary.of(names, this::coordinate);
    }

    /** The draws in other coordinates, to which the map takes rows [n, ...]. */
    public Trace mapped(UnaryOperator<Tensor> map) {
        Trace mapped = new Trace(most);
        mapped.stride = stride;
        mapped.offered = offered;
        mapped.shape = shape;
        try (Scope scope = Scope.open()) {
            for (Row row : draws) {
                mapped.draws.add(Row.of(map.apply(tensor(List.of(row), shape))));
            }
            mapped.last = Row.of(map.apply(last()));
        }
        return mapped;
    }
}

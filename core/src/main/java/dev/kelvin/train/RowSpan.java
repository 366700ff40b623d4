package dev.kelvin.train;

import dev.kelvin.tensor.Tensor;
import java.util.Arrays;

/** Some neighbouring rows of a batch. */
record RowSpan(int from, int count) {
    static RowSpan of(int all, int part, int parts) {
        int from = part * (all / parts);
        return new RowSpan(from, part == parts - 1 ? all - from : all / parts);
    }

    Tensor of(Tensor x) {
        return x.size(0) == count ? x : x.narrow(0, from, count);
    }

    long[] of(long[] k) {
        return Arrays.copyOfRange(k, from, from + count);
    }

    double[] of(double[] values) {
        return Arrays.copyOfRange(values, from, from + count);
    }

    /** These rows' numbers among those of all rows, each times the rows' share; 0 elsewhere. */
    double[] within(double[] values, int all) {
        double[] whole = new double[all];
        for (int i = 0; i < count; i++) {
            whole[from + i] = values[i] * count / all;
        }
        return whole;
    }
}

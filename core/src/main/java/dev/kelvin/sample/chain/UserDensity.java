package dev.kelvin.sample.chain;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TensorException;
import java.util.Arrays;
import java.util.Locale;

/** Whether a density that a user wrote is one that chains can walk on, asked once where they start. */
public final class UserDensity {
    private UserDensity() {}

    /** f at each row; refuses what is not one number for each in the rows' precision. */
    private static double[] values(LogDensity density, Tensor x) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor value = evaluated(density, x);
            long[] expected = {x.size(0)};
            if (!Arrays.equals(value.shape(), expected)) {
                throw new InvalidInputException("the log-density returned shape " + Arrays.toString(value.shape())
                        + " for input " + Arrays.toString(x.shape()) + "; expected one value for each row, "
                        + Arrays.toString(expected) + ": " + advice(value, x));
            }
            if (x.dtype() == DType.DOUBLE && value.dtype() != DType.DOUBLE) {
                throw new InvalidInputException("the log-density returned "
                        + value.dtype().toString().toLowerCase(Locale.ROOT)
                        + " for input of type double; chains are sampled in double precision, so make the tensors that it"
                        + " holds double as well, by Tensors.of(double[], shape) or to(DType.DOUBLE)");
            }
            return value.toDoubles();
        }
    }

    private static Tensor evaluated(LogDensity density, Tensor x) {
        try {
            return density.at(x);
        } catch (TensorException e) {
            String message = String.valueOf(e.getMessage());
            boolean types = message.contains("dtype") || message.contains("scalar type");
            throw new IllegalArgumentException(
                    "the log-density failed for input " + x + ": " + message
                            + (types && x.dtype() == DType.DOUBLE
                                    ? "; chains are sampled in double precision, so make the tensors that it holds double as"
                                            + " well, by Tensors.of(double[], shape) or to(DType.DOUBLE)"
                                    : ""),
                    e);
        }
    }

    private static String advice(Tensor value, Tensor x) {
        if (value.count() == 1 && x.size(0) != 1) {
            return "sum over the coordinates of a row, sum(1L), not over all rows";
        }
        return value.dim() == 2 && value.size(1) == 1
                ? "take the last dimension away with squeeze(1)"
                : "sum over all dimensions but the first, sumPerSample()";
    }

    /** Refuses starts at which f is NaN or infinitely high, and what {@link #fine} refuses. */
    public static void requireNumbers(LogDensity density, Tensor x) {
        double[] values = values(density, x);
        for (int i = 0; i < values.length; i++) {
            if (Double.isNaN(values[i]) || values[i] == Double.POSITIVE_INFINITY) {
                throw refused(
                        "the log-density is " + values[i],
                        x,
                        i,
                        "; it must be a number for all real ones: give bounded parameters a Support, or start where it is one");
            }
        }
    }

    /** Where value and gradient are finite; refuses densities that chains cannot walk on anywhere. */
    public static boolean[] fine(LogDensity density, Tensor x) {
        double[] values = values(density, x);
        double[] slopes = slopes(density, x);
        boolean[] fine = new boolean[values.length];
        for (int i = 0; i < fine.length; i++) {
            fine[i] = Double.isFinite(values[i]) && Double.isFinite(slopes[i]);
        }
        return fine;
    }

    /** Σ|∂f| of each row, which is no number where one of them is none. */
    private static double[] slopes(LogDensity density, Tensor x) {
        try (Scope scope = Scope.open()) {
            return density.valueAndGradient(x).gradient().abs().sumPerSample().toDoubles();
        } catch (TensorException e) {
            if (String.valueOf(e.getMessage()).contains("does not require grad")) {
                throw new IllegalArgumentException(
                        "the log-density has no gradient: its value was not computed from x by operations on tensors; numbers"
                                + " that are taken out of a tensor, as by toDoubles(), are constants afterwards",
                        e);
            }
            throw e;
        }
    }

    /** Refuses starts that are not {@link #fine}; what follows the first one's place in the message may say where else. */
    public static void check(LogDensity density, Tensor x, String elsewhere) {
        double[] values = values(density, x);
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(values[i])) {
                throw refused(
                        "the log-density is " + values[i],
                        x,
                        i,
                        elsewhere
                                + "; it must be finite where chains start: give bounded parameters a Support, or give starts of"
                                + " your own where it is finite");
            }
        }
        double[] slopes = slopes(density, x);
        for (int i = 0; i < slopes.length; i++) {
            if (!Double.isFinite(slopes[i])) {
                throw refused(
                        "the gradient of the log-density is " + (Double.isNaN(slopes[i]) ? "NaN" : "infinite"),
                        x,
                        i,
                        elsewhere + ", though its value is " + values[i]
                                + "; look for a where, a root or an absolute value whose slope is infinite there");
            }
        }
    }

    private static InvalidInputException refused(String what, Tensor x, int chain, String advice) {
        return new InvalidInputException(what + " where chain " + chain + " starts, at " + point(x, chain) + advice);
    }

    private static String point(Tensor x, int row) {
        double[] numbers = x.select(0, row).toDoubles();
        String shown = String.join(
                ", ",
                Arrays.stream(numbers)
                        .limit(4)
                        .mapToObj(number -> String.format(Locale.ROOT, "%.4g", number))
                        .toList());
        return "(" + shown + (numbers.length > 4 ? ", ...)" : ")");
    }
}

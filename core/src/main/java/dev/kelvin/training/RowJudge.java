package dev.kelvin.training;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.sample.anneal.PartitionFunction;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;

/** Measures models of a table's rows by those that are held out, in the table's own units. */
public record RowJudge(SplitTable data) {
    /** Draws of the rows that a Gaussian is fitted to. */
    public static final int FITTED = 20_000;

    /** How log Z is computed when a model is judged. */
    public static final PartitionFunction.Settings NORMALISER = new PartitionFunction.Settings(0.1, 500, 5_000_000);

    /** The largest gap between the bounds of log Z at which log p is given as a number, in nats. */
    private static final double KNOWN = 2;

    /** Added to the Gaussian's variances, as a share of them: columns may follow from others. */
    private static final double RIDGE = 1e-4;

    private static final Key SCORE = KeyDomain.TABLE_SCORE.key();
    private static final int QUICK_CHAINS = 128;
    private static final int QUICK_DENSITIES = 64;
    private static final int BLOCK = 8192;

    /** Whether log Z is known well enough to give log p. */
    public static boolean known(double lower, double upper) {
        return upper - lower <= KNOWN && upper - lower > -KNOWN;
    }

    /** A Gaussian with the mean and the covariance of points [n, d]. */
    public static Gaussian fitted(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor points = x.to(Device.CPU).to(DType.DOUBLE);
            Tensor mean = points.mean(0L);
            Tensor centred = points.minus(mean);
            Tensor covariance = centred.transpose().contiguous().matmul(centred).times(1.0 / x.size(0));
            return Gaussian.of(mean, covariance, variance -> variance + RIDGE * Math.max(variance, RIDGE));
        }
    }

    /** f at rows (x − m)/s, in the table's units: exp(f/T) is a density of x, not of z. */
    public double[] inUnits(LogDensity f, Tensor standard, double temperature) {
        double[] found = f.at(data.seen(standard)).toDoubles();
        double[] units = data.logDeterminant(standard);
        for (int i = 0; i < found.length; i++) {
            found[i] += temperature * units[i];
        }
        return found;
    }

    /** f at rows of the table, in its units. */
    public double[] at(LogDensity f, double temperature, int... rows) {
        double[] values = new double[rows.length];
        for (int from = 0; from < rows.length; from += BLOCK) {
            try (Scope scope = Scope.open()) {
                int[] some = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + BLOCK));
                double[] found = inUnits(f, data.standard(some), temperature);
                System.arraycopy(found, 0, values, from, found.length);
            }
        }
        return values;
    }

    /** A checkpoint's score, lower is better: the negative mean log-likelihood of held-out rows by a short annealing. */
    public double score(LogDensity density, boolean normalised, Device device) {
        Key[] keys = SCORE.split(3);
        try (Scope scope = Scope.open()) {
            Tensor heldOut = data.heldOutStandard(keys[0]);
            double mean = mean(inUnits(density, heldOut, 1));
            if (normalised) {
                return -mean;
            }
            Gaussian gaussian = fitted(data.draws().draw(keys[2], FITTED));
            return PartitionFunction.quick(keys[1], density, gaussian, QUICK_CHAINS, QUICK_DENSITIES, device)
                            .estimate()
                    - mean;
        }
    }

    /** The mean of numbers; NaN of none. */
    public static double mean(double... values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    /** log Z of a model's density with its bounds, by the keys of an evaluation with this key. */
    public PartitionFunction normaliser(Key key, Model model, Gaussian gaussian, Tensor samples) {
        return PartitionFunction.of(key, model.density(), gaussian, Optional.of(samples), NORMALISER, model.device());
    }

    /** What a plain model is compared with: f of the held-out rows, and log Z; that of {@code kelvin evaluate}. */
    Optional<HeldOutReference> reference(Model model, long step) {
        double temperature = model.temperature();
        Key[] keys = model.card().evaluationKey().split(6);
        try (Scope scope = Scope.open()) {
            double[] f = at(model.logDensity(), temperature, data.split().heldOut());
            Gaussian gaussian = fitted(data.draws().draw(keys[1], FITTED));
            SampleRequest request = model.chainSettings().negativesDiffer()
                    ? SampleRequest.of(keys[2], NORMALISER.chains())
                    : SampleRequest.negatives(keys[2].child(1), NORMALISER.chains());
            Tensor samples = model.sampler().draw(request).x();
            PartitionFunction z = normaliser(keys[3], model, gaussian, samples);
            Optional<HeldOutReference.Bounds> bounds = known(z.lower(), z.upper())
                    ? Optional.of(new HeldOutReference.Bounds(z.lower(), z.upper(), z.estimate()))
                    : Optional.empty();
            return HeldOutReference.of(step, temperature, bounds, f);
        }
    }
}

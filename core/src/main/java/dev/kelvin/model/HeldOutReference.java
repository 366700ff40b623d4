package dev.kelvin.model;

import dev.kelvin.part.Check;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a model's f is compared with, measured when a checkpoint is judged: f of held-out samples, for quantiles, and the
 * normaliser, for log p.
 *
 * @param step of the checkpoint that was judged; nothing here holds for another
 * @param temperature T, where exp(f/T) was learnt
 * @param logNormaliser log Z of exp(f/T); none where it is not known
 * @param heldOut f of held-out samples, ascending; of rows of a table in its own units, so that exp(f/T)/Z is a density of them
 */
public record HeldOutReference(long step, double temperature, Optional<Bounds> logNormaliser, double[] heldOut) {
    /** log Z lies between the two, and is about the estimate. */
    public record Bounds(double lower, double upper, double estimate) {
        /** Bounds whose middle is the estimate. */
        public static Bounds of(double lower, double upper) {
            return new Bounds(lower, upper, (lower + upper) / 2);
        }
    }

    public HeldOutReference {
        heldOut = Arrays.stream(heldOut).sorted().toArray();
        Check.positive("temperature", temperature);
        Check.require(heldOut.length > 0, "heldOut", "must have a sample or more");
    }

    /** A reference, or nothing where f is no number at some sample, or there is none: a model that has broken has none. */
    public static Optional<HeldOutReference> of(
            long step, double temperature, Optional<Bounds> logNormaliser, double... heldOut) {
        boolean usable = heldOut.length > 0 && Arrays.stream(heldOut).allMatch(Double::isFinite);
        return usable ? Optional.of(new HeldOutReference(step, temperature, logNormaliser, heldOut)) : Optional.empty();
    }

    /**
     * The share of held-out samples whose f is no higher, the sample itself counted among them: (1 + #{h ≤ f})/(1 + n). Of a
     * sample of the data it is at most q with probability q, so it is a p-value of “this is a sample of the data” (Vovk
     * et al. 2005). NaN where f is.
     */
    public double quantile(double f) {
        if (Double.isNaN(f)) {
            return Double.NaN;
        }
        int low = 0;
        int high = heldOut.length; // the first that is higher lies in [low, high]
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (heldOut[middle] <= f) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return (1.0 + low) / (1.0 + heldOut.length);
    }

    /** log p of a sample with this f, in nats; nothing where the normaliser is not known. */
    public OptionalDouble logDensity(double f) {
        return logNormaliser.stream()
                .mapToDouble(bounds -> f / temperature - bounds.estimate())
                .findFirst();
    }
}

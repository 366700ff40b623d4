package dev.kelvin.model;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a model's f is compared with, measured when a run is judged and kept as {@value #FILE} in its folder: f of held-out
 * samples, for quantiles, and the normaliser, for log p.
 *
 * @param step of the checkpoint that was judged; nothing here holds for another
 * @param temperature T, where exp(f/T) was learnt
 * @param logNormaliser log Z of exp(f/T); none where it is not known
 * @param heldOut f of held-out samples, ascending; of rows of a table in its own units, so that exp(f/T)/Z is a density of them
 */
public record HeldOutReference(long step, double temperature, Optional<Bounds> logNormaliser, double[] heldOut) {
    /** Its name in a run's folder. */
    public static final String FILE = "reference.json";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    /** log Z lies between, and is about the estimate. */
    public record Bounds(double lower, double upper, double estimate) {
        /** With the middle for an estimate. */
        public static Bounds of(double lower, double upper) {
            return new Bounds(lower, upper, (lower + upper) / 2);
        }
    }

    public HeldOutReference {
        heldOut = Arrays.stream(heldOut).sorted().toArray();
        Check.positive("temperature", temperature);
        Check.require(heldOut.length > 0, "heldOut", "must have a sample or more");
    }

    /** The same, or nothing where f is no number at some sample, or there is none: a model that has broken tells nothing. */
    public static Optional<HeldOutReference> of(
            long step, double temperature, Optional<Bounds> logNormaliser, double... heldOut) {
        boolean tells = heldOut.length > 0 && Arrays.stream(heldOut).allMatch(Double::isFinite);
        return tells ? Optional.of(new HeldOutReference(step, temperature, logNormaliser, heldOut)) : Optional.empty();
    }

    /** What a run's folder says; nothing where it has not been judged. */
    public static Optional<HeldOutReference> read(Path run) throws IOException {
        Path file = run.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(JsonFile.read(
                file,
                "judge the run again by: " + Words.command("evaluate", run),
                text -> JSON.readValue(text, HeldOutReference.class)));
    }

    /** Writes it to a run's folder for {@link #read}. */
    public void write(Path run) throws IOException {
        AtomicFile.write(run.resolve(FILE), JSON.writeValueAsString(this));
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
        return logNormaliser.isPresent()
                ? OptionalDouble.of(f / temperature - logNormaliser.get().estimate())
                : OptionalDouble.empty();
    }
}

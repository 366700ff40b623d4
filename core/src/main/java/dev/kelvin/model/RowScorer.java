package dev.kelvin.model;

import dev.kelvin.data.table.TableRows;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * Says of samples what {@code kelvin score} does: f, log p, the quantile of f among held-out samples, whether that is an alarm, the
 * oddest column, and p(y|x). It is for whoever reads samples from somewhere else than {@link Model#open} does; threads may share it.
 */
public final class RowScorer {
    /** The quantile up to which a sample is an alarm, unless another is given. */
    public static final double USUAL_ALARM = 0.01;

    /**
     * How samples are scored.
     *
     * @param by the score that separates the data from others
     * @param alarm the quantile up to which a sample is an alarm: the share of false alarms among samples of the data
     * @param closer the quantile up to which the column that makes a row odd is found by the model itself
     */
    public record Settings(OodScore by, double alarm, double closer) {
        public Settings {
            Check.require(alarm > 0 && alarm < 1, "alarm", "must be a share between 0 and 1, found " + alarm);
            Check.within("closer", closer, 0, 1);
        }
    }

    /** Samples that are read together: enough to keep the processors busy, and few enough of large images. */
    private static final int MOST = 1024;

    private static final int LEAST = 32;
    private static final int NUMBERS = 1 << 20;

    /** Some of the samples that were read together, from one on to before another. */
    public record Part(int from, int to) {}

    private final Settings settings;
    private final Optional<HeldOutReference> reference;
    private final Optional<RowOddness> oddness;
    private final List<String> columns;
    private final List<String> classes;
    private final double temperature;

    /** Of a model, which must have the score. */
    public RowScorer(Model model, Settings settings) {
        model.requireScore(settings.by());
        this.settings = settings;
        reference = model.card().reference();
        oddness = model.oddness(settings.closer());
        columns = oddness.map(RowOddness::names).orElse(List.of());
        classes = model.classes();
        temperature = model.temperature();
    }

    /** The names of the columns of which one is the oddest; none where the model has no columns. */
    public List<String> columns() {
        return columns;
    }

    /** The classes' names; none where the model has none. */
    public List<String> classes() {
        return classes;
    }

    /**
     * How many samples of a kind are read together. The last bits of f depend on the batch in which a sample is, and on its place
     * there: whoever wants the numbers of {@code kelvin score} reads so many, those that cannot be scored counted, and scores
     * them by {@link #parts}.
     */
    public static int together(SampleKind kind) {
        return kind.rows().isPresent()
                ? TableRows.together(kind.width())
                : Math.max(LEAST, Math.min(MOST, NUMBERS / kind.width()));
    }

    /** The parts in which samples that were read together are scored, each by itself: two halves, but of a few samples. */
    public static List<Part> parts(int samples) {
        return samples < LEAST
                ? List.of(new Part(0, samples))
                : List.of(new Part(0, samples / 2), new Part(samples / 2, samples));
    }

    /**
     * Scores samples.
     *
     * @param joint the model's, bound in a scope that is open
     * @param x samples as the model sees them, on its device
     * @param logDeterminant what is added to f/T of each to be that of the sample in its own units
     */
    public RowScores of(JointDensity joint, Tensor x, IntToDoubleFunction logDeterminant) {
        Scores seen = Scores.of(joint, x, settings.by());
        double[] added = new double[seen.f().length];
        Arrays.setAll(added, logDeterminant);
        Scores scores = seen.plus(temperature, added);
        double[] f = scores.f();
        double[] logDensity = new double[f.length];
        double[] quantile = new double[f.length];
        boolean[] alarm = new boolean[f.length];
        for (int i = 0; i < f.length; i++) {
            logDensity[i] =
                    reference.isPresent() ? reference.get().logDensity(f[i]).orElse(Double.NaN) : Double.NaN;
            quantile[i] = reference.isPresent() ? reference.get().quantile(f[i]) : Double.NaN;
            alarm[i] = quantile[i] <= settings.alarm();
        }
        int[] oddest = oddness.map(odd -> odd.of(x, quantile)).orElseGet(() -> RowScores.none(f.length));
        return new RowScores(scores, logDensity, quantile, alarm, oddest);
    }
}

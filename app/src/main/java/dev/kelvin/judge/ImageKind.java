package dev.kelvin.judge;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.metric.image.InceptionScore;
import dev.kelvin.metric.image.KernelDistance;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Images that are compared with the training images by a network's features, and what their figures are called. */
@SuppressWarnings("ImmutableEnumChecker") // figures never change
public enum ImageKind {
    /** Chains from fresh starts, as the model is judged by. */
    FRESH(
            "fresh chains",
            ModelFigures.SAMPLES,
            FrechetDistance.FID,
            Optional.of(FrechetDistance.FID_SHARE),
            KernelDistance.KID,
            InceptionScore.INCEPTION_SCORE),

    /** Chains of the replay buffer. */
    BUFFER(
            "the replay buffer",
            ModelFigures.BUFFER_SAMPLES,
            FrechetDistance.FID_BUFFER,
            Optional.of(FrechetDistance.FID_BUFFER_SHARE),
            KernelDistance.KID_BUFFER,
            InceptionScore.IS_BUFFER),

    /** Samples of a Gaussian with the pixels' mean and covariance. */
    GAUSSIAN(
            "a fitted Gaussian",
            ModelFigures.GAUSSIAN_SAMPLES,
            FrechetDistance.FID_GAUSSIAN,
            Optional.empty(),
            KernelDistance.KID_GAUSSIAN,
            InceptionScore.IS_GAUSSIAN),

    /** Held-out images. */
    TEST(
            "held-out images",
            ModelFigures.TEST_SAMPLES,
            FrechetDistance.FID_TEST,
            Optional.of(FrechetDistance.FID_TEST_SHARE),
            KernelDistance.KID_TEST,
            InceptionScore.IS_TEST);

    private final String words;
    private final Figure count;
    private final Figure fid;
    private final Optional<Figure> share;
    private final Figure kid;
    private final Figure score;

    ImageKind(String words, Figure count, Figure fid, Optional<Figure> share, Figure kid, Figure score) {
        this.words = words;
        this.count = count;
        this.fid = fid;
        this.share = share;
        this.kid = kid;
        this.score = score;
    }

    /** Those that were measured. */
    public static List<ImageKind> in(Map<String, Double> figures) {
        return Arrays.stream(values())
                .filter(kind -> figures.containsKey(kind.fid.name()) && figures.containsKey(kind.count.name()))
                .toList();
    }

    /** Whether a figure is one of theirs whose mean depends on their number: of different numbers it does not compare. */
    public boolean isBiased(Figure figure) {
        return figure.equals(fid)
                || figure.equals(score)
                || share.filter(figure::equals).isPresent();
    }

    /** The figures that only the table of all kinds shows. */
    static List<String> namesInTable() {
        return Stream.of(BUFFER, GAUSSIAN, TEST)
                .flatMap(kind -> Stream.concat(
                        kind.share.stream(),
                        kind == BUFFER
                                ? Stream.of(kind.kid)
                                : kind == GAUSSIAN
                                        ? Stream.of(kind.count, kind.kid, kind.score)
                                        : Stream.of(kind.count, kind.fid, kind.kid, kind.score)))
                .map(Figure::name)
                .toList();
    }

    /** What they are, for people. */
    public String words() {
        return words;
    }

    /** How many there are. */
    public Figure count() {
        return count;
    }

    /** Their Fréchet distance. */
    public Figure fid() {
        return fid;
    }

    /** The distance relative to the Gaussian's; the Gaussian has none. */
    public Optional<Figure> share() {
        return share;
    }

    /** Their kernel distance. */
    public Figure kid() {
        return kid;
    }

    /** Their Inception score. */
    public Figure score() {
        return score;
    }
}

package dev.kelvin.judge.component;

import dev.kelvin.math.Box;
import dev.kelvin.metric.Calibration;
import java.util.Map;
import java.util.Optional;

/**
 * What a model's components (none, classes, times, latent vectors) add to its judgement.
 *
 * @param calibration of the model's own p(y|x), if it has classes
 * @param times of a time-joint model
 * @param latent of a latent model
 * @param samplesWords what the judged samples are, in a sentence
 * @param filmWords what the chains of a film do, to go on with after their number
 */
public record ComponentEvaluation(
        Map<String, Double> figures,
        Optional<Calibration.Report> calibration,
        Optional<Times> times,
        Optional<LatentView> latent,
        String samplesWords,
        String filmWords) {
    /** What was measured of a time-joint model. */
    public record Times(TimeView view, Optional<TimeDensities> densities, Optional<TimeNormaliser> normaliser) {}

    /** Figures, and what the samples are in words. */
    public static ComponentEvaluation of(Map<String, Double> figures, String samplesWords, String filmWords) {
        return new ComponentEvaluation(
                figures, Optional.empty(), Optional.empty(), Optional.empty(), samplesWords, filmWords);
    }

    /** The square that holds the densities of all times, of a time-joint model of the plane. */
    public Optional<Box> box() {
        return times.flatMap(Times::densities).map(TimeDensities::box);
    }
}

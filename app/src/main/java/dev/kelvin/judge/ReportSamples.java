package dev.kelvin.judge;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.tensor.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The samples that a report shows, as the model sees them. They have a key of their own: looking at a run changes nothing in it.
 *
 * @param model chains on f
 * @param negatives chains as training runs them, if those are on another density than f
 * @param film how chains reach their samples
 */
public record ReportSamples(Drawn model, Optional<Drawn> negatives, List<Frame> film) {
    /** Of the draws that reports show. */
    static final Key KEY = KeyDomain.REPORT.key();

    /** The chains at one moment. */
    public record Frame(String moment, Drawn x) {}

    public ReportSamples {
        film = List.copyOf(film);
    }

    /** As many chains of training as {@code count}. */
    static Optional<Drawn> negatives(Experiment experiment, int count) {
        return experiment.model().sampler().traits().negativesDiffer()
                ? Optional.of(Drawn.of(experiment
                        .model()
                        .sampler()
                        .draw(SampleRequest.negatives(KEY.child(3), count))
                        .x()))
                : Optional.empty();
    }

    /** A film of some chains. */
    static List<Frame> film(Experiment experiment, int chains) {
        List<Frame> film = new ArrayList<>();
        experiment
                .model()
                .sampler()
                .film(KEY.child(1), chains, (moment, x) -> film.add(new Frame(moment, Drawn.of(x))));
        return film;
    }
}

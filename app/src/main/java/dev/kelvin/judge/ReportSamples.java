package dev.kelvin.judge;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
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

    /** Samples of the model. */
    static Drawn drawn(Experiment experiment, int count) {
        try (Scope scope = Scope.open()) {
            return Drawn.of(experiment.drawn(SampleRequest.of(KEY.child(0), count)));
        }
    }

    /** This many of each kind, and a film of some chains, whose last frame has the samples where they are {@code filmed}. */
    static ReportSamples of(Experiment experiment, int count, int chains, boolean filmed) {
        List<Frame> film = new ArrayList<>();
        try (Scope scope = Scope.open()) {
            if (chains > 0) {
                experiment
                        .sampler()
                        .film(KEY.child(1), chains, (moment, x) -> film.add(new Frame(moment, Drawn.of(x))));
            }
            Optional<Drawn> negatives = experiment.sampler().traits().negativesDiffer()
                    ? Optional.of(Drawn.of(experiment.drawn(SampleRequest.negatives(KEY.child(3), count))))
                    : Optional.empty();
            return new ReportSamples(
                    filmed ? film.get(film.size() - 1).x() : drawn(experiment, count), negatives, film);
        }
    }
}

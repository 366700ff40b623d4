package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.RecordedPullback;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * A learner's table with its parameters as they are, and the way back. On a GPU both are recorded when a batch of the same
 * shape comes a second time, and played from then on.
 */
final class RecordedTables implements AutoCloseable {
    private final EnergyModel model;
    private final Parameters parameters;
    private final Recordings<List<Long>, RecordedPullback> recordings =
            new Recordings<>("Passes of training", 1, RecordedPullback::close);

    RecordedTables(EnergyModel model, Parameters parameters) {
        this.model = model;
        this.parameters = parameters;
    }

    Pullback at(Tensor x) {
        if (!x.device().cuda()) {
            return model.pullback(parameters, x);
        }
        List<Long> shape = Arrays.stream(x.shape()).boxed().toList();
        return recordings
                .of(shape, () -> RecordedPullback.of(input -> model.pullback(parameters, input), x, model.components()))
                .map(recorded -> recorded.at(x))
                .orElseGet(() -> model.pullback(parameters, x));
    }

    @Override
    public void close() {
        recordings.close();
    }
}

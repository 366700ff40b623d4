package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.RecordedPullback;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TensorException;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A learner's table with its parameters as they are, and the way back. On a GPU both are recorded when a batch of the same
 * shape comes a second time, and played from then on.
 */
final class RecordedTables implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecordedTables.class);

    private final EnergyModel model;
    private final Parameters parameters;
    private long[] shape = {};
    private Optional<RecordedPullback> recorded = Optional.empty();
    private boolean records = true;

    RecordedTables(EnergyModel model, Parameters parameters) {
        this.model = model;
        this.parameters = parameters;
    }

    Pullback at(Tensor x) {
        if (!records || !x.device().cuda()) {
            return model.pullback(parameters, x);
        }
        if (!Arrays.equals(shape, x.shape())) {
            close();
            shape = x.shape();
            return model.pullback(parameters, x);
        }
        if (recorded.isEmpty()) {
            try {
                recorded = Optional.of(
                        RecordedPullback.of(input -> model.pullback(parameters, input), x, model.columns()));
            } catch (TensorException | LinkageError e) {
                LOG.warn("Training runs step by step, because it cannot be recorded: {}", e.getMessage());
                records = false;
                return model.pullback(parameters, x);
            }
        }
        return recorded.get().at(x);
    }

    @Override
    public void close() {
        recorded.ifPresent(RecordedPullback::close);
        recorded = Optional.empty();
    }
}

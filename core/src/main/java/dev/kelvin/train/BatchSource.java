package dev.kelvin.train;

import dev.kelvin.energy.Timeline;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;

/** Gives each step its batch of data; the same step, asked again, gets the same. */
@FunctionalInterface
public interface BatchSource {
    /** The batch of this step, {@code count} samples. The key is the step's own, for random draws. */
    Batch batch(Key key, long step, int count);

    /** A stream that never ends: every batch is fresh, whatever the step. */
    static BatchSource fresh(SampleSource data) {
        return (key, step, count) -> Batch.of(data.draw(key, count));
    }

    /** Each batch at random times: z = αₜx + βₜn with its t. */
    default BatchSource over(Timeline timeline) {
        return (key, step, count) -> {
            try (Scope scope = Scope.open()) {
                Key[] keys = key.split(3);
                Batch clean = batch(keys[0], step, count);
                long[] t = timeline.drawTimes(keys[1], clean.size());
                return new Batch(scope.keep(timeline.mix(keys[2], clean.x(), t)), t);
            }
        };
    }
}

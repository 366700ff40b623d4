package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Recording;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A walk on a GPU that is recorded and played again from other starts, with other keys, on a density whose parameters may
 * have changed in place. Its samples are those of {@link Walk#run}, up to the rounding of the device.
 */
public final class RecordedWalk implements AutoCloseable {
    private final Tensor start;
    private final Recording recording;

    private RecordedWalk(Tensor start, Recording recording) {
        this.start = start;
        this.recording = recording;
    }

    /**
     * Records the walk of a kernel that leaves no decision to the host.
     *
     * @param density what is walked on; asked for within the recording, so that what is made of the parameters once a walk
     *     is made anew each time
     */
    public static RecordedWalk of(Key key, Kernel<?> kernel, Supplier<LogDensity> density, Tensor x, int steps) {
        return of(key, kernel, density, x, 0, steps);
    }

    /** The same, of chains that have taken {@code from} steps before. */
    public static RecordedWalk of(
            Key key, Kernel<?> kernel, Supplier<LogDensity> density, Tensor x, int from, int steps) {
        if (kernel.decidesOnHost()) {
            throw new IllegalArgumentException(kernel.words() + " decides on the host, and cannot be recorded");
        }
        Tensor start = Scope.detach(x.copy());
        try {
            Recording recording = Recording.of(x.device(), key, chance -> {
                try (Scope scope = Scope.open()) {
                    return scope.keep(Walk.run(chance, kernel, density.get(), start, from, steps, (step, state) -> {})
                            .x());
                }
            });
            return new RecordedWalk(start, recording);
        } catch (RuntimeException | Error e) {
            start.close();
            throw e;
        }
    }

    /** From these starts, of the recorded number and shape. */
    public Walk run(Key key, Tensor x) {
        start.copyInPlace(x);
        return new Walk(recording.play(key).copy(), new double[0], Map.of());
    }

    @Override
    public void close() {
        recording.close();
        start.close();
    }
}

package dev.kelvin.sample.chain;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Recording;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A walk on a GPU that is recorded and played again from other starts, with other keys, on a density whose parameters may
 * have changed in place. Its samples are those of {@link ChainRun#run}, up to the rounding of the device.
 */
public record RecordedChainRun(Tensor start, Optional<Tensor> stretch, boolean adjusted, Recording recording)
        implements AutoCloseable {
    /**
     * Records the walk of a kernel that leaves no decision to the host.
     *
     * @param density what is walked on; asked for within the recording, so that what is made of the parameters once a walk
     *     is made anew each time
     */
    public static RecordedChainRun of(
            Key key, Kernel<?> kernel, Supplier<LogDensity> density, Tensor x, ChainRun.Course course) {
        if (!kernel.traits().recordable()) {
            throw new IllegalArgumentException(kernel.words() + " decides on the host, and cannot be recorded");
        }
        Tensor start = Scope.detach(x.copy());
        Optional<Tensor> scale = course.stretch().map(given -> Scope.detach(given.copy()));
        boolean adjusted = kernel.traits().adjusted();
        int steps = course.steps();
        try {
            Recording recording = Recording.inParts(x.device(), key, chance -> {
                AtomicReference<ChainRun.Ends> ends = new AtomicReference<>();
                Recording.Work walk = () -> {
                    LogDensity plain = density.get();
                    LogDensity target = scale.map(plain::rescaled).orElse(plain);
                    Tensor from = scale.map(start::over).orElse(start);
                    ChainRun.Ends made =
                            ChainRun.ends(chance, kernel, target, from, course.from(), steps, (step, state) -> {});
                    ends.set(made);
                    return scale.map(made.x()::times).orElse(made.x());
                };
                return adjusted
                        ? List.of(walk, () -> Objects.requireNonNull(ends.get()).acceptance(steps))
                        : List.of(walk);
            });
            return new RecordedChainRun(start, scale, adjusted, recording);
        } catch (RuntimeException | Error e) {
            start.close();
            scale.ifPresent(Tensor::close);
            throw e;
        }
    }

    /** From these starts, of the recorded number and shape, stretched by as much where the recorded ones were. */
    public ChainRun run(Key key, Tensor x, Optional<Tensor> by) {
        start.copyInPlace(x);
        stretch.ifPresent(scale -> scale.copyInPlace(by.orElseThrow()));
        Tensor end = recording.play(key).copy();
        return new ChainRun(end, adjusted ? recording.play(1).toDoubles() : new double[0], Map.of());
    }

    @Override
    public void close() {
        recording.close();
        start.close();
        stretch.ifPresent(Tensor::close);
    }
}

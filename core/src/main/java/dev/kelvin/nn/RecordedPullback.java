package dev.kelvin.nn;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Recording;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A network's output and the way back from it, recorded on a GPU in two parts and played with other inputs and other weights,
 * on parameters that may have changed in place.
 */
public final class RecordedPullback implements AutoCloseable {
    private final Tensor input;
    private final Tensor weights;
    private final Recording recording;

    private RecordedPullback(Tensor input, Tensor weights, Recording recording) {
        this.input = input;
        this.weights = weights;
        this.recording = recording;
    }

    /** For inputs of this shape and outputs [n, outputs]. */
    public static RecordedPullback of(Function<Tensor, Pullback> network, Tensor x, long outputs) {
        Tensor input = Scope.detach(x.copy());
        Tensor weights = Scope.detach(Tensors.zeros(x.dtype(), x.device(), x.size(0), outputs));
        try {
            Recording recording = Recording.inParts(x.device(), Key.of(0), key -> {
                Passes passes = new Passes(network, input, weights);
                return List.of(passes::forward, passes::back);
            });
            return new RecordedPullback(input, weights, recording);
        } catch (RuntimeException | Error e) {
            input.close();
            weights.close();
            throw e;
        }
    }

    /** Both parts of the work, the second with what the first made. */
    private static final class Passes {
        private final Function<Tensor, Pullback> network;
        private final Tensor input;
        private final Tensor weights;
        private Optional<Pullback> made = Optional.empty();

        Passes(Function<Tensor, Pullback> network, Tensor input, Tensor weights) {
            this.network = network;
            this.input = input;
            this.weights = weights;
        }

        Tensor forward() {
            Pullback pullback = network.apply(input);
            made = Optional.of(pullback);
            return pullback.output();
        }

        Tensor back() {
            return made.orElseThrow().gradient().apply(weights);
        }
    }

    /** At this input; the way back is that of the last input alone. */
    public Pullback at(Tensor x) {
        input.copyInPlace(x);
        Tensor output = recording.play(0).detach().copy();
        return new Pullback(output, given -> {
            weights.copyInPlace(given);
            return recording.play(1).copy();
        });
    }

    @Override
    public void close() {
        recording.close();
        input.close();
        weights.close();
    }
}

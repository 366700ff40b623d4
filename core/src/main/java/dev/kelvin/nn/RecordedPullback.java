package dev.kelvin.nn;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Recording;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * An output and the way back from it, recorded on a GPU in two parts and played with other inputs, other random numbers and
 * other weights, on parameters that may have changed in place.
 */
public final class RecordedPullback implements AutoCloseable {
    private static final Key NONE = Key.of(0); // of work that draws no random numbers

    private final Tensor input;
    private final Tensor weights;
    private final Recording recording;

    private RecordedPullback(Tensor input, Tensor weights, Recording recording) {
        this.input = input;
        this.weights = weights;
        this.recording = recording;
    }

    /** Of a network, for inputs of this shape and outputs [n, outputs]. */
    public static RecordedPullback of(Function<Tensor, Pullback> network, Tensor x, long outputs) {
        return of(NONE, (key, input) -> network.apply(input), x, x.size(0), outputs);
    }

    /** Of work that draws its random numbers from a key, for inputs of this shape and outputs of that one. */
    public static RecordedPullback of(Key key, BiFunction<Key, Tensor, Pullback> work, Tensor x, long... outputs) {
        Tensor input = Scope.detach(x.copy());
        Tensor weights = Scope.detach(Tensors.zeros(x.dtype(), x.device(), outputs));
        try {
            Recording recording = Recording.inParts(x.device(), key, chance -> {
                Pullback[] made = new Pullback[1]; // by the first part, for the second
                return List.of(
                        () -> {
                            made[0] = work.apply(chance, input);
                            return made[0].output();
                        },
                        () -> made[0].gradient().apply(weights));
            });
            return new RecordedPullback(input, weights, recording);
        } catch (RuntimeException | Error e) {
            input.close();
            weights.close();
            throw e;
        }
    }

    /** At this input; the way back is that of the last input alone. */
    public Pullback at(Tensor x) {
        return at(NONE, x);
    }

    /** At this input, with the random numbers of this key. */
    public Pullback at(Key key, Tensor x) {
        input.copyInPlace(x);
        Tensor output = recording.play(key).detach().copy();
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

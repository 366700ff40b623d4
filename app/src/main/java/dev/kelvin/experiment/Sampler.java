package dev.kelvin.experiment;

import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.util.Optional;

/** How a run's model is sampled. Of a model with classes the i-th sample is of class i mod classes. */
public interface Sampler {
    /** How many times as far as in training a long sampler walks. */
    int LONGER = 30;

    /** Samples of the model, from chains on f that walk as far as in training; fewer where there are no more. */
    ChainRun draw(Key key, int count);

    /** The same, but always from fresh starts, so that there are as many as are asked for. */
    default ChainRun drawFresh(Key key, int count) {
        return draw(key, count);
    }

    /** Negatives as training makes them, from chains on what the objective samples: (1 − β)f under the robust one. */
    default ChainRun drawNegatives(Key key, int count) {
        return draw(key, count);
    }

    /** One of several batches of negatives by one key: of chains of its own, as far as there are others. */
    default ChainRun drawNegatives(Key key, int batch, int count) {
        return drawNegatives(key.child(batch), count);
    }

    /** Whether negatives are samples of another density than the model's, so that both are worth measuring. */
    default boolean negativesDiffer() {
        return false;
    }

    /** Samples of chains that go {@value #LONGER} times as far; where that can be said, on from some that were drawn. */
    ChainRun drawLong(Key key, Tensor drawn);

    /**
     * Samples of these components from chains of so many steps on f(·)_k: from fresh starts; of a model whose chains of training
     * are of no class, from those chains of its replay buffer that it assigns to the class, where there is a buffer.
     */
    ChainRun drawGiven(Key key, int steps, long... k);

    /** How many steps samples of components are drawn with where so many are usual. */
    default int givenSteps(int usual) {
        return usual;
    }

    /**
     * Samples of chains as short as in training, but at a step size so many times as large and the same temperature: of one
     * density if the chains reach it; where chains start afresh and have a step size.
     */
    default Optional<ChainRun> drawWithLargerSteps(Key key, int count, double times) {
        return Optional.empty();
    }

    /** Samples moved by so many steps of the recipe's kernel on f, as training moves its chains. */
    default ChainRun refine(Key key, Tensor x, int steps) {
        throw new UserException("only a model whose chains run on f itself can refine samples");
    }

    /** What chains in a replay buffer are of the data: themselves, or what the generator of a latent model makes of them. */
    default Tensor seen(Tensor chains) {
        return chains;
    }

    /** What the generator of a latent model makes of the Gaussian, without the learnt prior. */
    default Optional<Tensor> drawWithoutPrior(Key key, int count) {
        return Optional.empty();
    }

    /** Shows how samples come about: some chains from their start on, at moments worth seeing. */
    void film(Key key, int count, Frames frames);

    /** Whether chains are annealed to where they are wanted by steps of their own, so that no one step size and number is theirs. */
    default boolean annealed() {
        return false;
    }

    /** How many samples figures are taken from, where so many would be: fewer where chains are dear. */
    default int judged(int most) {
        return most;
    }

    /** How many steps chains take that are asked to take so many. */
    default int length(int steps) {
        return steps;
    }

    /** Is told where the chains are. */
    interface Frames {
        void at(String moment, Tensor x);
    }
}

package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.nn.Network;
import java.util.List;

/** The network whose output is f. */
public sealed interface ModelSpec {
    /** The network from points of so many dimensions to so many numbers. */
    Network network(int inputs, int outputs);

    /**
     * How many threads one operation of it is worth: one, because on points of the plane the operations are so small
     * that waiting for a second thread takes longer than the work.
     */
    default int threads() {
        return 1;
    }

    @Doc("a fully connected network")
    record Mlp(
            @Doc("the widths of the hidden layers") List<Integer> hidden,

            @Doc("what follows each hidden layer") @Default("leaky-relu")
            Activation activation,

            @Doc("leaky-relu's slope below 0") @Default("0.05")
            double slope)
            implements ModelSpec {
        public Mlp {
            List<Integer> widths = List.copyOf(hidden);
            Checks.all(
                    () -> Check.notEmpty("hidden", widths),
                    () -> checkWidths(widths),
                    () -> Check.within("slope", slope, 0, 1));
            hidden = widths;
        }

        @Override
        public Network network(int inputs, int outputs) {
            return new dev.kelvin.nn.Mlp(inputs, hidden, outputs, activation.with(slope));
        }

        private static void checkWidths(List<Integer> widths) {
            for (int i = 0; i < widths.size(); i++) {
                Check.atLeast("hidden." + i, widths.get(i), 1);
            }
        }
    }

    @Doc("a fully connected network of blocks that add to their input")
    record ResidualMlp(
            @Doc("the width of every layer") int width,

            @Doc("the number of blocks") int blocks,

            @Doc("what follows each hidden layer") @Default("leaky-relu")
            Activation activation,

            @Doc("leaky-relu's slope below 0") @Default("0.05")
            double slope)
            implements ModelSpec {
        public ResidualMlp {
            Checks.all(
                    () -> Check.atLeast("width", width, 1),
                    () -> Check.atLeast("blocks", blocks, 1),
                    () -> Check.within("slope", slope, 0, 1));
        }

        @Override
        public Network network(int inputs, int outputs) {
            return new dev.kelvin.nn.ResidualMlp(inputs, width, blocks, outputs, activation.with(slope));
        }
    }

    /** What follows each hidden layer. */
    enum Activation {
        LEAKY_RELU,
        RELU,
        SILU,
        SOFTPLUS,
        TANH;

        dev.kelvin.nn.Activation with(double slope) {
            return switch (this) {
                case LEAKY_RELU -> new dev.kelvin.nn.Activation.LeakyRelu(slope);
                case RELU -> new dev.kelvin.nn.Activation.LeakyRelu(0);
                case SILU -> new dev.kelvin.nn.Activation.Silu();
                case SOFTPLUS -> new dev.kelvin.nn.Activation.Softplus();
                case TANH -> new dev.kelvin.nn.Activation.Tanh();
            };
        }
    }
}

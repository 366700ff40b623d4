package dev.kelvin.nn;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** How a parameter's first values are drawn. */
public sealed interface Initialisation {
    /** First values of this shape, on the CPU. */
    Tensor draw(Key key, DType type, long... shape);

    /** All of them the same number. */
    record Constant(double value) implements Initialisation {
        @Override
        public Tensor draw(Key key, DType type, long... shape) {
            return Tensors.full(value, type, Device.CPU, shape);
        }
    }

    /** Uniform on ±bound. */
    record Uniform(double bound) implements Initialisation {
        public Uniform {
            Check.notNegative("bound", bound);
        }

        @Override
        public Tensor draw(Key key, DType type, long... shape) {
            return Tensors.uniform(key, -bound, bound, type, Device.CPU, shape);
        }
    }

    /** Normal with mean 0. */
    record Normal(double std) implements Initialisation {
        public Normal {
            Check.notNegative("std", std);
        }

        @Override
        public Tensor draw(Key key, DType type, long... shape) {
            return Scope.kept(() -> Tensors.normal(key, type, Device.CPU, shape).times(std));
        }
    }

    /** What PyTorch gives a layer with this many inputs, weights and biases alike: uniform on ±1/√inputs. */
    static Initialisation fanIn(long inputs) {
        return new Uniform(1 / Math.sqrt((double) inputs));
    }

    /** What Keras gives the weights of a layer with as many inputs and outputs: uniform on ±√(6/(inputs + outputs)). */
    static Initialisation glorot(long inputs, long outputs) {
        return new Uniform(Math.sqrt(6.0 / (inputs + outputs)));
    }

    /** Zeros. */
    static Initialisation zeros() {
        return new Constant(0);
    }
}

package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;

/** A kernel of the tests that claims all that can be asked for, so that broken ones get as far as the right ones. */
public interface Posing<S extends ChainState> extends Kernel<S> {
    @Override
    default KernelTraits traits() {
        return KernelTraits.exact(1).withMemoryless(true);
    }

    @Override
    default String words() {
        return toString();
    }

    /** Another kernel that poses so. */
    static <S extends ChainState> StepSized<S> as(StepSized<S> kernel) {
        return new Disguised<>(kernel);
    }

    /** See {@link #as}. */
    record Disguised<S extends ChainState>(StepSized<S> kernel) implements Posing<S>, StepSized<S> {
        @Override
        public double stepSize() {
            return kernel.stepSize();
        }

        @Override
        public StepSized<S> withStepSize(double stepSize) {
            return new Disguised<>(kernel.withStepSize(stepSize));
        }

        @Override
        public S start(LogDensity target, Tensor x) {
            return kernel.start(target, x);
        }

        @Override
        public Transition<S> step(Key key, LogDensity target, S state) {
            return kernel.step(key, target, state);
        }
    }
}

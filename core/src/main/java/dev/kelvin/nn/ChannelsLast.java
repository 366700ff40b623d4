package dev.kelvin.nn;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/**
 * Another image network that sees its images with the channels innermost in memory, as GPUs and some processors like them
 * best. The numbers are the same up to rounding.
 */
public record ChannelsLast(Network inner) implements WrappedNetwork {
    @Override
    public ChannelsLast shaped(List<Long> shape, int outputs) {
        return new ChannelsLast(inner.shaped(shape, outputs));
    }

    @Override
    public Network byGains(int classes) {
        return new ChannelsLast(inner.byGains(classes));
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            return scope.keep(inner.apply(parameters, seen(input)));
        }
    }

    @Override
    public Tensor inTraining(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            return scope.keep(inner.inTraining(parameters, seen(input)));
        }
    }

    private static Tensor seen(Tensor input) {
        return input.dim() == 4 ? input.channelsLast() : input;
    }

    @Override
    public Network given(long... labels) {
        return new ChannelsLast(inner.given(labels));
    }
}

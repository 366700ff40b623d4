package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Limits that image EBMs put on a step: each gradient component to ±clip, each coordinate to [low, high]. The target sets
 * them, because it knows what the coordinates that a kernel walks in are in x.
 */
final class Limits {
    private Limits() {}

    static Tensor clipped(LogDensity target, Tensor gradient, OptionalDouble clip) {
        return clip.isPresent() ? target.clip(gradient, clip.getAsDouble()) : gradient;
    }

    static Tensor clamped(LogDensity target, Tensor x, Optional<List<Double>> clamp) {
        return clamp.map(range -> target.clamp(x, range.get(0), range.get(1))).orElse(x);
    }

    static void checkClamp(Optional<List<Double>> clamp) {
        clamp.ifPresent(range -> {
            Check.finite("clamp", range);
            Check.require(
                    range.size() == 2 && range.get(0) < range.get(1),
                    "clamp",
                    "takes two numbers, [low, high], the first below the second");
        });
    }
}

package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Limits that image EBMs put on a step: each gradient component to ±clip, each coordinate to [low, high]. The target sets
 * them, because it knows how the coordinates that a kernel moves in depend on x.
 */
final class Limits {
    private Limits() {}

    static Tensor clipped(LogDensity target, Tensor gradient, OptionalDouble clip) {
        return clip.isPresent() ? target.clip(gradient, clip.getAsDouble()) : gradient;
    }

    static Tensor clamped(LogDensity target, Tensor x, Optional<List<Double>> clamp) {
        return clamp.map(range -> target.clamp(x, range.get(0), range.get(1))).orElse(x);
    }

    static void check(OptionalDouble clip, Optional<List<Double>> clamp) {
        Check.all(
                () -> Check.positive("clip", clip),
                () -> clamp.ifPresent(range -> {
                    Check.finite("clamp", range);
                    Check.require(
                            range.size() == 2 && range.get(0) < range.get(1),
                            "clamp",
                            "takes two numbers, [low, high], the first below the second");
                }));
    }

    /** The limits in words; nothing where there are none. */
    static String words(OptionalDouble clip, Optional<List<Double>> clamp) {
        String gradients = clip.isPresent() ? ", gradients clipped to ±" + Words.number(clip.getAsDouble()) : "";
        return gradients
                + clamp.map(range ->
                                ", values to [" + Words.number(range.get(0)) + ", " + Words.number(range.get(1)) + "]")
                        .orElse("");
    }
}

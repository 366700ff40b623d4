package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.SettingException;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Bounds that image EBMs put on a step: each gradient component to ±clip, each coordinate to [low, high]. */
public record Limits(OptionalDouble clip, Optional<List<Double>> clamp) {
    public static final Limits NONE = new Limits(OptionalDouble.empty(), Optional.empty());

    public Limits {
        clip.ifPresent(value -> Check.positive("clip", value));
        clamp = clamp.map(List::copyOf);
        clamp.ifPresent(range -> {
            if (range.size() != 2 || !(range.get(0) < range.get(1))) {
                throw new SettingException("clamp", "takes [low, high] with low below high, found " + range);
            }
        });
    }

    Tensor clipped(Tensor gradient) {
        return clip.isPresent() ? gradient.clamp(-clip.getAsDouble(), clip.getAsDouble()) : gradient;
    }

    Tensor clamped(Tensor x) {
        return clamp.map(range -> x.clamp(range.get(0), range.get(1))).orElse(x);
    }
}

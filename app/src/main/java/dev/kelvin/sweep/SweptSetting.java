package dev.kelvin.sweep;

import dev.kelvin.part.Words;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * A setting with the values that a sweep gives it, as recipes write them, or the range that they are drawn from.
 *
 * @param path such as {@code negatives.steps}
 */
record SweptSetting(String path, List<String> values, Optional<ValueRange> range) {
    /** The setting that an option such as {@code negatives.steps=1,5,10} describes. */
    static SweptSetting parse(String text) {
        int equals = text.indexOf('=');
        String path = text.substring(0, Math.max(equals, 0)).strip();
        if (path.isEmpty()) {
            throw new IllegalArgumentException(
                    "is to be written as setting=value,value, such as negatives.steps=1,5,10");
        }
        List<String> values = ValueList.of(text.substring(equals + 1));
        List<ValueRange> ranges =
                values.stream().map(ValueRange::of).flatMap(Optional::stream).toList();
        if (!ranges.isEmpty() && values.size() > 1) {
            throw new IllegalArgumentException("has a range among its values; a range stands alone");
        }
        values.stream()
                .filter(value -> values.indexOf(value) != values.lastIndexOf(value))
                .findFirst()
                .ifPresent(value -> {
                    throw new IllegalArgumentException("has the value " + Words.quote(value) + " twice");
                });
        return new SweptSetting(path, values, ranges.stream().findFirst());
    }

    /** Whether points differ in it. */
    boolean varies() {
        return values.size() > 1 || range.isPresent();
    }

    /** How many values it can have; empty of a range of numbers that are not whole. */
    OptionalLong count() {
        return range.isEmpty()
                ? OptionalLong.of(values.size())
                : range.filter(ValueRange::whole)
                        .map(found -> OptionalLong.of((long) (found.high() - found.low()) + 1))
                        .orElse(OptionalLong.empty());
    }

    /** A value, drawn. */
    String draw(RandomGenerator random) {
        return range.map(found -> found.draw(random)).orElseGet(() -> values.get(random.nextInt(values.size())));
    }
}

package dev.kelvin.sweep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One combination of values of the settings that a sweep varies.
 *
 * @param number from 1
 * @param count how many points there are
 * @param values by the settings' paths, as recipes write them
 */
public record SweepPoint(int number, int count, Map<String, String> values) {
    private static final int LONGEST = 80; // characters of a folder's name before the seed
    private static final int LONGEST_VALUE = 24;

    public SweepPoint {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** A name for files: the number and the values, such as {@code 03_stepSize=0.1_steps=5}. */
    public String name() {
        int digits = Integer.toString(count).length();
        String words = values.entrySet().stream()
                .map(each -> "_" + shortName(each.getKey()) + "=" + file(each.getValue()))
                .collect(Collectors.joining());
        String all = "0".repeat(digits - Integer.toString(number).length()) + number + words;
        return all.substring(0, Math.min(LONGEST, all.length())).replaceFirst("[^A-Za-z0-9]+$", "");
    }

    /** The last word of a setting's path, and as many before it as tell it from the others'. */
    public String shortName(String path) {
        List<String> steps = List.of(path.split("\\."));
        for (int from = steps.size() - 1; from > 0; from--) {
            String end = String.join(".", steps.subList(from, steps.size()));
            if (values.keySet().stream()
                            .filter(other -> ("." + other).endsWith("." + end))
                            .count()
                    == 1) {
                return end;
            }
        }
        return path;
    }

    /** The letters of a value that a file's name and an address can have. */
    private static String file(String value) {
        String plain = value.replaceAll("^[^A-Za-z0-9.+-]+", "").replaceAll("[^A-Za-z0-9.+-]+", "-");
        String cut = plain.substring(0, Math.min(LONGEST_VALUE, plain.length())).replaceFirst("-+$", "");
        return cut.isEmpty() ? "-" : cut;
    }

    /** The values in words, such as {@code stepSize 0.1, steps 5}. */
    public String words() {
        return values.isEmpty()
                ? "the recipe"
                : values.entrySet().stream()
                        .map(each -> shortName(each.getKey()) + " " + each.getValue())
                        .collect(Collectors.joining(", "));
    }
}

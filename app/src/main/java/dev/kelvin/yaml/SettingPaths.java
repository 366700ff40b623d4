package dev.kelvin.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A recipe's settings, defaults too, each by its path, such as {@code negatives.kernel.mala.stepSize}. */
public final class SettingPaths {
    private SettingPaths() {}

    /** All settings of a recipe by their paths. */
    public static Map<String, String> of(Record recipe) {
        Map<String, String> settings = new LinkedHashMap<>();
        add("", RecipeWriter.settings(recipe), settings);
        return settings;
    }

    /** The settings that ask for one of these sizes, or have it in a list. */
    public static List<String> asking(Record recipe, List<Long> sizes) {
        return of(recipe).entrySet().stream()
                .filter(setting -> ScalarText.holds(setting.getValue(), sizes))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void add(String path, Node node, Map<String, String> settings) {
        if (node instanceof Node.Mapping map && !map.entries().isEmpty()) {
            map.entries()
                    .forEach((word, entry) -> add(path.isEmpty() ? word : path + "." + word, entry.value(), settings));
        } else {
            settings.put(path, RecipeWriter.flow(node, Node.Scalar::text));
        }
    }
}

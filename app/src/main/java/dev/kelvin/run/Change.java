package dev.kelvin.run;

import dev.kelvin.io.Sha256;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.yaml.SettingPaths;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A difference between a run's recipe or data now and when it was trained.
 *
 * @param what in words
 * @param hash the SHA-256 of what it is now
 */
record Change(String what, String hash) {
    /** Settings that change nothing of a run's numbers. Data are compared by their SHA-256, wherever they lie. */
    private static final Set<String> WORDS = Set.of("name", "about", "takes", "data.images.set", "data.table.file");

    private static final String NOTHING = "nothing";

    /** The settings in which two recipes differ. */
    static Optional<Change> between(Recipe before, Recipe now) {
        Map<String, String> old = SettingPaths.of(before);
        Map<String, String> settings = SettingPaths.of(now);
        Set<String> names = new LinkedHashSet<>(settings.keySet());
        names.addAll(old.keySet());
        names.removeAll(WORDS);
        String what = names.stream()
                .filter(name -> !old.getOrDefault(name, NOTHING).equals(settings.getOrDefault(name, NOTHING)))
                .map(name -> name + " is " + settings.getOrDefault(name, NOTHING) + " and was "
                        + old.getOrDefault(name, NOTHING))
                .collect(Collectors.joining(", "));
        return what.isEmpty() ? Optional.empty() : Optional.of(new Change(what, hash(now)));
    }

    /** The SHA-256 of a recipe's settings. */
    static String hash(Recipe recipe) {
        return Sha256.of(SettingPaths.of(recipe).toString().getBytes(StandardCharsets.UTF_8));
    }
}

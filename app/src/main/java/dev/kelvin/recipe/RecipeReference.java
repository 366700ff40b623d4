package dev.kelvin.recipe;

import dev.kelvin.Default;
import dev.kelvin.Doc;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page that lists every setting of a recipe, made from the records themselves. */
public final class RecipeReference {
    private static final String HEAD = """
            # Recipes

            <!-- Made by RecipeReference from the recipe records; RecipeReferenceTest says how to renew it. -->

            A recipe is a YAML file with the settings of one training run. Every setting is below; those whose
            default is not "required" may be left out. A *choice*, such as `kernel`, takes one case with its settings,
            `kernel: {langevin: {stepSize: 0.01}}`; a case that needs no settings may be a bare word,
            `schedule: cosine`. Numbers may be written `1e-4`. Anchors, aliases, tags and merge keys are not used.

            `--set path=value` changes a setting: `--set negatives.kernel.langevin.stepSize=0.02`,
            `--set model.mlp.hidden=[64,64]`, `--set model.mlp.hidden.0=64`. Naming another case of a choice replaces
            the recipe's: `--set objective.robust.beta=0.1` on a recipe with `contrastive`.
            """;

    private final StringBuilder page = new StringBuilder(HEAD);
    private final List<Class<?>> done = new ArrayList<>();

    private RecipeReference() {}

    public static String markdown() {
        RecipeReference reference = new RecipeReference();
        reference.settings(Recipe.class, "## The recipe\n").forEach(reference::part);
        return reference.page.toString();
    }

    /** Writes a record's table; the parts among its settings are for the caller to write after it. */
    private List<RecordComponent> settings(Class<?> record, String heading) {
        page.append('\n')
                .append(heading)
                .append('\n')
                .append(capital(doc(record)))
                .append(".\n");
        page.append("\n| setting | takes | default | meaning |\n|---|---|---|---|\n");
        List<RecordComponent> parts = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            Type type = Settings.value(component.getGenericType());
            boolean part = Settings.raw(type).isRecord() || Settings.raw(type).isSealed();
            String takes = part
                    ? "[" + component.getName() + "](#" + component.getName().toLowerCase(Locale.ROOT) + ")"
                    : takes(type);
            page.append("| `%s` | %s | %s | %s |\n"
                    .formatted(component.getName(), takes, byDefault(component), doc(component)));
            if (part && !done.contains(Settings.raw(type))) {
                done.add(Settings.raw(type));
                parts.add(component);
            }
        }
        return parts;
    }

    private void part(RecordComponent component) {
        Class<?> type = Settings.raw(Settings.value(component.getGenericType()));
        String heading = "## " + component.getName() + "\n";
        if (type.isRecord()) {
            settings(type, heading).forEach(this::part);
            return;
        }
        page.append('\n').append(heading).append('\n').append(capital(doc(component)));
        page.append(": ").append(Settings.takes(type)).append(".\n");
        List<RecordComponent> parts = new ArrayList<>();
        Settings.cases(type)
                .forEach((word, each) ->
                        parts.addAll(settings(each, "### " + component.getName() + ": " + word + "\n")));
        parts.forEach(this::part);
    }

    private static String takes(Type type) {
        return Settings.raw(type) == List.class
                ? "a list; each " + Settings.takes(Settings.argument(type))
                : Settings.takes(type);
    }

    private static String byDefault(RecordComponent component) {
        Default byDefault = component.getAnnotation(Default.class);
        if (byDefault != null) {
            return "`" + byDefault.value() + "`";
        }
        return Optional.ofNullable(component.getAnnotation(Doc.class))
                .map(Doc::otherwise)
                .filter(otherwise -> !otherwise.isEmpty())
                .orElse("required");
    }

    private static String doc(AnnotatedElement element) {
        Doc doc = element.getAnnotation(Doc.class);
        if (doc == null) {
            throw new IllegalStateException(element + " has no @Doc");
        }
        return doc.value().replace("|", "\\|");
    }

    private static String capital(String phrase) {
        return Character.toUpperCase(phrase.charAt(0)) + phrase.substring(1);
    }
}

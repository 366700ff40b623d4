package dev.kelvin.yaml;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Shorthand;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /** Said of every open kind; from docs/recipes.md. */
    private static final String OPEN = "more can be registered, see [a part of your own](how-to.md#a-part-of-your-own)";

    private final StringBuilder page = new StringBuilder();

    /** The types that have a section, with its heading. */
    private final Map<Class<?>, String> headings = new HashMap<>();

    private RecipeReference() {}

    /** The page of a recipe's record. */
    public static String markdown(Class<? extends Record> recipe) {
        return HEAD + of(recipe, "## The recipe\n");
    }

    /** The record's table, and a section for each part among its settings. */
    public static String of(Class<?> record, String heading) {
        RecipeReference reference = new RecipeReference();
        reference.settings(record, heading, record).forEach(reference::part);
        return reference.page.toString();
    }

    /** Writes a record's table; the parts among its settings are for the caller to write after it. */
    private List<RecordComponent> settings(Class<?> record, String heading, AnnotatedElement said) {
        page.append('\n')
                .append(heading)
                .append('\n')
                .append(capital(doc(said)))
                .append(".\n");
        if (record.isAnnotationPresent(Shorthand.class)) {
            String bare = Settings.bare(record).orElseThrow().getName();
            page.append("The value of `").append(bare).append("` alone may stand for it all.\n");
        }
        List<RecordComponent> settings = Settings.of(record);
        page.append(
                settings.isEmpty()
                        ? "It has no settings.\n"
                        : "\n| setting | takes | default | meaning |\n|---|---|---|---|\n");
        List<RecordComponent> parts = new ArrayList<>();
        for (RecordComponent setting : settings) {
            Class<?> type = element(setting);
            if (isPart(type) && headings.putIfAbsent(type, setting.getName()) == null) {
                parts.add(setting);
            }
            page.append("| `%s` | %s | %s | %s |\n"
                    .formatted(setting.getName(), takes(setting), byDefault(setting), doc(setting)));
        }
        return parts;
    }

    /** What needs a section of its own; a choice among parts without settings does not. */
    private static boolean isPart(Class<?> type) {
        return type.isRecord()
                || (Settings.isChoice(type) && !Settings.cases(type).isEmpty());
    }

    /** The class of a setting's value, or of its values if it is a list. */
    private static Class<?> element(RecordComponent setting) {
        Type type = Settings.value(setting.getGenericType());
        return Settings.raw(Settings.raw(type) == List.class ? Settings.argument(type) : type);
    }

    private void part(RecordComponent setting) {
        Class<?> type = element(setting);
        String heading = "## " + setting.getName() + "\n";
        if (type.isRecord()) {
            settings(type, heading, type.isAnnotationPresent(Doc.class) ? type : setting)
                    .forEach(this::part);
            return;
        }
        page.append('\n').append(heading).append('\n').append(capital(doc(setting)));
        page.append(": ").append(Settings.takes(type));
        page.append(Catalogue.isKind(type) ? " (" + OPEN + ").\n" : ".\n");
        List<RecordComponent> parts = new ArrayList<>();
        Settings.cases(type)
                .forEach((word, each) ->
                        parts.addAll(settings(each, "### " + setting.getName() + ": " + word + "\n", each)));
        parts.forEach(this::part);
    }

    private String takes(RecordComponent setting) {
        Class<?> type = element(setting);
        String heading = headings.get(type);
        String one = heading != null
                ? "[" + heading + "](#" + heading.toLowerCase(Locale.ROOT) + ")"
                : Settings.takes(type) + (Catalogue.isKind(type) ? " (" + OPEN + ")" : "");
        return Settings.raw(Settings.value(setting.getGenericType())) == List.class ? "a list; each " + one : one;
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

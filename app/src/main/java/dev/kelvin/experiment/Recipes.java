package dev.kelvin.experiment;

import dev.kelvin.recipe.Binder;
import dev.kelvin.recipe.Node;
import dev.kelvin.recipe.Overrides;
import dev.kelvin.recipe.Place;
import dev.kelvin.recipe.Problem;
import dev.kelvin.recipe.RecipeException;
import dev.kelvin.recipe.RecipeFile;
import dev.kelvin.recipe.TreeReader;
import dev.kelvin.Catalogue;
import dev.kelvin.Words;
import dev.kelvin.energy.TargetFamily;
import dev.kelvin.recipe.Node.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Finds and reads recipes: those that ship with Kelvin, by name, and files. */
public final class Recipes {
    private static final List<String> SHIPPED = List.of(
            "rings",
            "gmm",
            "four-gaussians",
            "spiral",
            "moons",
            "checkerboard",
            "pinwheel",
            "001-toy",
            "gmm-robust",
            "rings-robust",
            "spiral-jointcd",
            "spiral-cdce",
            "spiral-jointcd-paper",
            "spiral-cdce-paper",
            "digits-shortrun",
            "digits-classes",
            "digits-igebm",
            "digits-time");

    private Recipes() {}

    /** The names of the recipes that ship with Kelvin. */
    public static List<String> names() {
        return SHIPPED;
    }

    /** The recipes that ship with Kelvin. */
    public static List<Recipe> all() {
        return SHIPPED.stream().map(Recipes::named).toList();
    }

    /** A recipe that ships with Kelvin. */
    public static Recipe named(String name) {
        return shipped(name, List.of());
    }

    /**
     * A shipped recipe, or one from a file if the word has a slash or ends in {@code .yaml} or {@code .yml}.
     *
     * @param overrides changes such as {@code negatives.kernel.langevin.stepSize=0.02}, the later after the earlier;
     *     naming another case of a choice replaces the recipe's
     * @throws RecipeException with everything that is wrong with the recipe and the overrides
     */
    public static Recipe load(String nameOrFile, List<String> overrides) {
        boolean file = nameOrFile.matches("(?s).*([/\\\\].*|\\.ya?ml)");
        return file ? parse(nameOrFile, RecipeFile.read(nameOrFile), overrides) : shipped(nameOrFile, overrides);
    }

    /**
     * The recipe that the text describes.
     *
     * @param where how messages call the text: its file. Its base name is the recipe's name, if the text has none
     * @param overrides as of {@link #load}
     */
    public static Recipe parse(String where, String text, List<String> overrides) {
        List<Problem> problems = new ArrayList<>();
        Node tree = withName(where, TreeReader.file(where, text, problems));
        Node changed = Overrides.apply(Recipe.class, tree, overrides, problems);
        return Binder.bind(Recipe.class, changed, "the recipe", problems);
    }

    /** A kernel that was named apart from a recipe; where it says no step size, it wants one to be found. */
    public record KernelChoice(KernelSpec kernel, boolean findsStep) {}

    private record KernelOnly(KernelSpec kernel) {}

    /**
     * The kernel that a word or a piece of YAML names, such as {@code hmc} or {@code {langevin: {stepSize: 0.01}}}.
     *
     * @param where how messages call the text, such as {@code --kernel}
     */
    public static KernelChoice kernel(String where, String text) {
        List<Problem> problems = new ArrayList<>();
        Place place = new Place(where + " " + Words.oneLine(text), 0, 1);
        Node given = TreeReader.value(text, place, problems);
        String word = word(given);
        boolean finds = KernelSpec.ADAPTABLE.contains(word) && !hasStep(given, word);
        Node tree = finds
                ? Overrides.with(KernelSpec.class, given, List.of(word, "stepSize"), new Node.Scalar(place, "1", true))
                : given;
        Node whole = new Node.Mapping(place, Map.of("kernel", new Entry(place, tree)));
        return new KernelChoice(
                Binder.bind(KernelOnly.class, whole, "the kernel", problems).kernel(), finds);
    }

    /**
     * The analytic target that a word or a piece of YAML names, such as {@code funnel} or {@code {funnel: {dimension: 5}}}.
     *
     * @param where how messages call the text, such as {@code --target}
     */
    public static TargetFamily target(String where, String text) {
        List<Problem> problems = new ArrayList<>();
        Place place = new Place(where + " " + Words.oneLine(text), 0, 1);
        Node given = TreeReader.value(text, place, problems);
        String word = word(given);
        Map<String, Class<? extends TargetFamily>> known = Catalogue.of(TargetFamily.class);
        Class<? extends TargetFamily> type = known.get(word);
        if (type == null) {
            problems.add(place.problem(Words.unknown("target", "", word, "one of", known.keySet())));
            throw new RecipeException(problems);
        }
        Node settings = given instanceof Node.Mapping map
                ? map.entries().values().iterator().next().value()
                : new Node.Mapping(place, Map.of());
        return (TargetFamily) Binder.bind(type.asSubclass(Record.class), settings, word, problems);
    }

    /** The word of a choice that is written as a word alone or as a map with one entry. */
    private static String word(Node given) {
        if (given instanceof Node.Scalar scalar) {
            return scalar.text();
        }
        return given instanceof Node.Mapping map && map.entries().size() == 1
                ? map.entries().keySet().iterator().next()
                : "";
    }

    private static boolean hasStep(Node given, String word) {
        Entry entry = given instanceof Node.Mapping map ? map.entries().get(word) : null;
        return entry != null
                && entry.value() instanceof Node.Mapping settings
                && settings.entries().containsKey("stepSize");
    }

    private static Recipe shipped(String name, List<String> overrides) {
        if (!SHIPPED.contains(name)) {
            String message =
                    Words.unknown("Kelvin", "recipe ", name, "it has", SHIPPED) + "; a file's name ends in .yaml";
            throw new RecipeException(List.of(new Problem(Words.oneLine(name), 0, 0, message)));
        }
        String file = name + ".yaml";
        try (InputStream in = Objects.requireNonNull(Recipes.class.getResourceAsStream(file), file)) {
            return parse(file, RecipeFile.decode(new Place(file, 1, 1), in.readAllBytes()), overrides);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tree, named after its file if it has no name and the file's can be one. */
    private static Node withName(String where, Node tree) {
        String base = where.replaceFirst("(?s)^.*[/\\\\]", "").replaceFirst("\\.ya?ml$", "");
        if (!(tree instanceof Node.Mapping map)
                || map.entries().containsKey("name")
                || !Recipe.NAME.matcher(base).matches()) {
            return tree;
        }
        Map<String, Entry> entries = new LinkedHashMap<>(map.entries());
        entries.put("name", new Entry(map.place(), new Node.Scalar(map.place(), base, false)));
        return new Node.Mapping(map.place(), entries);
    }
}

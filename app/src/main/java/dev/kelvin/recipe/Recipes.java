package dev.kelvin.recipe;

import dev.kelvin.energy.analytic.TargetFamily;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.Kernel;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.Yaml;
import java.util.List;

/** Finds and reads recipes: those that ship with Kelvin, by name, and files. */
public final class Recipes {
    private static final List<String> SHIPPED = List.of(
            "rings",
            "table",
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
            "digits-shortrun-small",
            "digits-classes",
            "digits-jem",
            "digits-jem-robust",
            "digits-jem-small",
            "fashion-jem",
            "cifar10-jem",
            "digits-sada-jem",
            "cifar10-sada-jem",
            "digits-igebm",
            "digits-igebm-small",
            "digits-improved-cd",
            "mnist-improved-cd",
            "cifar10-improved-cd",
            "digits-time-cdce",
            "digits-time-jointcd",
            "digits-time-small",
            "mnist-time-cdce",
            "digits-latent",
            "digits-latent-small",
            "cifar10-latent");

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
        return isFile(nameOrFile)
                ? parse(nameOrFile, Yaml.read(nameOrFile), overrides)
                : shipped(nameOrFile, overrides);
    }

    /**
     * The recipe that the text describes.
     *
     * @param where how messages call the text: its file. Its base name is the recipe's name, if the text has none
     * @param overrides as of {@link #load}
     */
    public static Recipe parse(String where, String text, List<String> overrides) {
        return Yaml.file(Recipe.class, "the recipe", where, text, overrides);
    }

    /** As {@link #parse}, of a text that a run wrote, perhaps one of the last version, whose words are understood. */
    public static Recipe ofRun(String where, String text, List<String> overrides) {
        return Yaml.ofRun(Recipe.class, "the recipe", where, text, overrides);
    }

    /**
     * What the data of a recipe refuse, which are opened after it was read, at its line.
     *
     * @param nameOrFile as of {@link #load}, like the overrides
     */
    public static RecipeException refused(String nameOrFile, List<String> overrides, SettingException refused) {
        boolean file = isFile(nameOrFile);
        String where = file ? nameOrFile : nameOrFile + ".yaml";
        String text = file ? Yaml.read(nameOrFile) : Yaml.resource(Recipes.class, where);
        return Yaml.refused(Recipe.class, where, text, overrides, refused);
    }

    /** Whether a word is a file's name, not that of something that ships. */
    static boolean isFile(String nameOrFile) {
        return nameOrFile.matches("(?s).*([/\\\\].*|\\.ya?ml)");
    }

    /** A kernel that was named apart from a recipe; where it says no step size, it wants one to be found. */
    public record KernelChoice(Kernel<?> kernel, boolean findsStep) {}

    /**
     * The kernel that a word or a piece of YAML names, such as {@code hmc} or {@code {langevin: {stepSize: 0.01}}}.
     *
     * @param where how messages call the text, such as {@code --kernel}
     */
    public static KernelChoice kernel(String where, String text) {
        Yaml.Choice choice = Yaml.choice(Kernel.class, where, text);
        if (!choice.lacks("stepSize")) {
            return new KernelChoice(choice.bind(Kernel.class), false);
        }
        Kernel<?> kernel = choice.with("stepSize", "1").bind(Kernel.class);
        return kernel.traits().bestAcceptance().isPresent()
                ? new KernelChoice(kernel, true)
                : new KernelChoice(choice.bind(Kernel.class), false); // which says what it lacks
    }

    /**
     * The analytic target that a word or a piece of YAML names, such as {@code funnel} or {@code {funnel: {dimension: 5}}}.
     *
     * @param where how messages call the text, such as {@code --target}
     */
    public static TargetFamily target(String where, String text) {
        return Yaml.choice(TargetFamily.class, where, text).bind(TargetFamily.class);
    }

    private static Recipe shipped(String name, List<String> overrides) {
        Yaml.requireKnown("recipe", name, SHIPPED, "; a file's name ends in .yaml");
        String file = name + ".yaml";
        return parse(file, Yaml.resource(Recipes.class, file), overrides);
    }
}

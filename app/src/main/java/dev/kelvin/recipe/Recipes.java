package dev.kelvin.recipe;

import dev.kelvin.energy.analytic.TargetFamily;
import dev.kelvin.model.Precision;
import dev.kelvin.model.TableProfile;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.Steps;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.Kernel;
import dev.kelvin.train.loop.Guard;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.RecipeText;
import dev.kelvin.yaml.Yaml;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Finds and reads recipes: those that ship with Kelvin, by name, and files. */
public final class Recipes {
    private static final List<String> SHIPPED =
            Yaml.resource(Recipes.class, "names.txt").lines().toList();

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
        return load(name, List.of());
    }

    /**
     * A shipped recipe, or one from a file if the word has a slash or ends in {@code .yaml} or {@code .yml}.
     *
     * @param overrides changes such as {@code negatives.kernel.langevin.stepSize=0.02}, the later after the earlier;
     *     naming another case of a choice replaces the recipe's
     * @throws RecipeException with everything that is wrong with the recipe and the overrides
     */
    public static Recipe load(String nameOrFile, List<String> overrides) {
        return load(nameOrFile, overrides, TableProfile.UNREAD);
    }

    /** As {@link #load(String, List)}, with the parts that a recipe leaves open by the size of its table. */
    public static Recipe load(String nameOrFile, List<String> overrides, TableProfile profile) {
        return filled(text(nameOrFile), profile).bind(overrides);
    }

    /** The parts that a recipe leaves open, to be chosen by the size of its table. */
    public static List<String> open(String nameOrFile) {
        return open(text(nameOrFile));
    }

    /** The recipe that a text describes; messages call it by its file, whose base name is the recipe's if it has none. */
    public static Recipe parse(String where, String text, List<String> overrides) {
        return filled(text(where, text), TableProfile.UNREAD).bind(overrides);
    }

    /** The recipe that a run wrote, perhaps one of the last version, whose words are understood. */
    public static Recipe ofRun(String where, String text, List<String> overrides) {
        return text(where, text).ofRun().bind(overrides);
    }

    /** What the data of a recipe refuse, which are opened after it was read, at its line. */
    public static RecipeException refused(String nameOrFile, List<String> overrides, SettingException refused) {
        return text(nameOrFile).ofRun().refused(overrides, refused);
    }

    /** The parts that the recipe of a table leaves open where it says advise: they follow from the table's size. */
    private static List<String> open(RecipeText<Recipe> text) {
        return text.says("data.table.advise", "true")
                ? Stream.of("model", "negatives", "optimiser", "train")
                        .filter(part -> !text.gives(part))
                        .toList()
                : List.of();
    }

    private static RecipeText<Recipe> filled(RecipeText<Recipe> text, TableProfile profile) {
        RecipeText<Recipe> filled = text;
        for (String part : open(text)) {
            filled = filled.with(
                    part,
                    switch (part) {
                        case "model" -> profile.network();
                        case "negatives" -> negatives(profile);
                        case "optimiser" -> profile.optimiser();
                        default -> train(profile);
                    });
        }
        return filled;
    }

    private static Negatives negatives(TableProfile profile) {
        Buffer buffer = Buffer.of(TableProfile.BATCH, ReplayBuffer.Entry.FIFO, 0);
        return new Negatives(
                profile.start(),
                profile.kernel(),
                Steps.of(profile.steps()),
                Optional.of(buffer),
                OptionalInt.of(TableProfile.BATCH),
                Optional.of(profile.adapt()),
                OptionalInt.of(TableProfile.SAMPLE_STEPS),
                List.of(),
                1);
    }

    private static Training train(TableProfile profile) {
        return new Training(
                profile.iterations(),
                TableProfile.BATCH,
                OptionalInt.empty(),
                TableProfile.EMA,
                profile.checkpointEvery(),
                OptionalInt.empty(),
                Training.LOG_EVERY,
                0,
                Training.Which.BEST,
                0,
                Precision.FLOAT,
                new Guard.Settings(1000, 50, 3),
                ImageFigures.DEFAULT);
    }

    private static RecipeText<Recipe> text(String nameOrFile) {
        if (isFile(nameOrFile)) {
            return text(nameOrFile, Yaml.read(nameOrFile));
        }
        Yaml.requireKnown("recipe", nameOrFile, SHIPPED, "; a file's name ends in .yaml");
        String file = nameOrFile + ".yaml";
        return text(file, Yaml.resource(Recipes.class, file));
    }

    private static RecipeText<Recipe> text(String where, String text) {
        return RecipeText.of(Recipe.class, "the recipe", where, text);
    }

    /** Whether a word is a file's name, not that of something that ships. */
    static boolean isFile(String nameOrFile) {
        return nameOrFile.matches("(?s).*([/\\\\].*|\\.ya?ml)");
    }

    /** A kernel that was named apart from a recipe; where it says no step size, it wants one to be found. */
    public record KernelChoice(Kernel<?> kernel, boolean findsStep) {}

    /** The kernel that a word or YAML names, such as {@code {langevin: {stepSize: 0.01}}}; messages call it {@code where}. */
    public static KernelChoice kernel(String where, String text) {
        RecipeText<?> choice = RecipeText.choice(Kernel.class, where, text);
        if (!choice.lacks("stepSize")) {
            return new KernelChoice((Kernel<?>) choice.bind(List.of()), false);
        }
        Kernel<?> kernel = (Kernel<?>) choice.partWith("stepSize", "1").bind(List.of());
        return kernel.traits().bestAcceptance().isPresent()
                ? new KernelChoice(kernel, true)
                : new KernelChoice((Kernel<?>) choice.bind(List.of()), false); // which says what it lacks
    }

    /** The analytic target that a word or YAML names, such as {@code funnel}; messages call it {@code where}. */
    public static TargetFamily target(String where, String text) {
        return RecipeText.choice(TargetFamily.class, where, text).bind(List.of());
    }
}

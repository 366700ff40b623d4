package dev.kelvin.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kelvin.yaml.Place;
import dev.kelvin.yaml.RecipeException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every way to get a recipe wrong: one problem, at the right place, with the words that help. */
class BrokenRecipesTest {
    private static final String GOOD = GoodRecipe.TEXT;

    /** In the broken text a » stands before the mistake; it is taken out before the text is read. */
    private record Case(String broken, List<String> words) {}

    private static Case of(String broken, String... words) {
        return new Case(broken, List.of(words));
    }

    /** The good recipe with one part replaced. */
    private static Case edit(String good, String bad, String... words) {
        assertThat(GOOD).containsOnlyOnce(good);
        return of(GOOD.replace(good, bad), words);
    }

    /** Images with an augmentation. */
    private static Case augmented(String augmentation, String... words) {
        return edit("{toy: rings}", "{images: {set: digits, augment: [" + augmentation + "]}}", words);
    }

    /** A good time-joint recipe with this time. */
    private static Case timed(String time, String... words) {
        return of(
                GOOD.replace("{contrastive: {l2: 0}}", "cd-ce")
                        .replaceFirst("start: .*", "start: batch")
                        .replaceFirst("kernel: .*", "kernel: {mala: {stepSize: 0.01}}")
                        .replace("train:", "time: " + time + "\ntrain:"),
                words);
    }

    /** A good recipe of digits with classes, in which one part is replaced. */
    private static Case classed(String good, String bad, String... words) {
        String recipe = GOOD.replace("{toy: rings}", "{images: {set: digits}}")
                .replace("{mlp: {hidden: [32, 64]}}", "short-run")
                .replace("train:", "classes: head\ntrain:");
        assertThat(recipe).containsOnlyOnce(good);
        return of(recipe.replace(good, bad), words);
    }

    @TestFactory
    Stream<DynamicTest> everyMistakeIsOneProblemAtItsPlace() {
        return Stream.of(unknownWords(), wrongTypes(), missingAndEmpty(), wrongValues(), notYaml())
                .flatMap(cases -> cases)
                .map(each -> DynamicTest.dynamicTest(String.join("; ", each.words), () -> check(each)));
    }

    private static void check(Case each) {
        Place expected = new Place("test.yaml", 1, 1).after(each.broken.substring(0, each.broken.indexOf('»')));
        RecipeException refused = catchThrowableOfType(
                RecipeException.class, () -> Recipes.parse("test.yaml", each.broken.replace("»", ""), List.of()));
        assertThat(refused).as("refused").isNotNull();
        assertThat(refused.problems()).as(refused.getMessage()).hasSize(1);
        assertThat(refused)
                .hasMessageStartingWith(expected + ": ")
                .hasMessageContainingAll(each.words.toArray(String[]::new))
                .message()
                .doesNotContain("\n", "java", "snakeyaml", "Exception");
    }

    private static Stream<Case> unknownWords() {
        return Stream.of(
                edit(
                        "stepSize: 0.01",
                        "»stepsize: 0.01",
                        "langevin has no setting 'stepsize'; did you mean 'stepSize'?"),
                edit("stepSize: 0.01", "»step_size: 0.01", "did you mean 'stepSize'?"),
                edit("stepSize: 0.01", "»step-size: 0.01", "(it takes stepSize, noise, temperature, clip, clamp"),
                edit("stepSize: 0.01", "stepSize: 0.01, »temprature: 1", "did you mean 'temperature'?"),
                edit("stepSize: 0.01", "stepSize: 0.01, »zzz: 1", "langevin has no setting 'zzz' (it takes stepSize"),
                edit("optimiser:", "»optimizer:", "the recipe has no setting 'optimizer'; did you mean 'optimiser'?"),
                edit("objective:", "»Objective:", "did you mean 'objective'?"),
                edit("steps: 20", "»setps: 20", "negatives has no setting 'setps'; did you mean 'steps'?"),
                edit("batch: 100", "»bacth: 100", "train has no setting 'bacth'; did you mean 'batch'?"),
                edit("batch: 100", "guard: {»bond: 1}", "guard has no setting 'bond'; did you mean 'bound'?"),
                edit("name: test", "»1: test", "the recipe has no setting '1'"),
                edit("langevin:", "»langevinn:", "kernel has no 'langevinn'; did you mean 'langevin'?", "mala"),
                edit(
                        "langevin:",
                        "»nuts:",
                        "kernel has no 'nuts' (one of langevin, gradient-descent, mala, tempered-mala"),
                edit("{gaussian: {std: 2}}", "»gausian", "start has no 'gausian'; did you mean 'gaussian'?"),
                edit("{toy: rings}", "{»toys: rings}", "data has no 'toys'; did you mean 'toy'?"),
                edit("{toy: rings}", "{toy: »ring}", "toy has no 'ring'; did you mean 'rings'?", "one of gmm, rings"),
                edit("{toy: rings}", "{toy: {set: »four_gaussians}}", "did you mean 'four-gaussians'?"),
                edit("{toy: rings}", "»rings", "data has no 'rings' (one of toy, images, table)"),
                edit("[32, 64]", "[32, 64], activation: »gelu", "activation has no 'gelu'", "one of leaky-relu, relu"),
                edit("1e-4", "1e-4, schedule: »cosin", "schedule has no 'cosin'; did you mean 'cosine'?"),
                edit(
                        "{mlp: {hidden: [32, 64]}}",
                        "»transformer",
                        "model has no 'transformer' (one of mlp, residual-mlp, short-run, igebm, improved-cd, wide-resnet"),
                edit(
                        "{contrastive: {l2: 0}}",
                        "{»score-matching: {}}",
                        "objective has no 'score-matching' (one of contrastive, robust, cd-ce, joint-cd, conditional-cd"),
                edit(
                        "{contrastive: {l2: 0}}",
                        "{cd-ce: {by: »score-matching}}",
                        "by has no 'score-matching' (one of contrastive, robust,"),
                edit(
                        "{gaussian: {std: 2}}",
                        "»nowhere",
                        "start has no 'nowhere' (one of gaussian, uniform, data, batch, class-gaussian, generator)"),
                edit(
                        "{toy: rings}",
                        "{toy: »swiss-roll}",
                        "toy has no 'swiss-roll' (one of gmm, rings, four-gaussians,"),
                edit(
                        "{toy: rings}",
                        "{images: {set: digits, augment: [flip, »mixup]}}",
                        "augment.1 has no 'mixup' (one of flip, crop, resized-crop, colour-jitter, greyscale,"),
                edit(
                        "{adam: {learningRate: 1e-4}}",
                        "{»lion: {learningRate: 1e-4}}",
                        "optimiser has no 'lion' (one of sgd, adam, adamw"),
                edit("train:", "terms: [»entropy]\ntrain:", "terms.0 has no 'entropy'"));
    }

    private static Stream<Case> wrongTypes() {
        return Stream.of(
                edit("stepSize: 0.01", "stepSize: »fast", "stepSize takes a number, found the text 'fast'"),
                edit("stepSize: 0.01", "stepSize: »'0.01'", "found the text '0.01' (leave out the quotes)"),
                edit("stepSize: 0.01", "stepSize: »true", "stepSize takes a number, found true"),
                edit("stepSize: 0.01", "stepSize: »[0.01]", "stepSize takes a number, found a list"),
                edit("stepSize: 0.01", "stepSize: »{a: 1}", "stepSize takes a number, found a map"),
                edit("stepSize: 0.01", "stepSize: 0.01, noiseFirst: »yes", "noiseFirst takes true or false", "'yes'"),
                edit("stepSize: 0.01", "stepSize: 0.01, noiseFirst: »1", "true or false, found the number 1"),
                edit("stepSize: 0.01", "stepSize: 0.01, noise: »low", "noise takes a number, found the text 'low'"),
                edit("stepSize: 0.01", "stepSize: 0.01, clamp: »1", "clamp takes a list, found the number 1"),
                edit("stepSize: 0.01", "stepSize: 0.01, clamp: [0, »x]", "clamp.1 takes a number, found the text 'x'"),
                edit("steps: 20", "steps: »2.5", "steps takes a whole number, found the number 2.5"),
                edit("steps: 20", "steps: »3000000000", "the number 3000000000, which is too large"),
                edit("steps: 20", "steps: »1e99", "steps takes a whole number, found the number 1e99"),
                edit("steps: 20", "steps: »1e99999999999", "steps takes a whole number"),
                edit("steps: 20", "steps: »2_0", "steps takes a whole number, found the text '2_0'"),
                edit("steps: 20", "steps: ».inf", "steps takes a whole number, found the number .inf"),
                edit("[32, 64]", "»32", "hidden takes a list, found the number 32"),
                edit("[32, 64]", "»{a: 32}", "hidden takes a list, found a map"),
                edit("[32, 64]", "[32, »wide]", "hidden.1 takes a whole number, found the text 'wide'"),
                edit("[32, 64]", "[32, ]»]", "not valid YAML"),
                edit("[32, 64]", "[32, »~]", "hidden.1 has no value; it takes a whole number"),
                edit("{langevin: {stepSize: 0.01}}", "»[langevin]", "kernel takes one of langevin", "found a list"),
                edit("{stepSize: 0.01}", "»0.01", "langevin takes settings (stepSize, noise", "found the number 0.01"),
                edit("{iterations: 20000, batch: 100}", "»20000", "train takes settings (iterations, batch"),
                edit("{iterations: 20000, batch: 100}", "»[20000]", "train takes settings", "found a list"),
                edit("name: test", "name: »[test]", "name takes a text, found a list"),
                edit("{toy: rings}", "{images: {set: digits, augment: [»flips]}}", "did you mean 'flip'?"),
                edit("{toy: rings}", "{images: {set: »''}}", "set must name a set or a path"),
                edit("{toy: rings}", "{images: {set: digits, high: »-2}}", "high must be above low, -1, found -2"),
                edit("{toy: rings}", "{images: {set: digits, noise: »-1}}", "noise must be 0 or more"),
                augmented("{crop: {padding: »-1}}", "padding must be at least 0, found -1"),
                augmented("{colour-jitter: {strength: »2}}", "strength must lie between 0 and 1"),
                augmented("{greyscale: {share: »-1}}", "share must lie between 0 and 1"),
                augmented("{resized-crop: {least: »0}}", "least must be above 0 and at most 1, found 0"),
                edit("{toy: rings}", "{images: {set: digits, »colour: true}}", "images has no setting 'colour'"),
                edit("{toy: rings}", "{toy: »[rings]}", "toy takes settings (set), found a list"),
                of("»rings", "the recipe takes settings (name, about, takes, data", "found the text 'rings'"),
                of("»- rings", "the recipe takes settings", "found a list"));
    }

    private static Stream<Case> missingAndEmpty() {
        return Stream.of(
                of("»" + GOOD.replace("data: {toy: rings}\n", ""), "the recipe lacks 'data' (the data to learn)"),
                of("»" + GOOD.replace("train: {iterations: 20000, batch: 100}\n", ""), "the recipe lacks 'train'"),
                edit("  start: {gaussian: {std: 2}}\n  kernel", "  »kernel", "negatives lacks 'start'"),
                edit(
                        "{iterations: 20000, batch: 100}",
                        "»{}",
                        "train lacks 'iterations' (the number of optimiser steps"),
                edit("{stepSize: 0.01}", "»{}", "langevin lacks 'stepSize'"),
                edit("{langevin: {stepSize: 0.01}}", "{»langevin: }", "langevin lacks 'stepSize'"),
                edit("{langevin: {stepSize: 0.01}}", "»langevin", "langevin lacks 'stepSize'"),
                edit("{langevin: {stepSize: 0.01}}", "»{}", "kernel takes one of langevin", "found a map"),
                edit(" {langevin: {stepSize: 0.01}}", "»", "kernel takes one of langevin", "found nothing"),
                edit("{toy: rings}", "»toy", "toy lacks 'set'"),
                edit("steps: 20", "steps:»", "steps has no value; it takes a whole number"),
                edit("steps: 20", "steps: »null", "steps has no value"),
                edit("steps: 20", "steps: 20\n  buffer: »~", "buffer has no value; it takes settings (size, eviction"),
                edit("name: test", "name: »null", "name has no value; it takes a text"),
                edit("batch: 100", "guard: »null", "guard has no value"),
                edit(
                        "{langevin:",
                        "{langevin: {stepSize: 1}, »mala:",
                        "takes only one case, found 'langevin' and 'mala'"),
                of("»", "there is nothing in this recipe, the file is empty"),
                of("» \n\n", "there is nothing in this recipe, the file is empty"),
                of("»# rings\n# to do\n", "there is nothing in this recipe but comments"),
                of("---\n»", "the recipe has no value"));
    }

    private static Stream<Case> wrongValues() {
        return Stream.of(
                edit("stepSize: 0.01", "stepSize: »-0.01", "stepSize must be above 0, found -0.01"),
                edit("stepSize: 0.01", "stepSize: »0", "stepSize must be above 0, found 0"),
                edit("stepSize: 0.01", "stepSize: ».nan", "stepSize must be above 0", "NaN"),
                edit("stepSize: 0.01", "stepSize: ».inf", "stepSize must be above 0", "Infinity"),
                edit("stepSize: 0.01", "stepSize: »1e400", "stepSize must be above 0", "Infinity"),
                edit("stepSize: 0.01", "stepSize: 0.01, clip: »0", "clip must be above 0"),
                edit("stepSize: 0.01", "stepSize: 0.01, clamp: »[1, 0]", "clamp takes two numbers, [low, high]"),
                edit("stepSize: 0.01", "stepSize: 0.01, clamp: »[1]", "clamp takes two numbers, [low, high]"),
                edit("stepSize: 0.01", "stepSize: 1, clamp: [0, ».inf]", "clamp.1 must be a finite number"),
                edit("stepSize: 0.01", "stepSize: 1, noise: 1, temperature: »1", "give only one"),
                edit("steps: 20", "steps: »-1", "steps must be at least 0, found -1"),
                edit("steps: 20", "steps: 20\n  count: »0", "count must be at least 1, found 0"),
                edit("steps: 20", "steps: 20\n  buffer: {size: »99}", "buffer.size must be at least 100, the number"),
                edit("steps: 20", "steps: 20\n  count: 7\n  buffer: {size: »6}", "must be at least 7"),
                edit("steps: 20", "steps: 20\n  buffer: {size: 999, reinitialise: »2}", "between 0 and 1, found 2"),
                edit("[32, 64]", "»[]", "hidden must not be empty"),
                edit("[32, 64]", "[32, »0]", "hidden.1 must be at least 1, found 0"),
                edit("[32, 64]", "[32], slope: »2", "slope must lie between 0 and 1, found 2"),
                edit("std: 2", "std: »0", "std must be above 0, found 0"),
                edit("std: 2", "mean: »[1, 2, 3]", "gaussian.mean takes 2 numbers", "found 3"),
                edit("gaussian: {std: 2}", "uniform: {low: 1, high: »1}", "high must be above low, 1, found 1"),
                edit("gaussian: {std: 2}", "uniform: »{low: 1}", "high must be above low, 1, found 1"),
                edit("gaussian: {std: 2}", "data: {noise: »-1}", "noise must be 0 or more, found -1"),
                edit("l2: 0", "l2: »-1", "l2 must be 0 or more, found -1"),
                edit("contrastive: {l2: 0}", "robust: {beta: »1.5}", "beta must be at most 1, found 1.5"),
                edit("contrastive: {l2: 0}", "robust: {beta: »-.inf}", "beta must be a finite number"),
                edit("1e-4", "»0", "learningRate must be above 0, found 0"),
                edit("1e-4", "1e-4, beta2: »1", "beta2 must be 0 or more and below 1, found 1"),
                edit("1e-4", "1e-4, clipNorm: »-1", "clipNorm must be above 0"),
                edit("1e-4", "1e-4, schedule: {step: {every: »0, factor: 0.5}}", "every must be at least 1, found 0"),
                edit("1e-4", "1e-4, schedule: {cosine: {warmup: »-1}}", "warmup must be at least 0, found -1"),
                edit("adam: {learningRate: 1e-4", "sgd: {learningRate: 1, nesterov: »true", "needs a momentum above 0"),
                edit("iterations: 20000", "iterations: »0", "iterations must be at least 1, found 0"),
                edit("batch: 100", "ema: »1", "ema must be 0 or more and below 1, found 1"),
                edit("batch: 100", "guard: {retries: »-1}", "retries must be at least 0, found -1"),
                edit("name: test", "name: »../test", "name takes up to 100 letters, digits, - and _", "'../test'"),
                edit("{contrastive: {l2: 0}}", "{robust: {beta: ».nan}}", "beta must be a finite number, found NaN"),
                edit("{contrastive: {l2: 0}}", "{robust: {beta: »1.5}}", "beta must be at most 1, found 1.5"),
                edit(
                        "{contrastive: {l2: 0}}",
                        "{robust: {beta: 0.5, variant: »no-positives}}",
                        "did you mean 'no-positive'?"),
                edit(
                        "{contrastive: {l2: 0}}",
                        "»joint-cd",
                        "objective is about classes or times, and the recipe has neither",
                        "add 'time: {count: 64}' or 'classes: head'"),
                classed("head", "»heads", "classes has no 'heads'; did you mean 'head'?", "one of head, gains"),
                classed("head", "»gains", "classes can be gains only for igebm and improved-cd", "'classes: head'"),
                classed(
                        "{langevin: ",
                        "»{svgd: ",
                        "kernel cannot be combined with an objective on each component alone: its particles look at each other"),
                edit("train:", "classes: »head\ntrain:", "classes takes labelled images; toy sets have no classes"),
                timed("{count: »1}", "count must be at least 2, found 1"),
                edit(
                        "steps: 20",
                        "steps: 20\n  adapt: {acceptance: »1}",
                        "acceptance must lie between 0.01 and 0.99, found 1"),
                timed("{count: 8, reference: {std: »0}}", "std must be above 0, found 0"),
                timed(
                        "{count: 8, reference: {mean: »[0, 0, 0]}}",
                        "time.reference.mean takes 2 numbers, as the data has, found 3"),
                timed(
                        "{count: 8, annealing: {schedule: »hard}}",
                        "schedule has no 'hard' (one of basic, soft, weighted)"),
                timed("{count: 8, annealing: {weights: »[1, 2]}}", "weights are for schedule weighted, and it is soft"),
                timed(
                        "{count: 8, annealing: »{schedule: weighted}}",
                        "weights are needed where the schedule is weighted"),
                timed(
                        "{count: 8, annealing: {schedule: weighted, weights: »[0, 1]}}",
                        "weights must begin with one above 0"),
                timed(
                        "{count: 8, pinned: false, base: »first}",
                        "base cannot be first where the first time is not pinned"),
                timed("{count: 8, cumulative: false, scaled: »false}", "scaled is about the cumulative sum"),
                timed("{count: 8, base: »none}", "base cannot be none where the first time is pinned"),
                timed("{count: 8, annealing: {steps: »0}}", "steps must be at least 1, found 0"),
                timed("{count: 8, annealing: {samples: »1}}", "samples must be at least 2, found 1"),
                edit("name: test", "name: »''", "name takes up to 100 letters", "found ''"),
                edit("name: test", "name: »-rf", "the first not -"),
                edit("name: test", "name: »" + "a".repeat(101), "name takes up to 100 letters"),
                edit("name: test", "name: test\nabout: »\"a\\nb\"", "about must be one line"));
    }

    private static Stream<Case> notYaml() {
        return Stream.of(
                edit("  steps: 20", "»\tsteps: 20", "not valid YAML", "TAB"),
                edit("  steps: 20", "   »steps: 20", "not valid YAML"),
                edit("{toy: rings}", "{toy: rings\nmodel»: ", "not valid YAML"),
                of(GOOD + "takes: \"35 s\n»", "not valid YAML", "end of stream"),
                edit("name: test", "name: »@test", "not valid YAML"),
                edit("name: test", "name: test\nabout: a»: b", "not valid YAML", "mapping values are not allowed"),
                edit("name: test", "name: te»\u0007st", "the character U+0007 may not be in a recipe"),
                edit("steps: 20", "steps: 20\n  »steps: 30", "'steps' is given twice, first at line 7, column 3"),
                edit("train:", "»name: x\ntrain:", "'name' is given twice, first at line 1, column 1"),
                edit("{stepSize: 0.01}", "{stepSize: 0.01, »stepSize: 0.02}", "'stepSize' is given twice"),
                edit("name: test", "name: »&a test", "recipes have no anchors (&name); leave it out"),
                edit("steps: 20", "steps: »*a", "recipes have no aliases (*name); write the value out"),
                edit("name: test", "»<<: {name: test}", "recipes have no merge keys (<<); write the settings out"),
                edit("{toy: rings}", "{toy: »!!javax.script.ScriptEngineManager rings}", "recipes have no tags"),
                edit("steps: 20", "steps: »!!int 20", "recipes have no tags (words that begin with '!')"),
                edit("name: test", "? »[a, b]\n: 1\nname: test", "a setting's name is a word, found a list"),
                edit("name: test", "»: 1\nname: test", "not valid YAML"),
                edit("batch: 100", "»: 1", "not valid YAML"),
                edit("batch: 100", "»~: 1", "a setting's name is a word, found nothing"),
                edit("name: test", "name: \"\\U»00110000\"", "not valid YAML"),
                edit("name: test", "name: »\"\\ud83d\"", "name takes up to 100 letters"),
                of(GOOD + "»---\nname: second\n", "a second document begins here, but a recipe is only one"),
                of("a: " + "[".repeat(31) + "»" + "[".repeat(100_000), "nested more than 32 levels deep"),
                of("a: " + "{a: ".repeat(31) + "»" + "{a: ".repeat(100_000), "nested more than 32 levels deep"),
                of("- ".repeat(32) + "»" + "- ".repeat(50_000), "nested more than 32 levels deep"),
                of("? ".repeat(32) + "»" + "? ".repeat(50_000), "nested more than 32 levels deep"),
                of("%YAML 99999999999».0\n---\n" + GOOD, "not valid YAML"),
                of("»%YAML 3.0\n---\n" + GOOD, "not valid YAML"));
    }
}

package dev.kelvin.experiment;

import dev.kelvin.recipe.Binder;
import dev.kelvin.recipe.Node;
import dev.kelvin.recipe.Place;
import dev.kelvin.recipe.Problem;
import dev.kelvin.recipe.RecipeException;
import dev.kelvin.recipe.RecipeFile;
import dev.kelvin.recipe.TreeReader;
import dev.kelvin.sample.Kernel;
import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.SettingException;
import dev.kelvin.Words;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Claims of a paper, and the runs that decide them, as data: which recipes are trained, which chains walk on what was
 * learnt, and what each claim says of their figures.
 */
public record Study(
        String name,
        String paper,
        String about,
        String scale,
        int seeds,
        List<Trained> runs,
        @Default("[]") List<Walked> chains,
        List<Claim> claims) {
    private static final List<String> SHIPPED = List.of("001-toy", "003-toy", "004-toy");

    /** 1 for a run whose training diverged, which has no other figure; 0 for the others. */
    private static final String DIVERGED = "diverged";

    /** The figures of chains, see {@link Walked}. */
    private static final List<String> OF_CHAINS =
            List.of("rhat", "rhat_low", "rhat_high", "rank_rhat", "ess", "acceptance");

    /** A recipe that is trained once for each seed; its figures are those of {@code evaluation.json}. */
    public record Trained(
            String name, String recipe, @Default("[]") List<String> set) {
        public Trained {
            set = List.copyOf(set);
        }

        /** The recipe, with its changes and a seed. */
        public Recipe recipe(long seed) {
            List<String> changes = new ArrayList<>(set);
            changes.add("train.seed=" + seed);
            return Recipes.load(recipe, changes);
        }
    }

    /**
     * Chains on what a run learnt, {@code sets} sets of {@code chains} each, started as the recipe starts them. Their
     * figures are taken on the second half of {@code steps} steps: {@code rhat} (classic), {@code rank_rhat}, {@code
     * ess}, each the worst coordinate's and the median over the sets; {@code rhat_low} and {@code rhat_high}, the
     * deciles around it; {@code acceptance}.
     */
    public record Walked(
            String name,
            String run,
            Kernel<?> kernel,
            int steps,
            @Default("10") int chains,
            @Default("20") int sets) {
        public Walked {
            Check.all(
                    () -> Check.atLeast("steps", steps, 24),
                    () -> Check.atLeast("chains", chains, 2),
                    () -> Check.atLeast("sets", sets, 1));
        }
    }

    /** What a paper says, where, and the rule by which the figures decide. */
    public record Claim(
            String id, String place, String says, String rule, Optional<String> reported, Optional<String> remark) {
        public Claim {
            Rule.parse(rule);
        }

        public Rule parsed() {
            return Rule.parse(rule);
        }
    }

    public Study {
        runs = List.copyOf(runs);
        chains = List.copyOf(chains);
        claims = List.copyOf(claims);
        Check.atLeast("seeds", seeds, 1);
        Set<String> known = new HashSet<>();
        Stream.concat(runs.stream().map(Trained::name), chains.stream().map(Walked::name))
                .forEach(each -> Check.require(known.add(each), "runs", "has two of the name '" + each + "'"));
        Set<String> trained = Set.copyOf(runs.stream().map(Trained::name).toList());
        chains.forEach(each -> Check.require(
                trained.contains(each.run()), "chains", "walks on the run '" + each.run() + "', which is not there"));
        claims.forEach(claim -> claim.parsed()
                .names()
                .forEach(word -> Check.require(
                        known.contains(word.replaceFirst("\\..*", "")),
                        "claims",
                        "'" + claim.id() + "' asks for " + word + ", which nothing measures")));
    }

    public static List<String> names() {
        return SHIPPED;
    }

    /** A study that ships with Kelvin; its rules may ask for any figure of a run. */
    public static Study named(String name) {
        return named(name, List.of("*"));
    }

    /**
     * A study that ships with Kelvin.
     *
     * @param figures the names of the figures that runs have; {@code auroc_*} stands for all that begin so
     */
    public static Study named(String name, Collection<String> figures) {
        if (!SHIPPED.contains(name)) {
            String message = Words.unknown("Kelvin", "study ", name, "it has", SHIPPED);
            throw new RecipeException(List.of(new Problem(Words.oneLine(name), 0, 0, message)));
        }
        String file = "studies/" + name + ".yaml";
        try (InputStream in = Objects.requireNonNull(Study.class.getResourceAsStream(file), file)) {
            return parse(file, RecipeFile.decode(new Place(file, 1, 1), in.readAllBytes()), figures);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Study parse(String where, String text, Collection<String> figures) {
        List<Problem> problems = new ArrayList<>();
        Node tree = TreeReader.file(where, text, problems);
        List<String> ofRuns = new ArrayList<>(figures);
        ofRuns.add(DIVERGED);
        Map<String, List<String>> known = new HashMap<>();
        texts(tree, "runs", "name").forEach(run -> known.put(run.text(), ofRuns));
        texts(tree, "chains", "name").forEach(chain -> known.put(chain.text(), OF_CHAINS));
        texts(tree, "claims", "rule").forEach(rule -> checkFigures(rule, known, problems));
        return Binder.bind(Study.class, tree, "the study", problems);
    }

    /** Notes each figure of the rule that its run or chains don't have; a rule that is none is the binder's to refuse. */
    private static void checkFigures(Node.Scalar rule, Map<String, List<String>> known, List<Problem> problems) {
        List<String> names;
        try {
            names = Rule.parse(rule.text()).names();
        } catch (SettingException e) {
            return;
        }
        for (String word : names) {
            String run = word.substring(0, word.indexOf('.'));
            String figure = word.substring(run.length() + 1);
            List<String> figures = known.get(run);
            if (figures != null && figures.stream().noneMatch(each -> covers(each, figure))) {
                problems.add(rule.place()
                        .problem(Words.unknown(
                                "the rule asks for " + word + ", but '" + run + "'",
                                "figure ",
                                figure,
                                "it has",
                                figures)));
            }
        }
    }

    private static boolean covers(String declared, String figure) {
        return declared.endsWith("*")
                ? figure.startsWith(declared.substring(0, declared.length() - 1))
                        && figure.length() >= declared.length()
                : declared.equals(figure);
    }

    /** A text of each item of a list, where it is one. */
    private static List<Node.Scalar> texts(Node tree, String list, String setting) {
        return child(tree, list)
                .filter(Node.Items.class::isInstance)
                .map(items -> ((Node.Items) items).items())
                .orElse(List.of())
                .stream()
                .flatMap(item -> child(item, setting).stream())
                .filter(Node.Scalar.class::isInstance)
                .map(Node.Scalar.class::cast)
                .toList();
    }

    private static Optional<Node> child(Node node, String word) {
        return node instanceof Node.Mapping map
                ? Optional.ofNullable(map.entries().get(word)).map(Node.Entry::value)
                : Optional.empty();
    }
}

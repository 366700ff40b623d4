package dev.kelvin.experiment;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Words;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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

    /** A study that ships with Kelvin. */
    public static Study named(String name) {
        if (!SHIPPED.contains(name)) {
            String message = Words.unknown("Kelvin", "study ", name, "it has", SHIPPED);
            throw new RecipeException(List.of(new Problem(Words.oneLine(name), 0, 0, message)));
        }
        String file = "studies/" + name + ".yaml";
        try (InputStream in = Objects.requireNonNull(Study.class.getResourceAsStream(file), file)) {
            return parse(file, RecipeFile.decode(new Place(file, 1, 1), in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Study parse(String where, String text) {
        List<Problem> problems = new ArrayList<>();
        Node tree = TreeReader.file(where, text, problems);
        return Binder.bind(Study.class, tree, "the study", problems);
    }
}

package dev.kelvin.experiment;

import dev.kelvin.metric.Figure;
import dev.kelvin.recipe.Yaml;
import dev.kelvin.sample.Kernel;
import dev.kelvin.Check;
import dev.kelvin.Default;
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
    private static final List<String> SHIPPED = List.of("001-toy", "003-toy", "004-toy", "004-columns");

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
        checkFigures(claims, trained);
    }

    public static List<String> names() {
        return SHIPPED;
    }

    /** A study that ships with Kelvin. */
    public static Study named(String name) {
        Yaml.requireKnown("study", name, SHIPPED, "");
        String file = "studies/" + name + ".yaml";
        return parse(file, Yaml.resource(Study.class, file));
    }

    static Study parse(String where, String text) {
        return Yaml.file(Study.class, "the study", where, text, List.of());
    }

    /** Refuses a figure that nobody declares, of a run, or that chains don't have. */
    private static void checkFigures(List<Claim> claims, Set<String> trained) {
        for (int i = 0; i < claims.size(); i++) {
            for (String word : claims.get(i).parsed().names()) {
                String run = word.substring(0, word.indexOf('.'));
                String figure = word.substring(run.length() + 1);
                boolean known = trained.contains(run)
                        ? figure.equals(DIVERGED) || Figure.find(figure).isPresent()
                        : OF_CHAINS.contains(figure);
                Check.require(known, "claims." + i + ".rule", unknown(word, run, figure, trained.contains(run)));
            }
        }
    }

    private static String unknown(String word, String run, String figure, boolean trained) {
        List<String> there = trained ? Figure.all().stream().map(Figure::name).toList() : OF_CHAINS;
        return Words.unknown("asks for " + word + ", but '" + run + "'", "figure ", figure, "it has", there);
    }
}

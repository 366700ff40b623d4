package dev.kelvin.recipe;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Kernel;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.RecipeText;
import dev.kelvin.yaml.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Claims of a paper, and the runs that decide them, as data: which recipes are trained, which chains sample what was
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
        List<Claim> claims,
        @Default("[]") List<Plot> plots) {
    private static final List<String> SHIPPED =
            Yaml.resource(Study.class, "studies/names.txt").lines().toList();

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

    /**
     * A figure of some runs with every seed, for the report.
     *
     * @param against the setting in which the runs differ, in words; or where {@code at} is empty another figure, or
     *     {@code step} for the curves of training
     * @param at that setting in each of the runs
     * @param logarithmic whether its axis is
     */
    public record Plot(
            String title,
            String says,
            String figure,
            String against,
            List<String> runs,
            @Default("[]") List<Double> at,
            @Default("false") boolean logarithmic) {
        public Plot {
            List<String> copy = List.copyOf(runs);
            List<Double> places = List.copyOf(at);
            Check.all(
                    () -> Check.require(
                            places.isEmpty() || places.size() == copy.size(),
                            "at",
                            "takes a number for each of the " + copy.size() + " runs, found " + places.size()),
                    () -> Check.require(
                            !logarithmic || places.stream().allMatch(place -> place > 0),
                            "at",
                            "must be above 0 where the axis is logarithmic"));
            runs = copy;
            at = places;
        }

        /** Whether it shows the figure over the steps of training. */
        public boolean isOfTraining() {
            return at.isEmpty() && against.equals("step");
        }
    }

    public Study {
        runs = List.copyOf(runs);
        plots = List.copyOf(plots);
        chains = List.copyOf(chains);
        claims = List.copyOf(claims);
        List<String> trained = runs.stream().map(Trained::name).toList();
        List<String> walked = chains.stream().map(Walked::name).toList();
        List<Runnable> checks = new ArrayList<>();
        checks.add(() -> Check.atLeast("seeds", seeds, 1));
        Set<String> known = new HashSet<>();
        Stream.of(trained, walked)
                .flatMap(List::stream)
                .filter(each -> !known.add(each))
                .forEach(each -> checks.add(refusal("runs", "has two of the name '" + each + "'")));
        chains.stream()
                .filter(each -> !trained.contains(each.run()))
                .forEach(each ->
                        checks.add(refusal("chains", "samples the run '" + each.run() + "', which is not there")));
        for (int i = 0; i < claims.size(); i++) {
            String rule = "claims." + i + ".rule";
            claims.get(i).parsed().names().forEach(word -> checks.add(() -> checkFigure(rule, word, trained, walked)));
        }
        for (int i = 0; i < plots.size(); i++) {
            Plot plot = plots.get(i);
            String at = "plots." + i + ".";
            for (String run : plot.runs()) {
                checks.add(() -> checkFigure(at + "figure", run + "." + plot.figure(), trained, walked));
                if (plot.at().isEmpty() && !plot.isOfTraining()) {
                    checks.add(() -> checkFigure(at + "against", run + "." + plot.against(), trained, walked));
                }
            }
        }
        Check.all(checks.toArray(Runnable[]::new));
    }

    private static Runnable refusal(String setting, String problem) {
        return () -> Check.require(false, setting, problem);
    }

    /** Refuses a figure of a run that is not among the runs, one that is not declared, and one that chains don't have. */
    private static void checkFigure(String rule, String word, List<String> trained, List<String> walked) {
        Asked asked = Asked.parse(word);
        boolean ofRun = trained.contains(asked.run());
        Check.require(ofRun || walked.contains(asked.run()), rule, "asks for " + word + ", which nothing measures");
        List<String> there = ofRun ? Figure.all().stream().map(Figure::name).toList() : OF_CHAINS;
        Check.require(
                ofRun ? Figure.find(asked.figure()).isPresent() : OF_CHAINS.contains(asked.figure()),
                rule,
                Words.unknown(
                        "asks for " + word + ", but '" + asked.run() + "'",
                        "figure ",
                        asked.figure(),
                        "it has",
                        there));
        Check.require(
                !word.contains("@") || (ofRun && asked.moment().isPresent()),
                rule,
                "asks for " + word + "; after '@' there is start, end, least, most or a step of a run's training");
    }

    /** The figures of a run's training, such as {@code acceptance@start}, that claims ask for. */
    public List<Asked> inTraining(String run) {
        return claims.stream()
                .flatMap(claim -> claim.parsed().names().stream())
                .distinct()
                .map(Asked::parse)
                .filter(asked -> asked.run().equals(run) && asked.moment().isPresent())
                .toList();
    }

    /** The names of the studies that ship with Kelvin. */
    public static List<String> names() {
        return SHIPPED;
    }

    /**
     * A study that ships, or one from a file if the word has a slash or ends in {@code .yaml} or {@code .yml}. Recipes that
     * are files are looked for beside it, and all of them are read now: a mistake is reported before anything is trained.
     */
    public static Study load(String nameOrFile) {
        return Recipes.isFile(nameOrFile) ? own(nameOrFile, Yaml.read(nameOrFile)) : named(nameOrFile);
    }

    private static Study own(String file, String text) {
        Study study = parse(file, text);
        List<Trained> beside = study.runs.stream()
                .map(run -> new Trained(run.name(), beside(file, run.recipe()), run.set()))
                .toList();
        for (int i = 0; i < beside.size(); i++) {
            try {
                beside.get(i).recipe(0);
            } catch (RecipeException e) {
                throw text(file, text)
                        .refused(
                                List.of(),
                                new SettingException("runs." + i + ".recipe", "can't be used: " + e.getMessage()));
            }
        }
        return new Study(
                study.name,
                study.paper,
                study.about,
                study.scale,
                study.seeds,
                beside,
                study.chains,
                study.claims,
                study.plots);
    }

    /** A recipe's file, in the study's folder if it is there. */
    private static String beside(String study, String recipe) {
        Path there = Path.of(study).resolveSibling(recipe);
        return Recipes.isFile(recipe) && Files.exists(there) ? there.toString() : recipe;
    }

    /** A study that ships with Kelvin. */
    public static Study named(String name) {
        Yaml.requireKnown("study", name, SHIPPED, "");
        String file = "studies/" + name + ".yaml";
        return parse(file, Yaml.resource(Study.class, file));
    }

    /** The study that a text describes; messages call the text by its file. */
    public static Study parse(String where, String text) {
        return text(where, text).bind(List.of());
    }

    private static RecipeText<Study> text(String where, String text) {
        return RecipeText.of(Study.class, "the study", where, text);
    }
}

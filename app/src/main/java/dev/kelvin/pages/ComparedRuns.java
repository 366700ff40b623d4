package dev.kelvin.pages;

import dev.kelvin.draw.Numbers;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageKind;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.figure.Better;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.image.FrechetDistance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs side by side. Those that differ in nothing but their seed are a group, described by mean and spread. */
public record ComparedRuns(List<Run> runs) {
    /** By these, in this order, runs are ranked: how far the model's density, samples or likelihood are from the data's. */
    private static final List<Figure> FIRST = List.of(GridDensity.KL, FrechetDistance.FID, HeldOut.LOG_LIKELIHOOD);

    private static final int SHOWN = 4;

    /** Settings that do not make another recipe. */
    private static final Set<String> APART = Set.of("train.seed", "name", "about", "takes");

    /** Figures that are distances between features. */
    private static final String BY_FEATURES = "(fid|kid|is)(_.*)?";

    /**
     * One run.
     *
     * @param notes what its figures were measured with
     * @param data its data in words with part of their hash; empty where that is not known
     */
    public record Run(
            String name,
            Map<String, Double> figures,
            Map<String, String> notes,
            Map<String, String> settings,
            String data) {
        /** Without the figures of the classifier whose features are compared: they are none of the model's. */
        public Run {
            figures = new LinkedHashMap<>(figures);
            if (Evaluation.isOfFeatures(notes)) {
                figures.keySet()
                        .removeAll(Calibration.OF_CLASSIFIERS.stream()
                                .map(Figure::name)
                                .toList());
            }
        }
    }

    /** Runs of one recipe with several seeds. */
    public record Group(List<Run> runs) {
        /** Of one run, its name. */
        public String name() {
            String first = runs.get(0).name();
            return runs.size() == 1 ? first : first + " (" + runs.size() + " seeds)";
        }

        /** The median over the seeds; NaN where one of them does not have it: then the group is not called best. */
        public double median(Figure figure) {
            double[] values = values(figure);
            return Arrays.stream(values).anyMatch(Double::isNaN) ? Double.NaN : ClaimTable.Spread.median(values);
        }

        /** The least and the greatest over the seeds; none where no seed has it. */
        public List<Double> range(Figure figure) {
            DoubleSummaryStatistics known = Arrays.stream(values(figure))
                    .filter(value -> !Double.isNaN(value))
                    .summaryStatistics();
            return known.getCount() == 0 ? List.of() : List.of(known.getMin(), known.getMax());
        }

        private double[] values(Figure figure) {
            return runs.stream()
                    .mapToDouble(run -> run.figures().getOrDefault(figure.name(), Double.NaN))
                    .toArray();
        }

        /** Median and range for people. */
        public String words(Figure figure) {
            return ClaimTable.Spread.of(values(figure)).toString();
        }

        /** Whether all runs have the figure. */
        public boolean has(Figure figure) {
            return runs.stream().allMatch(run -> run.figures().containsKey(figure.name()));
        }
    }

    public ComparedRuns {
        runs = List.copyOf(runs);
    }

    /** Runs with equal recipes, but for seed and words, together. */
    public List<Group> groups() {
        Map<Map<String, String>, List<Run>> byRecipe = new LinkedHashMap<>();
        for (Run run : runs) {
            Map<String, String> recipe = new TreeMap<>(run.settings());
            recipe.keySet().removeAll(APART);
            byRecipe.computeIfAbsent(recipe, each -> new ArrayList<>()).add(run);
        }
        return byRecipe.values().stream().map(List::copyOf).map(Group::new).toList();
    }

    /** The figure to rank by; none where no two groups have one. */
    public Optional<Figure> ranking() {
        List<Figure> shared = shared();
        return Stream.concat(FIRST.stream().filter(shared::contains), shared.stream())
                .findFirst();
    }

    /** The figure to rank by and the next few that are judged. */
    public List<Figure> shown() {
        List<Figure> shown = new ArrayList<>(ranking().stream().toList());
        shared().stream()
                .filter(figure -> !shown.contains(figure) && !Double.isNaN(figure.poor()))
                .limit(SHOWN - 1)
                .forEach(shown::add);
        return shown;
    }

    /** Figures with a better way that two groups have, in declared order. */
    private List<Figure> shared() {
        List<Group> groups = groups();
        int least = Math.min(2, groups.size());
        Set<String> names =
                runs.stream().flatMap(run -> run.figures().keySet().stream()).collect(Collectors.toSet());
        return Figure.ordered(names.stream().sorted().toList()).stream()
                .filter(figure -> figure.better() == Better.LOWER || figure.better() == Better.HIGHER)
                .filter(figure ->
                        groups.stream().filter(group -> group.has(figure)).count() >= least)
                .toList();
    }

    /** The best group by a figure; none where their figures can't be compared, or are all the same. */
    public Optional<Group> best(Figure figure) {
        if (!sameData() || (figure.name().matches(BY_FEATURES) && !sameFeatures()) || !ofAsMany(figure)) {
            return Optional.empty();
        }
        OptionalDouble best = figure.best(
                groups().stream().mapToDouble(group -> group.median(figure)).toArray());
        return groups().stream()
                .filter(group -> best.isPresent() && group.median(figure) == best.getAsDouble())
                .findFirst();
    }

    /** Which way a figure is better, in words. */
    public static String direction(Figure figure) {
        return switch (figure.better()) {
            case LOWER -> "lower is better";
            case HIGHER -> "higher is better";
            case NEAR_ZERO -> "nearer to 0 is better";
            case INSIDE -> "best from " + Numbers.forPeople(figure.good()) + " to " + Numbers.forPeople(figure.poor());
            case NEITHER -> "";
        };
    }

    /** What keeps figures from being compared, in sentences. */
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (!sameData()) {
            remarks.add("The runs were trained on different data (" + String.join(", ", distinct(Run::data))
                    + "): their figures stand beside each other, and none is called best.");
        } else if (!sameFeatures()) {
            remarks.add(
                    "FID and KID were measured by different features ("
                            + String.join("; ", distinct(run -> run.notes().getOrDefault("features", "")))
                            + "), so that none is called best by them; 'kelvin evaluate RUN --features FILE' measures by the same.");
        }
        if (sameData() && sameFeatures() && !ranking().stream().allMatch(this::ofAsMany)) {
            remarks.add(
                    "FID and Inception score are of different numbers of images, on which they depend, so that none is called"
                            + " best by them; 'kelvin evaluate RUN --samples N' measures of as many.");
        }
        if (ranking().isEmpty()) {
            remarks.add("No figure that has a better way was measured of two of them.");
        }
        return remarks;
    }

    /** Whether a figure that depends on the number of images is of as many in all runs. */
    private boolean ofAsMany(Figure figure) {
        return Stream.of(ImageKind.values())
                .filter(kind -> kind.isBiased(figure))
                .allMatch(kind -> runs.stream()
                                .map(run -> run.figures().get(kind.count().name()))
                                .filter(Objects::nonNull)
                                .distinct()
                                .count()
                        <= 1);
    }

    private boolean sameData() {
        return distinct(Run::data).size() <= 1;
    }

    private boolean sameFeatures() {
        return distinct(run -> run.notes().getOrDefault("features", "")
                                + run.notes().getOrDefault("reference", ""))
                        .size()
                <= 1;
    }

    private Collection<String> distinct(Function<Run, String> what) {
        return runs.stream()
                .map(what)
                .filter(each -> !each.isEmpty())
                .distinct()
                .toList();
    }
}

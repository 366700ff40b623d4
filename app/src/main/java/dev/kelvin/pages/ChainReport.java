package dev.kelvin.pages;

import dev.kelvin.diagnostic.Autocorrelation;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.diagnostic.EffectiveSampleSize;
import dev.kelvin.diagnostic.Rhat;
import dev.kelvin.draw.Domain;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Series;
import dev.kelvin.energy.Target;
import dev.kelvin.experiment.Purpose;
import dev.kelvin.metric.Figure;
import dev.kelvin.metric.Verdict;
import dev.kelvin.report.Block;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Measure;
import dev.kelvin.report.Paragraphs;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Report;
import dev.kelvin.report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.run.Diagnosis;
import dev.kelvin.run.Sampling;
import dev.kelvin.sample.Chains;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.Trace;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The report of chains on one density: whether they agree, with each other and with the truth, and what they cost. */
public final class ChainReport {
    private static final int SHOWN_CHAINS = 4;
    private static final int SHOWN_COORDINATES = 4;
    private static final int BINS = 60;
    private static final int EXACT_DRAWS = 200_000;
    private static final int MOST_LAGS = 100;
    private static final int MOST_ROWS = 30;

    private ChainReport() {}

    public static Report of(Sampling sampling) {
        Diagnosis diagnosis = sampling.diagnosis();
        Map<String, Double> figures = figures(sampling);
        Optional<double[]> exact = sampling.subject().truth().map(ChainReport::exactDraws);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("What was sampled", new Paragraphs(story(sampling))));
        sections.add(
                new Section("Do the chains agree?", table(sampling), traces(sampling), autocorrelations(sampling)));
        List<Block> marginals = new ArrayList<>();
        for (int coordinate : shown(diagnosis)) {
            marginals.add(marginal(sampling, exact, coordinate));
        }
        plane(sampling, exact).ifPresent(marginals::add);
        sections.add(new Section(exact.isPresent() ? "Are they right?" : "What they found", marginals));
        sections.add(
                new Section("Figures of merit", TableBlock.of("Each with what it means", measures(sampling, figures))));
        return new Report(
                sampling.subject().name(), lead(sampling), highlights(figures), diagnosis.complaints(), sections);
    }

    private static String lead(Sampling sampling) {
        Diagnosis diagnosis = sampling.diagnosis();
        String verdict = diagnosis.good()
                ? "agree and have converged"
                : Rhat.RHAT.verdict(diagnosis.worst().rhat()) == Verdict.GOOD
                        ? "agree, but have too few effective draws"
                        : "do not agree";
        return String.format(
                Locale.ROOT,
                "%d chains of %s that %s (R-hat %.4g, %.0f effective draws).",
                diagnosis.chains().trace().chains(),
                sampling.kernel().words().replaceFirst(" with step size 1\\b", ""),
                verdict,
                diagnosis.worst().rhat(),
                diagnosis.leastBulk());
    }

    private static List<String> story(Sampling sampling) {
        Chains.Length length = sampling.length();
        Trace trace = sampling.diagnosis().chains().trace();
        List<String> story = new ArrayList<>();
        story.add("The density is " + sampling.subject().words() + ".");
        String step = sampling.stepSize().isPresent()
                ? String.format(
                        Locale.ROOT,
                        " The step size was tuned in the burn-in, to %.4g.",
                        sampling.stepSize().getAsDouble())
                : "";
        story.add(trace.chains() + " chains were burnt in for " + length.burnIn() + " steps and then drawn from "
                + length.draws() + " times, " + length.thin() + " step" + (length.thin() == 1 ? "" : "s") + " apart."
                + step
                + (trace.stride() > 1 ? " Every " + trace.stride() + "th draw was kept." : ""));
        return story;
    }

    private static List<Measure> highlights(Map<String, Double> figures) {
        return Stream.of(Rhat.RHAT, EffectiveSampleSize.ESS_BULK, ChainFigures.ACCEPTANCE, ChainFigures.ESS_PER_SECOND)
                .filter(figure -> figures.containsKey(figure.name()))
                .map(figure -> Measure.of(figure, figures))
                .toList();
    }

    private static TableBlock table(Sampling sampling) {
        Optional<Target> truth = sampling.subject().truth();
        List<String> headers = new ArrayList<>(List.of("Coordinate", "Mean", "± error"));
        truth.ifPresent(t -> headers.add("true mean"));
        headers.add("Std");
        truth.ifPresent(t -> headers.add("true std"));
        headers.addAll(List.of("R-hat", "classic", "ESS bulk", "ESS tail"));
        List<List<TableBlock.Cell>> rows = new ArrayList<>();
        for (Diagnosis.Coordinate each :
                sampling.diagnosis().coordinates().stream().limit(MOST_ROWS).toList()) {
            List<TableBlock.Cell> row = new ArrayList<>();
            row.add(new TableBlock.Cell.Words("x" + (each.index() + 1)));
            row.add(new TableBlock.Cell.Value(each.mean()));
            row.add(new TableBlock.Cell.Value(each.error()));
            truth.ifPresent(t -> row.add(new TableBlock.Cell.Value(t.mean()[each.index()])));
            row.add(new TableBlock.Cell.Value(each.std()));
            truth.ifPresent(
                    t -> row.add(new TableBlock.Cell.Value(Math.sqrt(t.covariance()[each.index()][each.index()]))));
            for (double figure : new double[] {each.rhat(), each.classicRhat(), each.bulkSize(), each.tailSize()}) {
                row.add(new TableBlock.Cell.Value(figure));
            }
            rows.add(row);
        }
        int all = sampling.diagnosis().coordinates().size();
        return new TableBlock(
                "Means and their Monte Carlo errors. R-hat (rank-normalised, the larger of bulk and folded) compares"
                        + " chains with each other: 1 is agreement, above 1.01 is not."
                        + (all > MOST_ROWS ? " The first " + MOST_ROWS + " of " + all + " coordinates." : ""),
                headers,
                rows);
    }

    /** The coordinate whose chains agree least, and the first few others. */
    private static List<Integer> shown(Diagnosis diagnosis) {
        int worst = diagnosis.worst().index();
        return IntStream.concat(
                        IntStream.of(worst),
                        IntStream.range(0, diagnosis.coordinates().size()))
                .distinct()
                .limit(SHOWN_COORDINATES)
                .sorted()
                .boxed()
                .toList();
    }

    private static Curves traces(Sampling sampling) {
        int worst = sampling.diagnosis().worst().index();
        double[][] chains = sampling.diagnosis().chains().trace().coordinate(worst);
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < Math.min(SHOWN_CHAINS, chains.length); i++) {
            double[] draws =
                    IntStream.range(0, chains[i].length).asDoubleStream().toArray();
            series.add(Series.of("chain " + (i + 1), draws, chains[i]).thinned(MOST_LAGS * 4));
        }
        return new Curves(
                "Trace of x" + (worst + 1),
                "Where the first chains were, draw by draw, in the coordinate whose chains agree least. Good chains overlap and look like noise around one level; lines that stay apart are modes that no chain leaves.",
                "draw",
                series);
    }

    private static Curves autocorrelations(Sampling sampling) {
        Trace trace = sampling.diagnosis().chains().trace();
        int lags = Math.min(MOST_LAGS, trace.draws() / 2);
        double[] lag = IntStream.rangeClosed(0, lags).asDoubleStream().toArray();
        List<Series> series = new ArrayList<>();
        for (int coordinate : shown(sampling.diagnosis())) {
            double[] values = Autocorrelation.of(trace.coordinate(coordinate), lags);
            int length = Math.min(lag.length, values.length);
            series.add(Series.of("x" + (coordinate + 1), Arrays.copyOf(lag, length), Arrays.copyOf(values, length)));
        }
        return new Curves(
                "Autocorrelation",
                "The correlation of draws by lag; the sooner it falls to 0, the larger the effective sample size.",
                "lag",
                series);
    }

    private static double[] exactDraws(Target target) {
        try (Scope scope = Scope.open()) {
            return target.draw(Purpose.EXACT.key(), EXACT_DRAWS, DType.DOUBLE).toDoubles();
        }
    }

    private static Curves marginal(Sampling sampling, Optional<double[]> exact, int coordinate) {
        double[] drawn = Arrays.stream(sampling.diagnosis().chains().trace().coordinate(coordinate))
                .flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite)
                .toArray();
        int dimension = sampling.diagnosis().coordinates().size();
        Optional<double[]> truth = exact.map(all -> column(all, dimension, coordinate));
        double[] range = range(truth.orElse(drawn));
        List<Series> series = new ArrayList<>();
        truth.ifPresent(values -> series.add(histogram("truth", values, range)));
        series.add(histogram("chains", drawn, range));
        return new Curves("Marginal of x" + (coordinate + 1), "Its density.", "x" + (coordinate + 1), series);
    }

    private static double[] column(double[] all, int dimension, int coordinate) {
        return IntStream.range(0, all.length / dimension)
                .mapToDouble(i -> all[i * dimension + coordinate])
                .toArray();
    }

    /** From the 0.1 % to the 99.9 % quantile, with a tenth more at both ends. */
    private static double[] range(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        if (sorted.length == 0) {
            return new double[] {-1, 1};
        }
        double low = sorted[sorted.length / 1000];
        double high = sorted[sorted.length - 1 - sorted.length / 1000];
        double margin = high > low ? (high - low) / 10 : 1;
        return new double[] {low - margin, high + margin};
    }

    private static Series histogram(String name, double[] values, double[] range) {
        double width = (range[1] - range[0]) / BINS;
        double[] density = new double[BINS];
        for (double value : values) {
            int bin = (int) Math.floor((value - range[0]) / width);
            if (bin >= 0 && bin < BINS) {
                density[bin] += 1 / (values.length * width);
            }
        }
        double[] middles = IntStream.range(0, BINS)
                .mapToDouble(i -> range[0] + (i + 0.5) * width)
                .toArray();
        return Series.of(name, middles, density);
    }

    /** Pictures of two coordinates, where there are just two. */
    private static Optional<Block> plane(Sampling sampling, Optional<double[]> exact) {
        Trace trace = sampling.diagnosis().chains().trace();
        if (trace.coordinates() != 2) {
            return Optional.empty();
        }
        float[][] drawn = points(flat(trace.coordinate(0)), flat(trace.coordinate(1)));
        double[] x = range(exact.map(all -> column(all, 2, 0)).orElse(flat(trace.coordinate(0))));
        double[] y = range(exact.map(all -> column(all, 2, 1)).orElse(flat(trace.coordinate(1))));
        double side = Math.max(x[1] - x[0], y[1] - y[0]) / 2;
        double middleX = (x[0] + x[1]) / 2;
        double middleY = (y[0] + y[1]) / 2;
        Domain domain = new Domain(middleX - side, middleX + side, middleY - side, middleY + side);
        List<Picture> pictures = new ArrayList<>();
        exact.ifPresent(all -> {
            float[][] points = points(column(all, 2, 0), column(all, 2, 1));
            float[][] asMany = Arrays.copyOf(points, Math.min(points.length, drawn.length));
            pictures.add(new Picture("Exact draws", "Scatter plot of exact draws", Drawings.samples(domain, asMany)));
        });
        pictures.add(new Picture("The chains' draws", "Scatter plot of the draws", Drawings.samples(domain, drawn)));
        return Optional.of(new Pictures("All draws in the plane.", pictures));
    }

    private static double[] flat(double[][] chains) {
        return Arrays.stream(chains).flatMapToDouble(Arrays::stream).toArray();
    }

    private static float[][] points(double[] x, double[] y) {
        float[][] points = new float[x.length][];
        Arrays.setAll(points, i -> new float[] {(float) x[i], (float) y[i]});
        return points;
    }

    /** What was measured of the chains as a whole. */
    private static Map<String, Double> figures(Sampling sampling) {
        Diagnosis diagnosis = sampling.diagnosis();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(Rhat.RHAT.name(), diagnosis.worst().rhat());
        figures.put(EffectiveSampleSize.ESS_BULK.name(), diagnosis.leastBulk());
        figures.put(EffectiveSampleSize.ESS_TAIL.name(), diagnosis.leastTail());
        figures.put(ChainFigures.SECONDS.name(), sampling.seconds());
        figures.put(ChainFigures.GRADIENTS.name(), (double) sampling.gradients());
        figures.put(ChainFigures.GRADIENTS_PER_EFFECTIVE_DRAW.name(), sampling.gradientsPerSample());
        figures.put(ChainFigures.ESS_PER_SECOND.name(), sampling.sizePerSecond());
        Chains chains = diagnosis.chains();
        chains.acceptance().ifPresent(rate -> figures.put(ChainFigures.ACCEPTANCE.name(), rate));
        double[] error = chains.more().get(StepInfo.ENERGY_ERROR);
        if (error != null) {
            figures.put(ChainFigures.ENERGY_ERROR.name(), error[0]);
        }
        return figures;
    }

    private static List<Measure> measures(Sampling sampling, Map<String, Double> figures) {
        List<Measure> measures = new ArrayList<>(Measure.all(figures));
        double[] swaps = sampling.diagnosis().chains().more().get(StepInfo.SWAPS);
        Figure rate = ChainFigures.SWAP_RATES;
        for (int i = 0; swaps != null && i < swaps.length; i++) {
            measures.add(new Measure(
                    rate.title() + " " + (i + 1) + " ↔ " + (i + 2), swaps[i], rate.meaning(), rate.verdict(swaps[i])));
        }
        return measures;
    }
}

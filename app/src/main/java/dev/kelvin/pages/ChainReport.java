package dev.kelvin.pages;

import dev.kelvin.diagnostic.Autocorrelation;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.diagnostic.EffectiveSampleSize;
import dev.kelvin.diagnostic.Rhat;
import dev.kelvin.diagnostic.Summary;
import dev.kelvin.draw.Series;
import dev.kelvin.energy.Target;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Measure;
import dev.kelvin.report.Report;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.run.ChainDiagnostics;
import dev.kelvin.run.Sampling;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.chain.Chains;
import dev.kelvin.sample.chain.Trace;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The report of chains on one density: whether they agree, with each other and with the truth, and what they cost. */
public final class ChainReport {
    private static final int SHOWN_CHAINS = 4;
    private static final int SHOWN_COORDINATES = 4;
    private static final int EXACT_DRAWS = 200_000;
    private static final int MOST_LAGS = 100;
    private static final int MOST_ROWS = 30;

    /** A number with more digits than anybody reads. */
    private static final Pattern LONG_NUMBER = Pattern.compile("\\d+\\.\\d{5,}(E-?\\d+)?");

    private ChainReport() {}

    /** The page of chains that were run. */
    public static Report of(Sampling sampling) {
        ChainDiagnostics diagnosis = sampling.diagnosis();
        Map<String, Double> figures = figures(sampling);
        Optional<double[]> exact = sampling.subject().truth().map(ChainReport::exactDraws);
        List<Integer> shown = shown(diagnosis);
        ChainPictures pictures = new ChainPictures(diagnosis.chains().trace(), exact);
        List<Block> found =
                new ArrayList<>(shown.stream().map(pictures::marginal).toList());
        if (shown.size() > 1) {
            found.add(pictures.pairs(shown));
        }
        return new Report(
                sampling.subject().name(),
                lead(sampling),
                highlights(sampling, figures),
                diagnosis.complaints(),
                List.of(
                        new Section("What was sampled", new Paragraphs(story(sampling))),
                        new Section(
                                "Do the chains agree?",
                                new Paragraphs(where(diagnosis)),
                                table(sampling),
                                traces(sampling),
                                autocorrelations(sampling),
                                pictures.ranks(diagnosis.worst())),
                        new Section(exact.isPresent() ? "Are they right?" : "What they found", found),
                        new Section(
                                "Figures of merit",
                                TableBlock.of("Each with what it means", measures(sampling, figures)))));
    }

    private static String lead(Sampling sampling) {
        ChainDiagnostics diagnosis = sampling.diagnosis();
        String verdict = diagnosis.good()
                ? "agree and have converged"
                : Rhat.RHAT.verdict(diagnosis.rhat()) == Verdict.GOOD
                        ? "agree, but have too few effective draws"
                        : "do not agree";
        return Words.say(
                "%d chains of %s that %s (R-hat %.4g, %.0f effective draws).",
                diagnosis.chains().trace().chains(),
                rounded(sampling.kernel().words().replaceFirst(" with step size 1\\b", "")),
                verdict,
                diagnosis.rhat(),
                diagnosis.leastBulk());
    }

    /** Words in which numbers have four digits. */
    static String rounded(String words) {
        return LONG_NUMBER.matcher(words).replaceAll(number -> Words.say("%.4g", Double.parseDouble(number.group())));
    }

    /** Which coordinate is the worst, by each figure. */
    private static String where(ChainDiagnostics diagnosis) {
        return Words.say(
                "Chains agree least in %s (R-hat %.4g). The fewest effective draws are those of %s in the bulk (%.0f) and of"
                        + " %s in the tails (%.0f).",
                ChainPictures.name(diagnosis.worst()),
                diagnosis.rhat(),
                least(diagnosis, Summary.Row::essBulk),
                diagnosis.leastBulk(),
                least(diagnosis, Summary.Row::essTail),
                diagnosis.leastTail());
    }

    private static String least(ChainDiagnostics diagnosis, ToDoubleFunction<Summary.Row> figure) {
        return diagnosis.coordinates().stream()
                .min(Comparator.comparingDouble(figure))
                .orElseThrow()
                .name();
    }

    private static List<String> story(Sampling sampling) {
        Chains.Length length = sampling.length();
        Trace trace = sampling.diagnosis().chains().trace();
        String step = sampling.stepSize().stream()
                .mapToObj(size -> Words.say(" The step size was tuned in the burn-in, to %.4g.", size))
                .collect(Collectors.joining());
        return List.of(
                "The density is " + sampling.subject().words() + ".",
                trace.chains() + " chains were burnt in for " + length.burnIn() + " steps and then drawn from "
                        + length.draws() + " times, " + length.thin() + " step" + (length.thin() == 1 ? "" : "s")
                        + " apart." + step
                        + (trace.stride() > 1 ? " Every " + trace.stride() + "th draw was kept." : ""));
    }

    /** The figures that matter most; one of the worst coordinate says which that is. */
    private static List<Measure> highlights(Sampling sampling, Map<String, Double> figures) {
        ChainDiagnostics diagnosis = sampling.diagnosis();
        Map<Figure, String> worst = Map.of(
                Rhat.RHAT, ChainPictures.name(diagnosis.worst()),
                EffectiveSampleSize.ESS_BULK, least(diagnosis, Summary.Row::essBulk));
        return Stream.of(Rhat.RHAT, EffectiveSampleSize.ESS_BULK, ChainFigures.ACCEPTANCE, ChainFigures.ESS_PER_SECOND)
                .filter(figure -> figures.containsKey(figure.name()))
                .map(figure -> {
                    Measure measure = Measure.of(figure, figures);
                    return Optional.ofNullable(worst.get(figure))
                            .map(measure::of)
                            .orElse(measure);
                })
                .toList();
    }

    private static TableBlock table(Sampling sampling) {
        ChainDiagnostics diagnosis = sampling.diagnosis();
        List<Summary.Row> rows = diagnosis.coordinates();
        Optional<Target> truth = sampling.subject().truth();
        Map<String, IntToDoubleFunction> columns = new LinkedHashMap<>();
        columns.put("Mean", i -> rows.get(i).mean());
        columns.put("± error", i -> rows.get(i).mcse());
        truth.ifPresent(target -> columns.put("true mean", i -> target.mean()[i]));
        columns.put("Std", i -> rows.get(i).sd());
        truth.ifPresent(target -> columns.put("true std", i -> Math.sqrt(target.covariance()[i][i])));
        columns.put("R-hat", i -> rows.get(i).rhat());
        columns.put("classic", diagnosis::classicRhat);
        columns.put("ESS bulk", i -> rows.get(i).essBulk());
        columns.put("ESS tail", i -> rows.get(i).essTail());
        int all = rows.size();
        return TableBlock.of(
                "Means and their Monte Carlo errors. R-hat (rank-normalised, the larger of bulk and folded) compares"
                        + " chains with each other: 1 is agreement, above 1.01 is not."
                        + (all > MOST_ROWS ? " The first " + MOST_ROWS + " of " + all + " coordinates." : ""),
                "Coordinate",
                columns.keySet(),
                IntStream.range(0, Math.min(MOST_ROWS, all)).boxed().toList(),
                i -> Cell.words(rows.get(i).name()),
                i -> columns.values().stream()
                        .map(value -> Cell.value(value.applyAsDouble(i)))
                        .toList());
    }

    /** The coordinate whose chains agree least, and the first few others. */
    private static List<Integer> shown(ChainDiagnostics diagnosis) {
        int worst = diagnosis.worst();
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
        int worst = sampling.diagnosis().worst();
        double[][] chains = sampling.diagnosis().chains().trace().coordinate(worst);
        List<Series> series = new ArrayList<>();
        long apart = (long) sampling.length().thin()
                * sampling.diagnosis().chains().trace().stride();
        for (int i = 0; i < Math.min(SHOWN_CHAINS, chains.length); i++) {
            series.add(Series.of("chain " + (i + 1), chains[i], draw -> (draw + 1) * apart)
                    .thinned(MOST_LAGS * 4));
        }
        String name = ChainPictures.name(worst);
        return new Curves(
                "Trace of " + name,
                "Where the first chains were, step by step, in " + name
                        + ", the coordinate whose chains agree least. Good chains overlap and look like noise around one level; lines that stay apart are modes that no chain leaves.",
                "step after the burn-in",
                name,
                series);
    }

    private static Curves autocorrelations(Sampling sampling) {
        Trace trace = sampling.diagnosis().chains().trace();
        int lags = Math.min(MOST_LAGS, trace.draws() / 2);
        List<Series> series = shown(sampling.diagnosis()).stream()
                .map(i -> Series.of(ChainPictures.name(i), Autocorrelation.of(trace.coordinate(i), lags), lag -> lag))
                .toList();
        return new Curves(
                "Autocorrelation",
                "The correlation of draws by lag; the sooner it falls to 0, the larger the effective sample size.",
                "lag, in draws",
                "autocorrelation",
                series);
    }

    private static double[] exactDraws(Target target) {
        try (Scope scope = Scope.open()) {
            return target.draw(KeyDomain.EXACT.key(), EXACT_DRAWS, DType.DOUBLE).toDoubles();
        }
    }

    /** What was measured of the chains as a whole. */
    private static Map<String, Double> figures(Sampling sampling) {
        Map<String, Double> figures = new LinkedHashMap<>();
        sampling.diagnosis().figures().forEach((name, value) -> {
            if (value instanceof Double number) { // and no array
                figures.put(name, number);
            }
        });
        figures.put(ChainFigures.SECONDS.name(), sampling.seconds());
        figures.put(ChainFigures.GRADIENTS.name(), (double) sampling.gradients());
        figures.put(ChainFigures.GRADIENTS_PER_EFFECTIVE_DRAW.name(), sampling.gradientsPerSample());
        figures.put(ChainFigures.ESS_PER_SECOND.name(), sampling.sizePerSecond());
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

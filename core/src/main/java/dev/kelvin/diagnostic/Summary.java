package dev.kelvin.diagnostic;

import dev.kelvin.part.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What chains say of each quantity, one row each, as a table to read, as JSON and as CSV: mean, standard deviation and their
 * Monte Carlo errors, quantiles, effective sample sizes, R-hat.
 */
public record Summary(List<Row> rows) {
    private static final List<String> COLUMNS =
            List.of("mean", "sd", "mcse", "mcse_sd", "q5", "median", "q95", "ess_bulk", "ess_tail", "rhat");

    private static final double TAIL = 0.05;

    public Summary {
        rows = List.copyOf(rows);
    }

    /**
     * One quantity.
     *
     * @param essTail effective draws for the 5 and 95 % quantiles, the smaller
     * @param rhat rank-normalised, the larger of bulk and folded
     */
    public record Row(
            String name,
            double mean,
            double sd,
            double mcse,
            double mcseSd,
            double q5,
            double median,
            double q95,
            double essBulk,
            double essTail,
            double rhat) {
        static Row of(String name, double[][] chains) {
            double[] sorted = ChainDraws.pooled(chains);
            double mean = ChainDraws.mean(sorted);
            double sd = Math.sqrt(ChainDraws.variance(sorted));
            Arrays.sort(sorted);
            return new Row(
                    name,
                    mean,
                    sd,
                    MonteCarloError.ofMean(chains),
                    MonteCarloError.ofStandardDeviation(chains),
                    ChainDraws.quantile(sorted, TAIL),
                    ChainDraws.quantile(sorted, 0.5),
                    ChainDraws.quantile(sorted, 1 - TAIL),
                    EffectiveSampleSize.bulk(chains),
                    EffectiveSampleSize.tail(chains),
                    Rhat.rankNormalised(chains).max());
        }

        private Map<String, Double> figures() {
            double[] values = {mean, sd, mcse, mcseSd, q5, median, q95, essBulk, essTail, rhat};
            Map<String, Double> figures = new LinkedHashMap<>();
            COLUMNS.forEach(column -> figures.put(column, values[figures.size()]));
            return figures;
        }
    }

    /** Of quantities by name, each with its draws [chain][draw]; 12 draws of each chain or more. */
    public static Summary of(List<String> names, IntFunction<double[][]> chains) {
        return new Summary(IntStream.range(0, names.size())
                .mapToObj(i -> Row.of(names.get(i), chains.apply(i)))
                .toList());
    }

    /** The row of a quantity. */
    public Row row(String name) {
        return rows.stream()
                .filter(row -> row.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the summary has no quantity '" + name
                        + "'; it has "
                        + String.join(", ", rows.stream().map(Row::name).toList())));
    }

    /** The largest R-hat; one that is not a number is worse than any. */
    public double worstRhat() {
        return rows.stream().mapToDouble(Row::rhat).reduce(1, Math::max);
    }

    /** The fewest effective draws, of bulk and tails. */
    public double leastEss() {
        return rows.stream()
                .mapToDouble(row -> Math.min(row.essBulk, row.essTail))
                .reduce(Double.POSITIVE_INFINITY, Math::min);
    }

    /** A table with one line for each quantity. */
    @Override
    public String toString() {
        int width = Math.max(
                4, rows.stream().mapToInt(row -> row.name.length()).max().orElse(0));
        StringBuilder text = new StringBuilder(" ".repeat(width));
        for (String column : COLUMNS) {
            text.append(Words.say(" %9s", column));
        }
        for (Row row : rows) {
            text.append('\n').append(row.name).append(" ".repeat(width - row.name.length()));
            row.figures().forEach((name, value) -> text.append(Words.say(" %9s", shown(name, value))));
        }
        return text.append('\n').toString();
    }

    private static String shown(String column, double value) {
        String format = switch (column) {
            case "ess_bulk", "ess_tail" -> "%.0f";
            case "rhat" -> "%.4f";
            case "mcse", "mcse_sd" -> "%.2g";
            default -> "%.4g";
        };
        return Double.isFinite(value) ? Words.say(format, value) : Double.toString(value);
    }

    /** Comma-separated values with a line of headings; numbers in full, NaN where there is none. */
    public String csv() {
        StringBuilder text = new StringBuilder("name," + String.join(",", COLUMNS) + '\n');
        for (Row row : rows) {
            text.append(quoted(row.name));
            row.figures().values().forEach(value -> text.append(',').append(value));
            text.append('\n');
        }
        return text.toString();
    }

    private static String quoted(String name) {
        return name.matches("[^,\"\r\n]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /** An object for each quantity, in a list; null where a number is not finite, as JSON has no other word. */
    public String json() {
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        for (Row row : rows) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("name", row.name);
            row.figures().forEach((name, value) -> object.put(name, Double.isFinite(value) ? value : null));
            list.add(object);
        }
        return new JsonMapper().writeValueAsString(list);
    }
}

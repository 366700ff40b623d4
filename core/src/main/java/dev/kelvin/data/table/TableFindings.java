package dev.kelvin.data.table;

import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What is to be known of a table before a density is learnt from it, a sentence each. */
public final class TableFindings {
    /** As many rows are looked at for repeated values and correlations: of more, evenly spread ones. */
    private static final int LOOKED_AT = 100_000;

    private static final double TIED = 0.01; // of the rows on one value: a peak that a density cannot have
    private static final int TIED_ROWS = 5; // two of twenty are chance
    private static final double COPIED = 0.01;
    private static final double COLLINEAR = 1e-4; // the least eigenvalue of the inputs' correlation by the largest
    private static final double LOADING = 0.3; // of the largest in an eigenvector: takes part in it
    private static final int ROWS_AN_INPUT = 10;
    private static final int NAMED = 5; // in a sentence

    /** A column's most frequent value, and the share of rows that have it. */
    private record Tie(String column, double most, double value) {
        boolean matters(int rows) {
            return most >= TIED && most * Math.min(rows, LOOKED_AT) >= TIED_ROWS;
        }
    }

    private TableFindings() {}

    /** Of rows that are learnt with noise or without, which repeated values need. */
    public static List<String> of(boolean noisy, NumberTable table, int... rows) {
        int[] some = some(rows);
        int copies = copies(table, rows);
        List<String> warnings = new ArrayList<>(table.remarks());
        constant(table.schema()).ifPresent(warnings::add);
        if (rows.length < ROWS_AN_INPUT * table.width()) {
            warnings.add("There are " + rows.length + " rows for " + table.width()
                    + (table.width() == 1 ? " input" : " inputs") + "; " + ROWS_AN_INPUT
                    + " an input is the least to learn a density from.");
        }
        if (!noisy) {
            tied(table, ties(table, some), rows.length).ifPresent(warnings::add);
        }
        if (copies >= COPIED * rows.length && copies > 0) {
            warnings.add(copies + " of " + rows.length + " rows (" + percent((double) copies / rows.length)
                    + ") are copies of others, so that held-out rows may have been trained on too.");
        }
        collinear(table, some).ifPresent(warnings::add);
        return warnings;
    }

    private static Optional<String> constant(Schema schema) {
        List<Column> constant = schema.constant();
        return constant.isEmpty()
                ? Optional.empty()
                : Optional.of((constant.size() == 1 ? "Column " : "Columns ") + quoted(Schema.names(constant))
                        + (constant.size() == 1 ? " has one value only and was" : " have one value only and were")
                        + " left out.");
    }

    private static int[] some(int... rows) {
        return rows.length <= LOOKED_AT
                ? rows
                : IntStream.range(0, LOOKED_AT)
                        .map(i -> rows[(int) ((long) i * rows.length / LOOKED_AT)])
                        .toArray();
    }

    // ---- repeated values

    private static List<Tie> ties(NumberTable table, int... rows) {
        List<Column> used = table.schema().used();
        return IntStream.range(0, used.size())
                .filter(i -> used.get(i).kind() == Kind.NUMERIC)
                .mapToObj(i -> tie(used.get(i).name(), table.column(i, rows)))
                .toList();
    }

    private static Tie tie(String column, double... values) {
        Arrays.sort(values);
        int most = 0;
        double value = values[0];
        for (int from = 0, to; from < values.length; from = to) {
            to = from + 1;
            while (to < values.length && values[to] == values[from]) {
                to++;
            }
            if (to - from > most) {
                most = to - from;
                value = values[from];
            }
        }
        return new Tie(column, (double) most / values.length, value);
    }

    private static Optional<String> tied(NumberTable table, List<Tie> ties, int rows) {
        List<Tie> worst = ties.stream()
                .filter(tie -> tie.matters(rows))
                .sorted(Comparator.comparingDouble(Tie::most).reversed())
                .toList();
        List<String> words = Schema.names(table.schema().used().stream()
                .filter(column -> column.kind() == Kind.ONE_HOT)
                .toList());
        if (worst.isEmpty() && words.isEmpty()) {
            return Optional.empty();
        }
        String numbers = worst.stream()
                .limit(NAMED)
                .map(tie -> Words.quote(tie.column) + " (" + percent(tie.most) + " of the rows have "
                        + Words.number(tie.value) + ")")
                .collect(Collectors.joining(", "));
        String text = words.isEmpty() ? "" : quoted(words) + " (text as 0 and 1)";
        return Optional.of("Values repeat in "
                + Stream.of(numbers, text).filter(each -> !each.isEmpty()).collect(Collectors.joining(", "))
                + (worst.size() > NAMED ? " and " + (worst.size() - NAMED) + " more columns" : "")
                + "; a density has no bound there, so train with noise.");
    }

    // ---- repeated rows

    private static int copies(NumberTable table, int... rows) {
        double[] row = new double[table.width()];
        long[] hashes = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            table.copy(rows[i], row, 0);
            long hash = 1;
            for (double value : row) {
                hash = (hash ^ Double.doubleToLongBits(value + 0.0)) * 0x9E3779B97F4A7C15L; // −0 is 0
                hash ^= hash >>> 32;
            }
            hashes[i] = hash;
        }
        Arrays.sort(hashes);
        int copies = 0;
        for (int i = 1; i < hashes.length; i++) {
            copies += hashes[i] == hashes[i - 1] ? 1 : 0;
        }
        return copies;
    }

    // ---- columns that follow from others

    private static Optional<String> collinear(NumberTable table, int... rows) {
        int d = table.width();
        double[] flat = Stream.of(InputMoments.of(table, rows).correlation())
                .flatMapToDouble(DoubleStream::of)
                .toArray();
        try (Scope scope = Scope.open()) {
            SymmetricEigen eigen = SymmetricEigen.of(Tensors.of(flat, d, d));
            double[] values = eigen.values().toDoubles();
            double condition = Math.max(0, values[0]) / values[d - 1];
            double[] vectors = eigen.vectors().contiguous().toDoubles();
            int[] owners = table.schema().owners();
            List<Column> used = table.schema().used();
            double largest = IntStream.range(0, d)
                    .mapToDouble(i -> Math.abs(vectors[i * d]))
                    .max()
                    .orElse(1);
            List<String> names = IntStream.range(0, d)
                    .filter(i -> Math.abs(vectors[i * d]) > LOADING * largest)
                    .map(i -> owners[i])
                    .distinct()
                    .mapToObj(i -> used.get(i).name())
                    .toList();
            return condition < COLLINEAR && names.size() > 1 // words of one column always follow from each other
                    ? Optional.of("Columns " + quoted(names) + " nearly follow from each other (reciprocal condition "
                            + String.format(Locale.ROOT, "%.1g", condition) + "); exclude one of them.")
                    : Optional.empty();
        }
    }

    private static String quoted(List<String> names) {
        return names.stream().limit(NAMED).map(Words::quote).collect(Collectors.joining(", "))
                + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
    }
}

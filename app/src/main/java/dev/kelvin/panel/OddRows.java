package dev.kelvin.panel;

import dev.kelvin.data.table.Schema;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.draw.Numbers;
import dev.kelvin.judge.TableJudge;
import dev.kelvin.metric.OddColumns;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Fold;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The held-out rows with the lowest f, with the columns that make them odd. */
final class OddRows {
    private static final int ROWS = 10;

    /** Columns that are marked in a row, at most. */
    private static final int MARKED = 3;

    /** A column is marked if its value is e² times likelier to be unrelated to the row's others, or if it is the oddest. */
    private static final double ODD = 2;

    /** Standard deviations from which a value is marked as higher or lower than a Gaussian expects. */
    private static final double FAR = 1;

    /** The most columns of which a row shows all. */
    private static final int FEW = 8;

    private final TableJudge judge;
    private final TableDataset data;
    private final Schema schema;
    private final Map<Integer, Double> f = new HashMap<>();
    private final Optional<HeldOutReference> usual;
    private final OddColumns residuals;
    private final int[] firsts; // the first input of each used column

    /** Of a judged table. */
    OddRows(TableJudge judge) {
        this.judge = judge;
        this.data = judge.data();
        this.schema = data.schema();
        this.residuals = judge.residuals();
        TableJudge.rowsByKind(data).forEach((kind, rows) -> {
            double[] values = judge.f().getOrDefault(kind, new double[0]);
            for (int i = 0; i < values.length; i++) {
                f.put(rows[i], values[i]);
            }
        });
        double[] reference = judge.f().getOrDefault(TableJudge.HELD_OUT, new double[0]);
        usual = reference.length == 0
                ? Optional.empty()
                : Optional.of(new HeldOutReference(0, 1, Optional.empty(), reference));
        int[] owners = schema.owners();
        firsts = IntStream.range(0, schema.used().size())
                .map(column -> (int)
                        Arrays.stream(owners).takeWhile(owner -> owner < column).count())
                .toArray();
    }

    /** By f, the lowest first; what is no number comes before all. */
    private List<Integer> oddest() {
        return Arrays.stream(data.split().split().heldOut())
                .filter(f::containsKey)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(
                                row -> Double.isNaN(value(row)) ? Double.NEGATIVE_INFINITY : value(row))
                        .thenComparingInt(row -> row))
                .limit(ROWS)
                .toList();
    }

    private double value(int row) {
        return f.getOrDefault(row, Double.NaN);
    }

    /** How odd each used column of some rows is; of a one-hot column its oddest input. */
    private List<double[]> oddness(List<Integer> rows) {
        int[] owners = schema.owners();
        List<double[]> all = new ArrayList<>();
        for (double[] scores : judge.oddness(rows.stream().mapToInt(row -> row).toArray())) {
            double[] byColumn = new double[firsts.length];
            Arrays.fill(byColumn, Double.NEGATIVE_INFINITY);
            for (int i = 0; i < scores.length; i++) {
                byColumn[owners[i]] = Math.max(byColumn[owners[i]], scores[i]);
            }
            all.add(byColumn);
        }
        return all;
    }

    private static List<Integer> ordered(double[] scores) {
        return IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(column -> -scores[column]))
                .toList();
    }

    List<Block> blocks() {
        List<Integer> rows = oddest();
        if (rows.isEmpty()) {
            return List.of();
        }
        boolean all = firsts.length <= FEW;
        List<double[]> oddness = oddness(rows);
        List<String> headers = new ArrayList<>(List.of("Row", "f", "Quantile"));
        schema.label().ifPresent(label -> headers.add(label.name()));
        if (all) {
            schema.used().forEach(column -> headers.add(column.name()));
        } else {
            headers.addAll(List.of("Oddest column", "Second", "Third"));
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                new Paragraphs(
                        "The held-out rows with the lowest f. Rows are counted from 0 on, the header left out, as 'kelvin score'"
                                + " counts them; the quantile is the share of held-out rows whose f is no higher.",
                        "Marked are the columns that make a row odd: given the row's other columns, the model finds such a value"
                                + " e² = 7 times likelier or more if it has nothing to do with them. ▲ is higher, ▼ lower than a"
                                + " Gaussian with the rows' moments expects by the others; in brackets what it expects, with its"
                                + " standard deviation. ◆ is odd without being far from that. The oddest column is marked in any case."));
        blocks.add(new TableBlock(
                "The " + rows.size() + " oddest held-out rows",
                headers,
                IntStream.range(0, rows.size())
                        .mapToObj(i -> cells(rows.get(i), oddness.get(i), all))
                        .toList()));
        if (!all) {
            blocks.add(new Fold("All columns of these rows", text(rows), List.of()));
        }
        return blocks;
    }

    private List<Cell> cells(int row, double[] scores, boolean all) {
        double[] x = data.split().table().inputs(row);
        List<Integer> order = ordered(scores);
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.words(Integer.toString(row)));
        cells.add(Cell.value(value(row)));
        cells.add(usual.<Cell>map(reference -> Cell.value(reference.quantile(value(row))))
                .orElse(Cell.words("–")));
        if (schema.label().isPresent()) {
            cells.add(Cell.words(data.split().table().labelWord(row).orElse("–")));
        }
        List<Integer> shown = all ? IntStream.range(0, firsts.length).boxed().toList() : order.subList(0, MARKED);
        for (int column : shown) {
            cells.add(cell(x, column, isMarked(order, scores, column), all));
        }
        return cells;
    }

    private static boolean isMarked(List<Integer> order, double[] scores, int column) {
        int place = order.indexOf(column);
        return place == 0 || (place < MARKED && scores[column] >= ODD);
    }

    /** A value alone, or under its column's name where not all columns are shown. */
    private Cell cell(double[] x, int column, boolean marked, boolean alone) {
        Schema.Column of = schema.used().get(column);
        String text = alone ? value(x, column) : of.name();
        String note = alone ? "" : value(x, column);
        if (!marked) {
            return Cell.words(text, note);
        }
        int input = firsts[column];
        double residual = residuals.residuals(x)[input];
        if (of.kind() != Schema.Kind.NUMERIC || Math.abs(residual) < FAR) {
            return Cell.marked("◆\u00A0" + text, note);
        }
        double deviation = residuals.deviation(input);
        return Cell.marked(
                (residual > 0 ? "▲\u00A0" : "▼\u00A0") + text,
                (note.isEmpty() ? "" : note + " ") + "(" + Numbers.forPeople(x[input] - residual * deviation) + " ± "
                        + Numbers.forPeople(deviation) + ")");
    }

    /** In the table's units; of a column of text its word. */
    private String value(double[] x, int column) {
        Schema.Column of = schema.used().get(column);
        if (of.kind() == Schema.Kind.NUMERIC) {
            return Numbers.onAxis(x[firsts[column]]);
        }
        OptionalInt word = IntStream.range(0, of.words().size())
                .filter(i -> x[firsts[column] + i] > 0)
                .findFirst();
        return word.isPresent() ? of.words().get(word.getAsInt()) : "–";
    }

    private String text(List<Integer> rows) {
        return rows.stream()
                .map(row -> {
                    double[] x = data.split().table().inputs(row);
                    return "row " + row + "\n"
                            + IntStream.range(0, firsts.length)
                                    .mapToObj(column ->
                                            "  " + schema.used().get(column).name() + " = " + value(x, column))
                                    .collect(Collectors.joining("\n"));
                })
                .collect(Collectors.joining("\n"));
    }
}

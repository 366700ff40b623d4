package dev.kelvin.condition;

import dev.kelvin.data.format.InputFile;
import dev.kelvin.data.table.Decoder;
import dev.kelvin.data.table.RowBlock;
import dev.kelvin.data.table.TableRows;
import dev.kelvin.data.table.file.TableWriter;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.model.ConditionedRows;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A file whose missing cells are filled by samples of a model given each row's other cells; all else of it stays as it is.
 * Of several draws each is a copy of the row, with its number in a first column.
 */
public final class FilledTable {
    private static final String DRAW = "draw";

    private final ConditionedRows chains;
    private final Path file;
    private final Key key;
    private final int each;
    private final Decoder decoder;
    private long rows;
    private long cells;
    private long filled;

    private FilledTable(ConditionedRows chains, Path file, Key key, int each) {
        this.chains = chains;
        this.file = InputFile.named(file);
        this.key = key;
        this.each = each;
        this.decoder = new Decoder(chains.schema());
    }

    /** The number of rows of a file, of those that were filled, and of their cells. */
    public record Counts(long rows, long filled, long cells) {}

    /**
     * Fills a file and writes it to another.
     *
     * @param each copies of each row
     */
    public static Counts write(ConditionedRows chains, Key key, Path from, int each, Path to) throws IOException {
        FilledTable filling = new FilledTable(chains, from, key, each);
        try (TableRows rows = TableRows.open(from, chains.schema(), true)) {
            if (each > 1 && rows.names().contains(DRAW)) {
                throw new UserException(InputFile.named(from) + " has a column '" + DRAW
                        + "' itself, which would number the draws of a row; rename it, or leave -n out");
            }
            TableWriter.write(to, out -> filling.copy(rows, out));
        }
        return new Counts(filling.rows, filling.filled, filling.cells);
    }

    private void copy(TableRows source, TableWriter out) throws IOException {
        if (!source.names().isEmpty()) {
            out.add(numbered(DRAW, source.names()));
        }
        int[] places = source.places();
        for (Optional<RowBlock> block = source.next(); block.isPresent(); block = source.next()) {
            fill(block.get(), places, out);
        }
    }

    /** The cells of a row, after the number of the draw where there are several. */
    private List<String> numbered(String draw, List<String> row) {
        List<String> all = new ArrayList<>(row);
        if (each > 1) {
            all.add(0, draw);
        }
        return all;
    }

    private void fill(RowBlock block, int[] places, TableWriter out) throws IOException {
        if (!block.bad().isEmpty()) {
            throw new UnreadableFileException(
                    file, block.bad().get(0).words() + "; correct the row or take it out: nothing was written");
        }
        double[][] inputs = block.rows().stream().map(RowBlock.Row::inputs).toArray(double[][]::new);
        double[][] whole = chains.complete(key, rows + 1, inputs, each);
        for (int i = 0; i < inputs.length; i++) {
            double[] row = inputs[i];
            int[] gaps = IntStream.range(0, chains.schema().used().size())
                    .filter(column -> decoder.missing(row, column))
                    .toArray();
            filled += gaps.length > 0 ? 1 : 0;
            cells += gaps.length;
            for (int draw = 0; draw < each; draw++) {
                List<String> texts = new ArrayList<>(block.rows().get(i).cells());
                for (int column : gaps) {
                    texts.set(places[column], decoder.text(whole[i * each + draw], column));
                }
                out.add(numbered(Integer.toString(draw), texts));
            }
        }
        rows += inputs.length;
    }
}

package dev.kelvin.condition;

import dev.kelvin.data.table.Decoder;
import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import dev.kelvin.data.table.file.TableWriter;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleKind;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Samples of a table's model as a file in the table's own units, which can be scored, or learnt from, like the table: columns
 * in its order and by its names, words for one-hot inputs, and dropped columns with the one value that they had. Columns that
 * were not read are left out; the label is written where the samples are of classes.
 */
public record SampledTable(SampleKind.Rows kind) {
    /** The table of a model, where it was trained on one. */
    public static Optional<SampledTable> of(Model model) {
        return model.card().samples().rows().map(SampledTable::new);
    }

    /** Writes rows to a .csv or .npy file, with a class each where they have one. */
    public void write(Path file, double[][] rows, Optional<long[]> classes) throws IOException {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        if (name.endsWith(".npy")) {
            writeNumbers(file, rows);
            return;
        }
        Schema schema = kind.schema();
        List<Column> columns =
                schema.columns().stream().filter(SampledTable::known).toList();
        Decoder decoder = new Decoder(schema);
        TableWriter.write(file, out -> {
            String label = schema.label().map(Column::name).orElse("class");
            out.add(Stream.concat(
                            columns.stream().map(Column::name), classes.stream().map(of -> label))
                    .toList());
            for (int i = 0; i < rows.length; i++) {
                int row = i;
                out.add(Stream.concat(
                                decoder.texts(rows[row], columns).stream(),
                                classes.stream().map(of -> schema.classes().get((int) of[row])))
                        .toList());
            }
        });
    }

    /** Whether a sample's cell of this column is known. */
    private static boolean known(Column column) {
        return column.inputs() > 0 || column.kind() == Kind.CONSTANT;
    }

    /** Numbers alone, as double: [n, columns], the dropped ones left out. */
    private void writeNumbers(Path file, double[][] rows) throws IOException {
        kind.schema().used().stream()
                .filter(column -> column.kind() == Kind.ONE_HOT)
                .findFirst()
                .ifPresent(column -> {
                    throw new UserException("an .npy file holds numbers, and the column '" + column.name()
                            + "' has words; name a .csv file with --out");
                });
        try (Scope scope = Scope.open()) {
            double[] all = Stream.of(rows).flatMapToDouble(Arrays::stream).toArray();
            Npy.write(file, Tensors.of(all, rows.length, kind.schema().width()));
        }
    }
}

package dev.kelvin.dataset;

import dev.kelvin.data.table.TableColumns;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.model.TableProfile;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Rows of a user's own table of numbers. */
@Named("table")
@Doc("rows of a table of numbers")
public record TableSettings(
        @Doc(
                "the path of a CSV file (also .gz), of an .npy file [rows, columns] or of an .npz file; --data says it too")
        @Default("''")
        String file,

        @Doc("the names of the columns to model; a table without names has x1, x2, ...; [] takes all but the label")
        @Default("[]")
        List<String> columns,

        @Doc("the names of columns that are not read; only where columns is left out") @Default("[]")
        List<String> exclude,

        @Doc(
                value =
                        "the name of the column of labels, which is never an input: it is used for evaluation and, with 'classes: head', gives the classes",
                otherwise = "there is none, or an npz file's array y")
        Optional<String> label,

        @Doc(
                value = "the label of the rows to train on; the others are kept for evaluation",
                otherwise = "rows of all labels")
        Optional<String> trainOn,

        @Doc(
                value = "the label of normal rows; all others count as anomalies",
                otherwise = "trainOn's, or the most frequent one")
        Optional<String> normal,

        @Doc(
                "how missing values (an empty cell, NaN, NA, null, ?) are handled: refused, or imputed by the column's mean or median over the training rows")
        @Default("refuse")
        TableColumns.Missing missing,

        @Doc("how columns of text are handled: refused, or one-hot encoded") @Default("refuse")
        TableColumns.Text text,

        @Doc("how words that were not in the training table are handled in scoring: refuse the row, or all zeros")
        @Default("refuse")
        TableColumns.UnknownWord unknownWord,

        @Doc("whether the first row has the columns' names; auto: if one of its cells is not a number") @Default("auto")
        TableColumns.Header header,

        @Doc(
                value =
                        "how columns are scaled for the model: standardise gives each mean 0 and standard deviation 1, whiten removes their correlations too, normal-scores maps each column to a normal distribution first, none leaves them as they are; results are in the table's own units",
                otherwise =
                        "normal-scores where a column has heavy tails, skewness or repeated values, whiten where none has")
        Optional<Scaling.Kind> scale,

        @Doc(
                "the standard deviation of Gaussian noise added to every value in training, in units of its column's standard deviation; without it a table with ties has no density")
        @Default("" + TableProfile.NOISE)
        double noise,

        @Doc(
                value = "the fraction of rows that is held out, for checkpoint selection and evaluation",
                otherwise = "a fifth of 2000 rows or more, a tenth of fewer")
        OptionalDouble heldOut,

        @Doc(
                "whether model, negatives, optimiser and train, where a recipe leaves them out, are chosen by the table's size when a run begins; --set changes them")
        @Default("false")
        boolean advise)
        implements DataSettings {
    public TableSettings {
        columns = List.copyOf(columns);
        exclude = List.copyOf(exclude);
        Optional<String> by = label;
        Optional<String> usual = normal;
        Optional<Scaling.Kind> how = scale;
        Check.all(
                () -> Check.notNegative("noise", noise),
                () -> Check.require(
                        noise > 0 || !how.equals(Optional.of(Scaling.Kind.NORMAL_SCORES)),
                        "noise",
                        "must be above 0 where columns become normal scores: say 'scale: whiten' for a table without noise"),
                () -> heldOut.ifPresent(share -> Check.within("heldOut", share, 0.01, 0.9)),
                () -> Check.require(
                        usual.isEmpty() || by.isPresent(), "normal", "needs label, the column that it is a value of"));
        new TableColumns(columns, exclude, label, trainOn, missing, text, unknownWord, header); // which checks itself
    }

    /** The columns that are read. */
    TableColumns which() {
        return new TableColumns(columns, exclude, label, trainOn, missing, text, unknownWord, header);
    }

    /** The share of {@code rows} that is held out. */
    double heldOutOf(int rows) {
        return heldOut.orElse(TableProfile.heldOut(rows));
    }

    @Override
    public String title() {
        return file.isEmpty() ? "a table" : String.valueOf(Path.of(file).getFileName());
    }

    @Override
    public String origin() {
        return "table " + file;
    }

    @Override
    public String words() {
        String scaled = scale.map(TableSettings::words).orElse(", scaled as suits its columns");
        String noisy = noise > 0
                ? ", with noise of " + Words.number(noise)
                        + (scale.equals(Optional.of(Scaling.Kind.NONE)) ? "" : " of its column's standard deviation")
                        + " on every value"
                : "";
        return "The data are the rows of “" + title() + "”" + scaled + noisy + ".";
    }

    private static String words(Scaling.Kind kind) {
        return switch (kind) {
            case NONE -> "";
            case STANDARDISE -> ", each column scaled to mean 0 and standard deviation 1";
            case NORMAL_SCORES -> ", each column mapped to normal scores, and correlations taken out";
            case WHITEN ->
                ", whitened: each column scaled to mean 0 and standard deviation 1, and correlations taken out";
        };
    }

    @Override
    public Optional<String> normalLabel() {
        return normal.or(() -> trainOn);
    }

    @Override
    public boolean canHaveClasses() {
        return label.isPresent() && trainOn.isEmpty();
    }

    @Override
    public Optional<Path> place() {
        return file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file));
    }

    @Override
    public TableSettings at(Path place) {
        return with(place.toAbsolutePath().normalize().toString(), advise);
    }

    @Override
    public TableSettings located() {
        return place().map(this::at).orElse(this);
    }

    @Override
    public TableSettings advised() {
        return with(file, false);
    }

    private TableSettings with(String path, boolean asks) {
        return new TableSettings(
                path,
                columns,
                exclude,
                label,
                trainOn,
                normal,
                missing,
                text,
                unknownWord,
                header,
                scale,
                noise,
                heldOut,
                asks);
    }

    @Override
    public boolean wantsAdvice() {
        return advise;
    }

    @Override
    public Data open(Key key, Device device) {
        return TableDataset.open(this, key, device);
    }
}

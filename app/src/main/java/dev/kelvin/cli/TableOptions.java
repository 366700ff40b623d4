package dev.kelvin.cli;

import dev.kelvin.condition.FilledTable;
import dev.kelvin.condition.SampledTable;
import dev.kelvin.model.ConditionedRows;
import dev.kelvin.model.Model;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What samples of a table's model keep to, by options of {@code kelvin sample}: cells that are given, or a file's. */
final class TableOptions {
    @Option(
            names = "--given",
            paramLabel = "COLUMN=VALUE",
            description =
                    "of a table's model: samples whose column has this value, in the table's units; may be repeated, or"
                            + " 'amount=100,hour=3'. A model that was trained with noise takes it for a noisy value")
    private List<String> given = List.of();

    @Option(
            names = "--fill",
            paramLabel = "FILE",
            description =
                    "of a table's model: fills the missing cells of FILE's rows by samples given their other cells"
                            + " (default: -n 1); -n N writes N copies of each row, with a column 'draw'")
    private Optional<Path> fill = Optional.empty();

    /** Whether samples keep to cells. */
    boolean asked() {
        return !given.isEmpty() || fill.isPresent();
    }

    /** What the file is called. */
    String name() {
        return fill.isPresent() ? "filled" : "drawn";
    }

    /** Refuses what else samples could be asked for. */
    void check(CommandSpec spec, Conditions conditions, KernelOptions kernel, Optional<Path> out) {
        if (!asked()) {
            return;
        }
        refuse(spec, !given.isEmpty() && fill.isPresent(), "--given and --fill are two things: name one");
        refuse(
                spec,
                conditions.restores(),
                "--given and --fill are for rows of a table, --inpaint and --denoise for images: name one");
        refuse(
                spec,
                conditions.multiplies(),
                "--given and --fill cannot be combined with --with: each table's model has columns and units of its own");
        refuse(
                spec,
                kernel.given(),
                "--given and --fill cannot be combined with --kernel: their chains are annealed from the model's Gaussian base by their own kernel; --steps says how many they take at the end");
        refuse(
                spec,
                fill.isPresent() && out.isPresent() && !isCsv(out.get()),
                "--fill writes CSV, with all of the file's columns: name a .csv file with --out");
    }

    private static boolean isCsv(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).endsWith(".csv");
    }

    private static void refuse(CommandSpec spec, boolean wrong, String why) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), why);
        }
    }

    private static ConditionedRows rows(Model model, Optional<String> wanted, Optional<Integer> steps) {
        if (model.columns().isEmpty()) {
            throw new UserException("--given and --fill name columns of a table, and " + model.name()
                    + " was trained on "
                    + (model.range().isPresent() ? "images; --inpaint fills in pixels" : "points of the plane"));
        }
        return new ConditionedRows(model, wanted, steps.map(OptionalInt::of).orElse(OptionalInt.empty()));
    }

    /** Draws, and writes the file. */
    Map<String, Object> sample(
            Model model,
            Optional<String> wanted,
            Optional<Integer> steps,
            Optional<Integer> count,
            int usual,
            Key key,
            Path file)
            throws IOException {
        ConditionedRows chains = rows(model, wanted, steps);
        Map<String, Object> results = new LinkedHashMap<>();
        if (fill.isPresent()) {
            FilledTable.Counts counts = FilledTable.write(chains, key, fill.get(), count.orElse(1), file);
            results.put("rows", counts.rows());
            results.put("rows_filled", counts.filled());
            results.put("cells_filled", counts.cells());
            results.put("draws", count.orElse(1));
        } else {
            double[][] rows = chains.given(key, given, count.orElse(usual));
            SampledTable.of(model).orElseThrow().write(file, rows, Optional.empty());
            results.put("samples", rows.length);
            results.put("given", String.join(", ", given));
        }
        results.put("steps", chains.length());
        results.put("file", file.toString());
        return results;
    }
}

package dev.kelvin.cli;

import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.condition.FilledTable;
import dev.kelvin.condition.SampledTable;
import dev.kelvin.model.ConditionedRows;
import dev.kelvin.model.Model;
import dev.kelvin.model.condition.Product;
import dev.kelvin.part.Check;
import dev.kelvin.run.RunFolder;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kelvin impute RUN}: rows of a table given some of their cells. */
@Command(
        name = "impute",
        description = {
            "Samples rows of a table given some of their cells.",
            "--given names the cells of new rows; --fill takes a file, whose missing cells are filled and all else stays as it",
            "is. Chains are annealed from the model's Gaussian base by a kernel of their own."
        },
        footer = {
            "",
            "Examples:",
            "  kelvin impute runs/table --given amount=100 --given hour=3",
            "  kelvin impute runs/table --fill gaps.csv --out filled.csv"
        })
final class Impute extends DrawCommand {
    private static final int SAMPLES = 1000;

    @ArgGroup(multiplicity = "1")
    private Cells cells;

    static final class Cells {
        @Option(
                names = "--given",
                paramLabel = "COLUMN=VALUE",
                description = "new rows whose column has this value, in the table's units; may be repeated, or"
                        + " 'amount=100,hour=3'. A model that was trained with noise takes it for a noisy value")
        private List<String> given = List.of();

        @Option(names = "--fill", paramLabel = "FILE", description = "the rows of FILE with missing cells filled")
        private Optional<Path> fill = Optional.empty();
    }

    @Option(
            names = "-n",
            paramLabel = "N",
            description = "how many rows (default: " + SAMPLES
                    + "); with --fill, copies of each row, numbered in a column 'draw' (default: 1)")
    private Optional<Integer> count = Optional.empty();

    @Option(names = "--steps", paramLabel = "K", description = "further steps after annealing (default: 64)")
    private Optional<Integer> steps = Optional.empty();

    @Override
    String usualName() {
        return cells.fill.isPresent() ? "filled" : "drawn";
    }

    @Override
    void check() {
        count.ifPresent(each -> Check.atLeast("-n", each, 1));
        steps.ifPresent(each -> Check.atLeast("--steps", each, 0));
        boolean csv = out.map(Path::toString)
                .filter(name -> !name.toLowerCase(Locale.ROOT).endsWith(".csv"))
                .isEmpty();
        if (cells.fill.isPresent() && !csv) {
            throw usage("--fill writes CSV, with all of the file's columns: name a .csv file with --out");
        }
    }

    @Override
    void work(RunFolder folder, Model model, Progress progress) throws Exception {
        if (model.columns().isEmpty()) {
            throw new UserException("impute is for rows of a table, and " + model.name() + " was trained on "
                    + (model.range().isPresent() ? "images; 'kelvin restore' fills in pixels" : "points of the plane"));
        }
        progress.doing("sampling");
        Product.of(model).requireDigits(Optional.empty());
        ConditionedRows chains =
                new ConditionedRows(model, wanted, steps.map(OptionalInt::of).orElse(OptionalInt.empty()));
        Path file = file(folder, ".csv");
        Map<String, Object> results = cells.fill.isPresent()
                ? fill(chains, cells.fill.get(), file)
                : draw(chains, SampledTable.of(model).orElseThrow(), file);
        results.put("steps", chains.length());
        results.put("file", file.toString());
        results.put("checkpoint", model.step());
        progress.close();
        print(results);
    }

    private Map<String, Object> fill(ConditionedRows chains, Path from, Path to) throws IOException {
        int draws = count.orElse(1);
        FilledTable.Counts counts = FilledTable.write(chains, key(), from, draws, to);
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("rows", counts.rows());
        results.put("rows_filled", counts.filled());
        results.put("cells_filled", counts.cells());
        results.put("draws", draws);
        return results;
    }

    private Map<String, Object> draw(ConditionedRows chains, SampledTable table, Path to) throws IOException {
        double[][] rows = chains.given(key(), cells.given, count.orElse(SAMPLES));
        table.write(to, rows, Optional.empty());
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("samples", rows.length);
        results.put("given", String.join(", ", cells.given));
        return results;
    }
}

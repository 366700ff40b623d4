package dev.kelvin.cli;

import dev.kelvin.data.ImageSet;
import dev.kelvin.report.ImageGrid;
import dev.kelvin.run.ImageData;
import dev.kelvin.run.KnownSet;
import dev.kelvin.tensor.Scope;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kelvin data list | show | check | get}. */
@Command(
        name = "data",
        description =
                "Image sets: which there are, what is in them, whether their files are whole, and how to get them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {Data.ListSets.class, Data.Show.class, Data.Check.class, Data.Get.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class Data implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "say what to do: list, show, check or get");
    }

    /** What every one of them has. */
    @SuppressWarnings("NullAway.Init")
    abstract static class Verb implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Option(names = "--json", description = "print one JSON object, and nothing else to stdout")
        boolean json;

        static Map<String, Object> facts(ImageSet set) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("set", set.name());
            facts.put("images", set.count());
            facts.put("shape", set.channels() + "x" + set.height() + "x" + set.width());
            facts.put("classes", set.classes().size());
            return facts;
        }
    }

    /** Which sets Kelvin knows. */
    @Command(name = "list", description = "Lists the sets that Kelvin knows.", mixinStandardHelpOptions = true)
    static final class ListSets extends Verb {
        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            List<Map<String, Object>> rows = new ArrayList<>();
            rows.add(row("digits", "1797 handwritten digits, 8x8 grey, 10 classes", "CC BY 4.0", "ships with Kelvin"));
            for (KnownSet set : KnownSet.ALL) {
                rows.add(row(
                        set.name(),
                        set.about(),
                        set.terms(),
                        set.there() ? set.path().toString() : "kelvin data get " + set.name()));
            }
            if (json) {
                Output.print(out, true, Map.of("sets", rows));
                return Main.OK;
            }
            for (Map<String, Object> row : rows) {
                out.println(String.format(
                        Locale.ROOT,
                        "%-14s %-58s %-36s %s",
                        row.get("name"),
                        row.get("about"),
                        row.get("terms"),
                        row.get("where")));
            }
            out.println(
                    "Any file or folder in these formats will do too: IDX, CIFAR binary, SVHN .mat, npy, npz, images.");
            out.flush();
            return Main.OK;
        }

        private static Map<String, Object> row(String name, String about, String terms, String where) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", name);
            row.put("about", about);
            row.put("terms", terms);
            row.put("where", where);
            return row;
        }
    }

    /** A picture of a set. */
    @Command(name = "show", description = "Writes a contact sheet of a set's images.", mixinStandardHelpOptions = true)
    static final class Show extends Verb {
        private static final int COLUMNS = 20;
        private static final int PICTURED = 200;

        @Parameters(paramLabel = "SET", description = "a set's name, or the path of a file or folder")
        private String set;

        @Option(names = "--out", paramLabel = "FILE", description = "the PNG file (default: SET.png here)")
        private Optional<Path> out = Optional.empty();

        @Override
        public Integer call() throws IOException {
            try (ImageSet images = ImageData.read(set);
                    Scope scope = Scope.open()) {
                Path file = out.orElseGet(() -> Path.of(images.name().replaceAll("[^A-Za-z0-9_-]+", "-") + ".png"));
                long[] first =
                        LongStream.range(0, Math.min(PICTURED, images.count())).toArray();
                ImageGrid.of(images.images(first), COLUMNS).write(file);
                Map<String, Object> results = facts(images);
                results.put("picture", file.toString());
                Output.print(spec.commandLine().getOut(), json, results);
                return Main.OK;
            }
        }
    }

    /** Whether files are whole. */
    @Command(
            name = "check",
            description = "Reads a set's files to the end and says what is in them, or what is wrong with them.",
            mixinStandardHelpOptions = true)
    static final class Check extends Verb {
        @Parameters(paramLabel = "SET", description = "a set's name, or the path of a file or folder")
        private String set;

        @Override
        public Integer call() throws IOException {
            try (ImageSet images = ImageData.read(set)) {
                Map<String, Object> results = facts(images);
                if (images.labelled()) {
                    int[] counts = new int[images.classes().size()];
                    for (int label : images.labels()) {
                        counts[label]++;
                    }
                    Map<String, Integer> each = new LinkedHashMap<>();
                    for (int i = 0; i < counts.length; i++) {
                        each.put(images.classes().get(i), counts[i]);
                    }
                    results.put("images_a_class", each);
                }
                Output.print(spec.commandLine().getOut(), json, results);
                return Main.OK;
            }
        }
    }

    /** Brings a set. */
    @Command(
            name = "get",
            description = {
                "Downloads a set from its official address to $KELVIN_DATA or ~/.cache/kelvin/data.",
                "What was interrupted goes on where it was; every file's checksum is checked."
            },
            mixinStandardHelpOptions = true)
    static final class Get extends Verb {
        private static final double MEGABYTE = 1e6;

        @Parameters(paramLabel = "SET", description = "a set's name (see 'kelvin data list')")
        private String name;

        @Option(names = "--from", paramLabel = "URL", description = "another address that has the same files")
        private Optional<String> from = Optional.empty();

        @Override
        public Integer call() throws IOException {
            KnownSet set = KnownSet.named(name)
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "there is no set '" + name + "' to get; there are "
                                    + String.join(
                                            ", ",
                                            KnownSet.ALL.stream()
                                                    .map(KnownSet::name)
                                                    .toList())));
            PrintWriter err = spec.commandLine().getErr();
            String base = from.orElse(set.base());
            set.get(URI.create(base.endsWith("/") ? base : base + "/"), (file, bytes, total) -> {
                String of = total < 0 ? "" : String.format(Locale.ROOT, " of %.1f", total / MEGABYTE);
                err.print(String.format(Locale.ROOT, "\r%s: %.1f%s MB ", file, bytes / MEGABYTE, of));
                if (bytes == total) {
                    err.println();
                }
                err.flush();
            });
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("set", set.name());
            results.put("terms", set.terms());
            results.put("folder", set.path().toString());
            Output.print(spec.commandLine().getOut(), json, results);
            return Main.OK;
        }
    }
}

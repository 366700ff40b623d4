package dev.kelvin.cli;

import dev.kelvin.cli.option.Writing;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageSets;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.part.Words;
import dev.kelvin.sets.KnownSet;
import dev.kelvin.tensor.Scope;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kelvin data list | show | check | get}. */
@Command(
        name = "data",
        description =
                "Image sets: which there are, what is in them, whether their files are whole, and how to get them.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DataCommand.ListSets.class,
            DataCommand.Show.class,
            DataCommand.Check.class,
            DataCommand.Get.class
        })
final class DataCommand {
    private static Map<String, Object> facts(ImageSet set) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("set", set.name());
        facts.put("images", set.count());
        facts.put("shape", set.channels() + "x" + set.height() + "x" + set.width());
        facts.put("classes", set.classes().size());
        return facts;
    }

    @Command(name = "list", description = "Lists the sets that Kelvin knows.")
    static final class ListSets extends JsonVerb {
        @Override
        public Integer call() {
            List<Map<String, Object>> rows = new ArrayList<>();
            rows.add(row("digits", "1797 handwritten digits, 8x8 grey, 10 classes", "CC BY 4.0", "ships with Kelvin"));
            for (KnownSet set : KnownSet.ALL) {
                rows.add(row(
                        set.name(),
                        set.about(),
                        set.terms(),
                        set.there()
                                ? set.path().toString()
                                : "kelvin data get " + set.name() + " (" + set.megabytes() + " MB)"));
            }
            if (json) {
                print(Map.of("sets", rows));
                return ExitCode.OK;
            }
            PrintWriter out = out();
            rows.forEach(row ->
                    out.println(Words.say("%-14s %-58s %-36s %s", row.values().toArray())));
            out.println(
                    "Any file or folder in these formats will do too: IDX, CIFAR binary, SVHN .mat, npy, npz, images.");
            out.flush();
            return ExitCode.OK;
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

    /** A verb that reads a set. */
    abstract static class Reading extends JsonVerb {
        @Parameters(paramLabel = "SET", description = "a set's name, or the path of a file or folder")
        String set;

        @Option(names = "--size", paramLabel = "N", description = "crop and resize a folder's pictures to N by N")
        private Optional<Integer> size = Optional.empty();

        ImageFiles.Options options() {
            ImageFiles.Options usual = ImageFiles.Options.usual();
            return size.map(usual::size).orElse(usual);
        }

        /** The set's images, which may take a while. */
        ImageSet read(Progress progress) throws IOException {
            progress.doing("reading " + set);
            return ImageSets.read(set, options());
        }
    }

    @Command(name = "show", description = "Writes a contact sheet of a set's images.")
    static final class Show extends Reading implements Writing {
        private static final int COLUMNS = 20;
        private static final int PICTURED = 200;

        @Option(names = "--out", paramLabel = "FILE", description = "the PNG file (default: SET.png here)")
        private Optional<Path> out = Optional.empty();

        @Override
        public List<Path> written() {
            return out.stream().toList();
        }

        @Override
        public Integer call() throws IOException {
            try (Progress progress = Progress.of(spec);
                    ImageSet images = read(progress);
                    Scope scope = Scope.open()) {
                Path file = out.orElseGet(() -> Path.of(images.name().replaceAll("[^A-Za-z0-9_-]+", "-") + ".png"));
                Writing.check(spec, List.of(file));
                long[] first =
                        LongStream.range(0, Math.min(PICTURED, images.count())).toArray();
                ImageGrid.of(images.images(first), COLUMNS).write(file);
                Map<String, Object> results = facts(images);
                results.put("picture", file.toString());
                progress.close();
                print(results);
                return ExitCode.OK;
            }
        }
    }

    @Command(
            name = "check",
            description = "Reads a set's files to the end and says what is in them, or what is wrong with them.")
    static final class Check extends Reading {
        @Override
        public Integer call() throws IOException {
            Map<String, Object> results;
            try (Progress progress = Progress.of(spec)) {
                try (ImageSet images = read(progress)) {
                    results = facts(images);
                    putClasses(results, "", images);
                }
                Optional<ImageSet> own = ImageSets.readTest(set, options());
                if (own.isPresent()) {
                    try (ImageSet test = own.get()) {
                        results.put("test_images", test.count());
                        results.put("test_shape", facts(test).get("shape"));
                        putClasses(results, "test_", test);
                    }
                }
            }
            print(results);
            return ExitCode.OK;
        }

        private void putClasses(Map<String, Object> results, String prefix, ImageSet images) {
            if (!images.labelled()) {
                return;
            }
            Map<String, Integer> counts = new LinkedHashMap<>();
            images.classes().forEach(name -> counts.put(name, 0));
            for (int label : images.labels()) {
                counts.merge(images.classes().get(label), 1, Integer::sum);
            }
            results.put(prefix + "images_a_class", json ? counts : inWords(counts));
        }

        private static String inWords(Map<String, Integer> counts) {
            Set<Integer> different = new HashSet<>(counts.values());
            return different.size() == 1
                    ? different.iterator().next() + " of each: " + String.join(", ", counts.keySet())
                    : counts.entrySet().stream()
                            .map(each -> each.getValue() + " of " + each.getKey())
                            .collect(Collectors.joining(", "));
        }
    }

    @Command(
            name = "get",
            description = {
                "Downloads a set from its official address to $KELVIN_DATA or ~/.cache/kelvin/data.",
                "An interrupted download is resumed; every file's checksum is checked."
            })
    static final class Get extends JsonVerb {
        private static final double MEGABYTE = 1e6;

        @Parameters(paramLabel = "SET", description = "a set's name (see 'kelvin data list')")
        private String name;

        @Option(names = "--from", paramLabel = "URL", description = "another address that has the same files")
        private Optional<String> from = Optional.empty();

        @Override
        public Integer call() throws IOException {
            KnownSet set = KnownSet.named(name).orElseThrow(() -> usage(unknown()));
            String base = from.orElse(set.base());
            URI address = address(base);
            try (Progress progress = Progress.of(spec)) {
                if (!set.there()) {
                    progress.tell(set.name() + ": " + set.megabytes() + " MB from " + base + " to " + set.path());
                }
                progress.doing("asking " + base);
                set.get(address, (file, bytes, total) -> {
                    if (total > 0) {
                        progress.at(file + ", MB", Math.round(bytes / MEGABYTE), Math.round(total / MEGABYTE));
                    } else {
                        progress.doing(file + ", " + Math.round(bytes / MEGABYTE) + " MB");
                    }
                });
            }
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("set", set.name());
            results.put("terms", set.terms());
            results.put("folder", set.path().toString());
            print(results);
            return ExitCode.OK;
        }

        private URI address(String base) {
            try {
                URI address = new URI(base.endsWith("/") ? base : base + "/");
                if (base.matches("https?://\\S+") && address.getHost() != null) {
                    return address;
                }
            } catch (URISyntaxException e) {
                // refused like one without a host
            }
            throw usage("--from takes an address that begins with http:// or https://, found " + base);
        }

        private String unknown() {
            String known = KnownSet.ALL.stream().map(KnownSet::name).collect(Collectors.joining(", "));
            return name.equals("digits")
                    ? "digits ships with Kelvin; there are " + known + " to get"
                    : "there is no set '" + name + "' to get; there are " + known;
        }
    }
}

package dev.kelvin.cli;

import dev.kelvin.cli.option.WholeNumber;
import dev.kelvin.cli.option.Writing;
import dev.kelvin.part.Words;
import dev.kelvin.run.RunFolder;
import dev.kelvin.tensor.Key;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** A verb that draws samples of a run's model and writes them to a file. */
abstract class DrawCommand extends ModelCommand implements Writing {
    /** Below this acceptance chains hardly leave their starts. */
    private static final double LEAST_ACCEPTANCE = 0.05;

    @Option(names = "--class", paramLabel = "NAME", description = "the class, by name or number (default: all)")
    Optional<String> wanted = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", converter = WholeNumber.class, description = "random seed (default: 0)")
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "where to: an .npy file, of a table's model a .csv file (default: in RUN/samples)")
    Optional<Path> out = Optional.empty();

    /** What the draws follow from. */
    final Key key() {
        return Key.of(seed);
    }

    /** What the file is called where none is named, without its ending. */
    abstract String usualName();

    /** Beside the samples lie their picture, and figures or labels. */
    @Override
    public final List<Path> written() {
        List<String> beside = List.of(".png", ".json", "-labels.npy");
        return out.map(file -> Stream.concat(Stream.of(file), beside.stream().map(ending -> beside(file, ending))))
                .or(() -> run.map(folder -> Stream.concat(Stream.of(".npy", ".csv"), beside.stream())
                        .map(ending -> folder.resolve("samples").resolve(usualName() + ending))))
                .orElseGet(Stream::empty)
                .toList();
    }

    /** A file beside that of the samples, with its name and another ending. */
    static Path beside(Path file, String ending) {
        return file.resolveSibling(String.valueOf(file.getFileName()).replaceFirst("\\.(npy|csv)$", "") + ending);
    }

    /** The file of the samples, whose folder is there. */
    final Path file(RunFolder folder, String ending) throws IOException {
        if (out.isEmpty()) {
            return folder.samples().resolve(usualName() + ending);
        }
        Writing.makeFolderOf(out.get());
        return out.get();
    }

    /** Warns of chains that hardly moved. */
    final void warnIfStuck(OptionalDouble acceptance, String remedy) {
        if (acceptance.isPresent() && acceptance.getAsDouble() < LEAST_ACCEPTANCE) {
            err().println("warning: the chains accepted " + Words.number(100 * acceptance.getAsDouble())
                    + " % of their proposals, so that samples are near their starts; " + remedy);
        }
    }
}

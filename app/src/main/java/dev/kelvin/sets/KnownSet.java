package dev.kelvin.sets;

import dev.kelvin.yaml.RecipeText;
import dev.kelvin.yaml.UserException;
import dev.kelvin.yaml.Yaml;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * An image set that Kelvin knows by name: what it is, where its makers publish it, and the files' MD5 sums as they
 * publish them.
 *
 * @param base the official address; a file's name is added to it
 * @param megabytes what there is to fetch
 * @param folder where it lies under {@link #root()}
 * @param work that it is cited by, as {@link dev.kelvin.part.Cites} names works
 */
public record KnownSet(
        String name,
        String about,
        String terms,
        String base,
        int megabytes,
        String folder,
        String work,
        List<File> files) {
    /** A file to fetch. */
    public record File(String name, String md5) {}

    /** All sets. */
    public static final List<KnownSet> ALL = RecipeText.of(
                    Listed.class, "the list of sets", "sets.yaml", Yaml.resource(KnownSet.class, "sets.yaml"))
            .bind(List.of())
            .sets();

    private record Listed(List<KnownSet> sets) {}

    public KnownSet {
        files = List.copyOf(files);
    }

    /** The set that is so called. */
    public static Optional<KnownSet> named(String name) {
        return ALL.stream().filter(set -> set.name.equals(name)).findFirst();
    }

    /** Where sets lie: {@code $KELVIN_DATA}, or a folder of the user's cache. */
    public static Path root() {
        String chosen = System.getenv("KELVIN_DATA");
        return chosen != null && !chosen.isBlank()
                ? Path.of(chosen)
                : Path.of(System.getProperty("user.home"), ".cache", "kelvin", "data");
    }

    /** The folder of the set on this machine. */
    public Path path() {
        return root().resolve(folder);
    }

    /** Whether all of it is here; files that come packed may lie there unpacked. */
    public boolean there() {
        return Files.isDirectory(path())
                && files.stream()
                        .map(File::name)
                        .allMatch(file -> isArchive(file) || has(file) || has(file.replaceFirst("\\.gz$", "")));
    }

    private boolean has(String file) {
        return Files.exists(path().resolve(file));
    }

    /** An archive is thrown away once it is unpacked. */
    private static boolean isArchive(String file) {
        return file.endsWith(".tar.gz");
    }

    /** Brings every file that is not there yet, and unpacks archives. */
    public void get(URI from, Download.Progress progress) throws IOException {
        Path folder = path();
        for (File file : files) {
            boolean archive = isArchive(file.name);
            if (archive && there()) {
                continue;
            }
            Path to = archive ? folder.resolveSibling(file.name) : folder.resolve(file.name);
            Download.get(from.resolve(file.name), to, file.md5, progress);
            if (archive) {
                Path fresh = folder.resolveSibling(folder.getFileName() + ".part");
                Tar.unpack(to, fresh);
                Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
                Files.delete(to);
            }
        }
    }

    /** The files of a set by its name, or any other path. */
    public static Path find(String nameOrPath) {
        Optional<KnownSet> set = named(nameOrPath);
        if (set.isEmpty()) {
            return Path.of(nameOrPath);
        }
        Path path = set.get().path();
        if (!set.get().there()) {
            throw new UserException(nameOrPath
                    + (Files.isDirectory(path) ? " is not whole in " + path : " is not on this machine")
                    + "; fetch it with 'kelvin data get " + nameOrPath + "', or name the folder that it is in");
        }
        return path;
    }
}

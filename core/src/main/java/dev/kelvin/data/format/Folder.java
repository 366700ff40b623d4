package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder that may hold an image set.
 *
 * @param files the files and folders inside, in the order of their names, without hidden ones
 */
public record Folder(Path path, List<Path> files) {
    public Folder {
        files = List.copyOf(files);
    }

    static Folder of(Path path) throws UnreadableFileException {
        return new Folder(path, list(path));
    }

    static List<Path> list(Path folder) throws UnreadableFileException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw UnreadableFileException.of(folder, e);
        }
    }

    /** The folder's own name. */
    public String name() {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    /** What people call this part of the set in the folder. */
    public String name(ImageFiles.Part part) {
        return name() + "/" + part.word();
    }

    /** What is inside under names that match the pattern. */
    public List<Path> named(String pattern) {
        return named(files, pattern);
    }

    static List<Path> named(List<Path> files, String pattern) {
        return files.stream()
                .filter(file -> file.getFileName().toString().matches(pattern))
                .toList();
    }

    /** What reads the first file whose name matches; its beginning decides the format. */
    Optional<ImageFormat.Source> first(String pattern, ImageFiles.Options options) throws IOException {
        List<Path> found = named(pattern);
        return found.isEmpty() ? Optional.empty() : Optional.of(ImageFiles.source(found.get(0), options));
    }
}

package dev.kelvin.data;

import dev.kelvin.UnreadableFileException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A folder of pictures (PNG, JPEG and WebP): with one folder inside for each class, whose numbers follow the alphabet, or
 * without classes. Each picture is cropped to its central square and resized to the side that was asked for.
 */
final class ImageFolder {
    private static final Set<String> ENDINGS = Set.of("png", "jpg", "jpeg", "webp");

    private record Labelled(Path file, int label) {}

    private ImageFolder() {}

    /** True if the file's name says that it is a picture. */
    static boolean isPicture(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1)) && !Files.isDirectory(file);
    }

    static ImageSet read(Path folder, String name, ImageFiles.Options options) throws IOException {
        List<Path> inside = ImageFiles.list(folder);
        List<Labelled> pictures = new ArrayList<>();
        List<String> classes = new ArrayList<>();
        for (Path each : inside) {
            List<Path> files = Files.isDirectory(each)
                    ? ImageFiles.list(each).stream()
                            .filter(ImageFolder::isPicture)
                            .toList()
                    : List.of();
            files.forEach(file -> pictures.add(new Labelled(file, classes.size())));
            if (!files.isEmpty()) {
                classes.add(each.getFileName().toString());
            }
        }
        List<Path> loose = inside.stream().filter(ImageFolder::isPicture).toList();
        if (!loose.isEmpty() && !classes.isEmpty()) {
            throw new UnreadableFileException(
                    folder, "has pictures both in itself and in its folders " + classes + "; keep one or the other");
        }
        loose.forEach(file -> pictures.add(new Labelled(file, 0)));
        if (pictures.isEmpty()) {
            throw new UnreadableFileException(
                    folder,
                    "has no pictures (PNG, JPEG or WebP, in the folder itself or in one folder for each class)");
        }
        return read(folder, name, options, classes, pictures);
    }

    private static ImageSet read(
            Path folder, String name, ImageFiles.Options options, List<String> classes, List<Labelled> pictures)
            throws UnreadableFileException {
        Picture first = Picture.read(pictures.get(0).file);
        int channels = options.grey() ? 1 : 3;
        int height = options.size().orElse(first.height());
        int width = options.size().orElse(first.width());
        int length = channels * height * width;
        try (Scope scope = Scope.open()) {
            Tensor pixels = ByteSource.allocate(
                    "its set of pictures", Long.MAX_VALUE, folder, pictures.size(), channels, height, width);
            for (int i = 0; i < pictures.size(); i++) {
                Path file = pictures.get(i).file;
                Picture picture = i == 0 ? first : Picture.read(file);
                if (options.size().isPresent()) {
                    picture = picture.square().resized(height, width);
                } else if (picture.height() != height || picture.width() != width) {
                    throw new UnreadableFileException(
                            file,
                            "is " + picture.width() + " wide and " + picture.height() + " high, but "
                                    + pictures.get(0).file.getFileName() + " is " + width + " and " + height
                                    + "; ask for a size to have all pictures cropped and resized");
                }
                pixels.memory((long) i * length, length).put(options.grey() ? picture.grey() : picture.planes());
            }
            int[] labels = classes.isEmpty()
                    ? new int[0]
                    : pictures.stream().mapToInt(Labelled::label).toArray();
            return new ImageSet(name, scope.keep(pixels), labels, classes, 255);
        }
    }
}

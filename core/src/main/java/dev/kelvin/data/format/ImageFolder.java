package dev.kelvin.data.format;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A folder of pictures (PNG, JPEG and WebP): with one folder inside for each class, whose numbers follow the alphabet, or
 * without classes; or one picture. Each is cropped to its central square and resized to the side that was asked for.
 */
public final class ImageFolder implements ImageFormat {
    private static final Set<String> ENDINGS = Set.of("png", "jpg", "jpeg", "webp");

    private record Labelled(Path file, int label) {}

    @Override
    public String title() {
        return "a folder of pictures";
    }

    /** One picture. */
    @Override
    public Optional<Source> file(FileStart file, ImageFiles.Options options) {
        boolean picture = isPicture(file.path()) || file.begins(0x89, 'P', 'N', 'G') || file.begins(0xFF, 0xD8);
        return picture && file.size() > 0
                ? Optional.of(new Pictures(
                        file.path(),
                        SetName.of(file.path()),
                        options,
                        List.of(),
                        List.of(new Labelled(file.path(), 0))))
                : Optional.empty();
    }

    /** One of the folders train and test, if there is none of another kind beside them: then these are classes. */
    @Override
    public Optional<Source> part(Folder folder, ImageFiles.Options options) throws IOException {
        List<Path> folders = folder.files().stream().filter(Files::isDirectory).toList();
        List<Path> own = Folder.named(folders, options.part().word());
        if (own.isEmpty()
                || Folder.named(folders, "train|test|val|valid|validation").size() < folders.size()) {
            return Optional.empty();
        }
        SortedSet<String> classes = new TreeSet<>(); // of both parts, so that a class has one number in them
        for (Path each : Folder.named(folders, "train|test")) {
            classes.addAll(classes(each));
        }
        List<String> all = List.copyOf(classes);
        return Optional.of(
                new Pictures(own.get(0), folder.name(options.part()), options, all, pictures(own.get(0), all)));
    }

    @Override
    public Optional<Source> whole(Folder folder, ImageFiles.Options options) throws IOException {
        List<String> classes = classes(folder.path());
        return classes.isEmpty() && folder.files().stream().noneMatch(ImageFolder::isPicture)
                ? Optional.empty()
                : Optional.of(
                        new Pictures(folder.path(), folder.name(), options, classes, pictures(folder.path(), classes)));
    }

    static boolean isPicture(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1)) && !Files.isDirectory(file);
    }

    /** The names of the folders inside that hold pictures. */
    private static List<String> classes(Path folder) throws UnreadableFileException {
        List<String> classes = new ArrayList<>();
        for (Path each : Folder.list(folder)) {
            if (Files.isDirectory(each) && !pictures(each).isEmpty()) {
                classes.add(each.getFileName().toString());
            }
        }
        return classes;
    }

    private static List<Path> pictures(Path folder) throws UnreadableFileException {
        return Folder.list(folder).stream().filter(ImageFolder::isPicture).toList();
    }

    private record Pictures(
            Path folder, String name, ImageFiles.Options options, List<String> classes, List<Labelled> pictures)
            implements Source {
        @Override
        public ImageSet read() throws IOException {
            Form form = Form.of(pictures.get(0).file, options);
            try (Scope scope = Scope.open()) {
                Tensor pixels = form.read(folder, pictures, 0, pictures.size());
                int[] labels = classes.isEmpty()
                        ? new int[0]
                        : pictures.stream().mapToInt(Labelled::label).toArray();
                return new ImageSet(name, scope.keep(pixels), labels, classes, 255);
            }
        }

        @Override
        public ImageRows rows() throws IOException {
            Form form = Form.of(pictures.get(0).file, options);
            return ImageRows.of(
                    pictures.size(),
                    form.channels,
                    form.height,
                    form.width,
                    (from, count) -> form.read(folder, pictures, (int) from, count),
                    () -> {});
        }
    }

    /** Those that lie in some of the classes' folders or, where there are no classes, in the folder itself. */
    private static List<Labelled> pictures(Path folder, List<String> classes) throws IOException {
        List<Labelled> pictures = new ArrayList<>();
        for (int label = 0; label < classes.size(); label++) {
            Path inside = folder.resolve(classes.get(label));
            if (Files.isDirectory(inside)) {
                for (Path file : pictures(inside)) {
                    pictures.add(new Labelled(file, label));
                }
            }
        }
        List<Path> loose = pictures(folder);
        if (!loose.isEmpty() && !classes.isEmpty()) {
            throw new UnreadableFileException(
                    folder, "has pictures both in itself and in its folders " + classes + "; keep one or the other");
        }
        loose.forEach(file -> pictures.add(new Labelled(file, 0)));
        if (pictures.isEmpty()) {
            throw ImageFiles.noImages(folder);
        }
        return pictures;
    }

    /** What every picture is brought to: the size of the first, or the one that was asked for. */
    private record Form(Path first, ImageFiles.Options options, int channels, int height, int width) {
        static Form of(Path file, ImageFiles.Options options) throws UnreadableFileException {
            PictureFile first = PictureFile.read(file);
            return new Form(
                    file,
                    options,
                    options.grey() ? 1 : 3,
                    options.size().orElse(first.height()),
                    options.size().orElse(first.width()));
        }

        /** Reads {@code count} pictures of a folder from number {@code from} on. */
        Tensor read(Path folder, List<Labelled> pictures, int from, int count) throws UnreadableFileException {
            int length = channels * height * width;
            Tensor pixels = ByteSource.allocate("its pictures", Long.MAX_VALUE, folder, count, channels, height, width);
            for (int i = 0; i < count; i++) {
                Path file = pictures.get(from + i).file;
                PictureFile picture = PictureFile.read(file);
                if (options.size().isPresent()) {
                    picture = picture.square().resized(height, width);
                } else if (picture.height() != height || picture.width() != width) {
                    throw new UnreadableFileException(
                            file,
                            "is " + picture.width() + " wide and " + picture.height() + " high, but "
                                    + first.getFileName() + " is " + width + " and " + height
                                    + "; give a size to have all pictures cropped and resized (data.images.size, --size)");
                }
                pixels.memory((long) i * length, length).put(options.grey() ? picture.grey() : picture.planes());
            }
            return pixels;
        }
    }
}

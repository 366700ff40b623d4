package dev.kelvin.data.format;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Reads image sets from files and folders, whatever their format, which is found from what is in them: every registered
 * {@link ImageFormat} is asked in turn. Kelvin's own are the binary CIFAR-10 and CIFAR-100, IDX (MNIST and its kin), SVHN's
 * MATLAB files, npy and npz, and folders of pictures.
 */
public final class ImageFiles {
    private static final int LARGEST_SIDE = 8192;

    private ImageFiles() {}

    /** Which part of a set that comes in two. */
    public enum Part {
        TRAIN("train"),
        TEST("test");

        private final String word;

        Part(String word) {
            this.word = word;
        }

        /** The word for it in names of files and arrays. */
        public String word() {
            return word;
        }

        boolean names(String name) {
            return name.toLowerCase(Locale.ROOT).contains(word);
        }
    }

    /**
     * What to read.
     *
     * @param part where the path holds two
     * @param size the side to which pictures of a folder are cropped and resized; without it, all must have one size already
     * @param grey whether pictures of a folder become grey
     */
    public record Options(Part part, OptionalInt size, boolean grey) {
        public Options {
            size.ifPresent(side -> Check.within("size", side, 1, LARGEST_SIDE));
        }

        /** The training part, pictures in colour and in their own size. */
        public static Options usual() {
            return new Options(Part.TRAIN, OptionalInt.empty(), false);
        }

        /** Returns a copy for another part of the set. */
        public Options part(Part other) {
            return new Options(other, size, grey);
        }

        /** Returns a copy that scales images to squares of this side. */
        public Options size(int side) {
            return new Options(part, OptionalInt.of(side), grey);
        }

        /** Returns a copy that turns colours to grey. */
        public Options inGrey() {
            return new Options(part, size, true);
        }
    }

    /** Reads the training part of what lies there. */
    public static ImageSet read(Path path) throws IOException {
        return read(path, Options.usual());
    }

    /**
     * Reads what lies there: a file of images, with the labels' file beside it, or a folder of either files or pictures.
     * The caller closes the set.
     *
     * @throws UnreadableFileException if it cannot be read, with the file and what is wrong with it in one line
     */
    public static ImageSet read(Path path, Options options) throws IOException {
        return source(path, options).read();
    }

    /** The images one after the other, without their labels: raw files and pictures are read as they are asked for. */
    public static ImageRows rows(Path path, Options options) throws IOException {
        return source(path, options).rows();
    }

    /** What reads the test part of a folder or a file that has one of its own; nothing where all that lies there is one part. */
    public static Optional<ImageFormat.Source> test(Path path, Options options) throws IOException {
        Options test = options.part(Part.TEST);
        if (Files.isDirectory(path)) {
            return part(Folder.of(path), test);
        }
        FileStart start = FileStart.of(path);
        for (ImageFormat format : Catalogue.instances(ImageFormat.class)) {
            if (format.hasParts(start)) {
                return Optional.of(file(path, test));
            }
        }
        return Optional.empty();
    }

    static ImageFormat.Source source(Path path, Options options) throws IOException {
        return Files.isDirectory(path) ? folder(path, options) : file(path, options);
    }

    /** How a format is asked. */
    private interface Question {
        Optional<ImageFormat.Source> ask(ImageFormat format) throws IOException;
    }

    private static Optional<ImageFormat.Source> first(Question question) throws IOException {
        for (ImageFormat format : Catalogue.instances(ImageFormat.class)) {
            Optional<ImageFormat.Source> source = question.ask(format);
            if (source.isPresent()) {
                return source;
            }
        }
        return Optional.empty();
    }

    // ---- files

    private static ImageFormat.Source file(Path path, Options options) throws IOException {
        FileStart start = FileStart.of(path);
        return first(format -> format.file(start, options))
                .orElseThrow(() -> new UnreadableFileException(path, unknown(start)));
    }

    private static String unknown(FileStart file) {
        if (file.size() == 0) {
            return "is empty";
        }
        if (file.begins(0x89, 'H', 'D', 'F') || file.begins('M', 'A', 'T', 'L', 'A', 'B', ' ', '7')) {
            return "is an HDF5 file, which Kelvin does not read (in MATLAB, save with -v7; in Python, save as npz)";
        }
        return Catalogue.instances(ImageFormat.class).stream()
                .map(ImageFormat::title)
                .collect(Collectors.joining(", ", "is in no format that Kelvin knows (", ")"));
    }

    // ---- folders

    private static ImageFormat.Source folder(Path path, Options options) throws IOException {
        Folder folder = Folder.of(path);
        Optional<ImageFormat.Source> source = part(folder, options);
        if (source.isPresent()) {
            return source.get();
        }
        Part other = options.part == Part.TRAIN ? Part.TEST : Part.TRAIN;
        if (part(folder, options.part(other)).isPresent()) {
            throw new UnreadableFileException(
                    path,
                    "has no part for '" + options.part.word + "', only one for '" + other.word
                            + "'; to read that, name its file or folder");
        }
        return first(format -> format.whole(folder, options)).orElseThrow(() -> noImages(path));
    }

    private static Optional<ImageFormat.Source> part(Folder folder, Options options) throws IOException {
        return first(format -> format.part(folder, options));
    }

    static UnreadableFileException noImages(Path folder) {
        return new UnreadableFileException(
                folder,
                "has no images that Kelvin knows: neither files in its formats nor pictures (PNG, JPEG or WebP, in the"
                        + " folder itself or in one folder for each class)");
    }
}

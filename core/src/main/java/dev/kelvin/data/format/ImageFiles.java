package dev.kelvin.data.format;

import dev.kelvin.Check;
import dev.kelvin.UnreadableFileException;
import dev.kelvin.data.image.ImageSet;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Reads image sets from files and folders, whatever their format, which is found from what is in them: IDX (MNIST and its
 * kin), the binary CIFAR-10 and CIFAR-100, SVHN's MATLAB files, npy and npz, and folders of pictures.
 */
public final class ImageFiles {
    private static final int LOOK = 128; // enough of a file to know its format

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
     * @param part which part, where the path holds two
     * @param size the side of the square that pictures of a folder are cropped and resized to; without it, all must have
     *     one size already
     * @param grey whether pictures of a folder become grey, with one channel instead of three
     */
    public record Options(Part part, OptionalInt size, boolean grey) {
        public Options {
            size.ifPresent(side -> Check.within("size", side, 1, LARGEST_SIDE));
        }

        /** The training part, pictures in colour and in their own size. */
        public static Options usual() {
            return new Options(Part.TRAIN, OptionalInt.empty(), false);
        }

        public Options part(Part other) {
            return new Options(other, size, grey);
        }

        public Options size(int side) {
            return new Options(part, OptionalInt.of(side), grey);
        }

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
        return Files.isDirectory(path) ? folder(path, options) : file(path, options);
    }

    /** The test part of a folder or an npz that has one of its own; nothing where all that lies there is one part. */
    public static Optional<ImageSet> readTest(Path path, Options options) throws IOException {
        Options test = options.part(Part.TEST);
        if (Files.isDirectory(path)) {
            Optional<Source> source = source(path, list(path), test);
            return source.isPresent() ? Optional.of(source.get().read()) : Optional.empty();
        }
        return isZip(start(path)) && NpyImages.hasParts(path) ? Optional.of(file(path, test)) : Optional.empty();
    }

    // ---- files

    private static ImageSet file(Path path, Options options) throws IOException {
        ByteBuffer start = start(path);
        long size = Files.size(path);
        Optional<Cifar> cifar = cifar(path, size);
        if (cifar.isPresent()) {
            return cifar.get().read(SetName.of(path), List.of(path));
        }
        if (SvhnFile.begins(start)) {
            return SvhnFile.read(path);
        }
        if (begins(start, 0x93, 'N', 'U', 'M', 'P', 'Y')) {
            return NpyImages.readNpy(path);
        }
        if (isZip(start)) {
            return NpyImages.readNpz(path, options.part);
        }
        if (Idx.begins(start)) {
            return Idx.read(path);
        }
        throw new UnreadableFileException(path, unknown(path, size, start));
    }

    /** By the name that the file has in its archive; by its size if it has another. */
    private static Optional<Cifar> cifar(Path path, long size) {
        String name = path.getFileName().toString();
        if (name.matches("(train|test)\\.bin")) {
            return Optional.of(Cifar.HUNDRED);
        }
        if (name.matches("(data_batch_\\d+|test_batch)\\.bin")) {
            return Optional.of(Cifar.TEN);
        }
        return name.endsWith(".bin")
                ? Stream.of(Cifar.values()).filter(kind -> kind.fits(size)).findFirst()
                : Optional.empty();
    }

    private static String unknown(Path path, long size, ByteBuffer start) {
        if (size == 0) {
            return "is empty";
        }
        if (ImageFolder.isPicture(path) || begins(start, 0x89, 'P', 'N', 'G') || begins(start, 0xFF, 0xD8)) {
            return "is a single picture; name the folder that holds it";
        }
        if (begins(start, 0x89, 'H', 'D', 'F') || begins(start, 'M', 'A', 'T', 'L', 'A', 'B', ' ', '7')) {
            return "is an HDF5 file, which Kelvin does not read (in MATLAB, save with -v7; in Python, save as npz)";
        }
        return "is in no format that Kelvin knows (IDX, CIFAR binary, MATLAB level 5, npy, npz, or a folder of pictures)";
    }

    private static boolean isZip(ByteBuffer start) {
        return begins(start, 'P', 'K', 3, 4);
    }

    private static boolean begins(ByteBuffer start, int... bytes) {
        return start.remaining() >= bytes.length
                && IntStream.range(0, bytes.length).allMatch(i -> (start.get(i) & 0xFF) == bytes[i]);
    }

    /** A file's first bytes, unpacked if it is gzip. */
    private static ByteBuffer start(Path path) throws UnreadableFileException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            in.mark(2);
            boolean gzip = in.read() == 0x1F && in.read() == 0x8B;
            in.reset();
            return ByteBuffer.wrap((gzip ? new GZIPInputStream(in) : in).readNBytes(LOOK))
                    .order(ByteOrder.BIG_ENDIAN);
        } catch (IOException e) {
            throw ByteSource.unreadable(path, e);
        }
    }

    // ---- folders

    /** What was found and can be read. */
    @FunctionalInterface
    private interface Source {
        ImageSet read() throws IOException;
    }

    private static ImageSet folder(Path path, Options options) throws IOException {
        List<Path> files = list(path);
        Optional<Source> source = source(path, files, options);
        if (source.isPresent()) {
            return source.get().read();
        }
        Part other = options.part == Part.TRAIN ? Part.TEST : Part.TRAIN;
        if (source(path, files, options.part(other)).isPresent()) {
            throw new UnreadableFileException(
                    path,
                    "has no part for '" + options.part.word + "', only one for '" + other.word
                            + "'; to read that, name its file or folder");
        }
        return ImageFolder.read(path, name(path), options, ImageFolder.classes(path));
    }

    private static String name(Path path) {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    /** The part of a folder that has such parts by their names; nothing if it has none. */
    private static Optional<Source> source(Path path, List<Path> files, Options options) throws IOException {
        String full = name(path) + "/" + options.part.word;
        List<Path> batches = named(files, options.part == Part.TRAIN ? "data_batch_\\d+\\.bin" : "test_batch\\.bin");
        if (!batches.isEmpty()) {
            return Optional.of(() -> Cifar.TEN.read(full, batches));
        }
        List<Path> hundred = named(files, options.part.word + "\\.bin");
        if (!hundred.isEmpty()) {
            return Optional.of(() -> Cifar.HUNDRED.read(full, hundred));
        }
        String idx = options.part == Part.TRAIN ? "train" : "(t10k|test)";
        Optional<Path> single = Stream.of(
                        ".*" + idx + ".*images[-.]idx3[-.]ubyte(\\.gz)?",
                        options.part.word + "_32x32\\.mat",
                        ".*" + options.part.word + ".*(images|imgs).*\\.np[yz]")
                .flatMap(pattern -> named(files, pattern).stream())
                .findFirst();
        if (single.isPresent()) {
            return Optional.of(() -> file(single.get(), options));
        }
        return pictures(files, options, full);
    }

    /** One of the folders train and test, if there is none of another kind beside them: then these are classes. */
    private static Optional<Source> pictures(List<Path> files, Options options, String full) throws IOException {
        List<Path> folders = files.stream().filter(Files::isDirectory).toList();
        List<Path> own = named(folders, options.part.word);
        if (own.isEmpty() || named(folders, "train|test|val|valid|validation").size() < folders.size()) {
            return Optional.empty();
        }
        SortedSet<String> classes = new TreeSet<>(); // of both parts, so that a class has one number in them
        for (Path folder : named(folders, "train|test")) {
            classes.addAll(ImageFolder.classes(folder));
        }
        return Optional.of(() -> ImageFolder.read(own.get(0), full, options, List.copyOf(classes)));
    }

    private static List<Path> named(List<Path> files, String pattern) {
        return files.stream()
                .filter(file -> file.getFileName().toString().matches(pattern))
                .toList();
    }

    /** What is in a folder, in the order of the names. */
    static List<Path> list(Path folder) throws UnreadableFileException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw ByteSource.unreadable(folder, e);
        }
    }
}

package dev.kelvin.data.format;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The binary versions of CIFAR-10 and CIFAR-100: for each image its labels, a byte each (CIFAR-10: the class; CIFAR-100:
 * one of 20 coarse classes, then the class), then 3×32×32 values (Krizhevsky 2009).
 */
public final class Cifar implements ImageFormat {
    private static final int SIDE = 32;
    private static final int PIXELS = 3 * SIDE * SIDE;

    @Override
    public String title() {
        return "CIFAR binary";
    }

    /** By the name that the file has in its archive; by its size if it has another. */
    @Override
    public Optional<Source> file(FileStart file, ImageFiles.Options options) {
        return version(file.name(), file.size())
                .map(version -> new ImageSource(version, SetName.of(file.path()), List.of(file.path())));
    }

    private static Optional<Version> version(String name, long size) {
        if (name.matches("(train|test)\\.bin")) {
            return Optional.of(Version.HUNDRED);
        }
        if (name.matches("(data_batch_\\d+|test_batch)\\.bin")) {
            return Optional.of(Version.TEN);
        }
        return name.endsWith(".bin")
                ? Stream.of(Version.values())
                        .filter(version -> version.fits(size))
                        .findFirst()
                : Optional.empty();
    }

    @Override
    public Optional<Source> part(Folder folder, ImageFiles.Options options) {
        ImageFiles.Part part = options.part();
        String batches = part == ImageFiles.Part.TRAIN ? "data_batch_\\d+\\.bin" : "test_batch\\.bin";
        return files(Version.TEN, folder.named(batches), folder.name(part))
                .or(() -> files(Version.HUNDRED, folder.named(part.word() + "\\.bin"), folder.name(part)));
    }

    private static Optional<Source> files(Version version, List<Path> files, String name) {
        return files.isEmpty() ? Optional.empty() : Optional.of(new ImageSource(version, name, files));
    }

    private record ImageSource(Version version, String name, List<Path> files) implements Source {
        @Override
        public ImageSet read() throws IOException {
            return version.read(name, files);
        }

        @Override
        public ImageRows rows() throws IOException {
            return files.size() == 1 ? version.rows(files.get(0)) : Source.super.rows();
        }
    }

    private enum Version {
        TEN(1, 10),
        HUNDRED(2, 100);

        private final int labelBytes;
        private final int classes;

        Version(int labelBytes, int classes) {
            this.labelBytes = labelBytes;
            this.classes = classes;
        }

        private int record() {
            return labelBytes + PIXELS;
        }

        boolean fits(long size) {
            return size > 0 && size % record() == 0;
        }

        /** Reads the images of several files, one file's after the other's. */
        ImageSet read(String name, List<Path> files) throws IOException {
            long count = 0;
            for (Path file : files) {
                count += images(file);
            }
            try (Scope scope = Scope.open()) {
                Tensor pixels =
                        ByteSource.allocate("its array of images", count * PIXELS, files.get(0), count, 3, SIDE, SIDE);
                int[] labels = new int[(int) count];
                int image = 0;
                for (Path path : files) {
                    try (ByteSource file = ByteSource.open(path)) {
                        for (long left = images(path); left > 0; left--, image++) {
                            labels[image] = label(file, image);
                            file.read("an image", pixels, (long) image * PIXELS, PIXELS);
                        }
                    }
                }
                return new ImageSet(name, scope.keep(pixels), labels, names(files.get(0)), 255);
            }
        }

        /** The images of one file, as they are asked for. */
        ImageRows rows(Path path) throws IOException {
            long count = images(path);
            ByteSource file = ByteSource.open(path);
            return ImageRows.of(
                    count,
                    3,
                    SIDE,
                    SIDE,
                    (from, some) -> {
                        try (Scope scope = Scope.open()) {
                            Tensor pixels =
                                    ByteSource.allocate("an image", (long) some * PIXELS, path, some, 3, SIDE, SIDE);
                            for (int i = 0; i < some; i++) {
                                label(file, (int) from + i);
                                file.read("an image", pixels, (long) i * PIXELS, PIXELS);
                            }
                            return scope.keep(pixels);
                        }
                    },
                    file);
        }

        private long images(Path file) throws UnreadableFileException {
            long size;
            try {
                size = Files.size(file);
            } catch (IOException e) {
                throw UnreadableFileException.of(file, e);
            }
            if (!fits(size)) {
                throw new UnreadableFileException(
                        file, "has " + size + " bytes; CIFAR-" + classes + " takes " + record() + " for each image");
            }
            return size / record();
        }

        /** The last label byte is the class; what is before it is coarser. */
        private int label(ByteSource file, int image) throws UnreadableFileException {
            int label = file.bytes("a label", labelBytes, ByteOrder.BIG_ENDIAN).get(labelBytes - 1) & 0xFF;
            if (label >= classes) {
                throw file.wrong("gives an image the label " + label + " (image " + image + "); CIFAR-" + classes
                        + " has " + classes + " classes");
            }
            return label;
        }

        private List<String> names(Path file) throws UnreadableFileException {
            if (this == TEN) {
                return ClassNames.CIFAR_10;
            }
            Path list = file.resolveSibling("fine_label_names.txt");
            if (!Files.isRegularFile(list)) {
                return ClassNames.numbers(classes);
            }
            try {
                List<String> names = Files.readAllLines(list).stream()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .toList();
                if (names.size() != classes) {
                    throw new UnreadableFileException(list, "has " + names.size() + " names; expected " + classes);
                }
                return names;
            } catch (IOException e) {
                throw UnreadableFileException.of(list, e);
            }
        }
    }
}

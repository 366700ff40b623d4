package dev.kelvin.data.format;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Images and labels in the IDX format of MNIST, Fashion-MNIST, EMNIST and Kuzushiji-MNIST, plain or gzip: two zeros, the
 * type (8: bytes), the number of dimensions, their lengths as big-endian ints, then the values (LeCun, Cortes, Burges,
 * The MNIST database).
 */
public final class Idx implements ImageFormat {
    private static final int BYTES = 0x08;
    private static final int START = 4;

    @Override
    public String title() {
        return "IDX";
    }

    @Override
    public Optional<Source> file(FileStart file, ImageFiles.Options options) {
        return begins(file.bytes()) ? Optional.of(new ImageSource(file.path())) : Optional.empty();
    }

    private record ImageSource(Path path) implements Source {
        /** With the labels from the file beside it that has the right name, if there is one. */
        @Override
        public ImageSet read() throws IOException {
            Optional<Path> labelFile = LabelFile.beside(path);
            try (Scope scope = Scope.open();
                    ImageRows rows = rows()) {
                Tensor pixels = rows.all();
                int[] labels = labelFile.isPresent() ? labels(labelFile.get(), (int) pixels.size(0)) : new int[0];
                String name = SetName.of(path);
                return new ImageSet(name, scope.keep(pixels), labels, ClassNames.of(name, labels), 255);
            }
        }

        @Override
        public ImageRows rows() throws IOException {
            ByteSource file = ByteSource.open(path);
            try {
                int[] lengths = lengths(file, 3);
                return ImageRows.of(
                        lengths[0],
                        1,
                        lengths[1],
                        lengths[2],
                        (from, count) -> {
                            try (Scope scope = Scope.open()) {
                                Tensor part = file.tensor("its array of images", count, 1, lengths[1], lengths[2]);
                                if (from + count == lengths[0]) {
                                    requireEnd(file);
                                }
                                return scope.keep(part);
                            }
                        },
                        file);
            } catch (IOException e) {
                file.close();
                throw e;
            }
        }
    }

    @Override
    public Optional<Source> part(Folder folder, ImageFiles.Options options) throws IOException {
        String part = options.part() == ImageFiles.Part.TRAIN ? "train" : "(t10k|test)";
        return folder.first(".*" + part + ".*images[-.]idx3[-.]ubyte(\\.gz)?", options);
    }

    private static boolean begins(ByteBuffer start) {
        return start.remaining() >= START && start.getShort(0) == 0 && start.get(2) >= BYTES && start.get(3) > 0;
    }

    private static int[] labels(Path path, int images) throws IOException {
        try (Scope scope = Scope.open();
                ByteSource file = ByteSource.open(path)) {
            int count = lengths(file, 1)[0];
            LabelFile.requireFit(path, count, images);
            Tensor values = file.tensor("its array of labels", count);
            requireEnd(file);
            return LabelFile.integers(path, values, images);
        }
    }

    private static int[] lengths(ByteSource file, int dimensions) throws UnreadableFileException {
        ByteBuffer start = file.bytes("the start of an IDX file", START, ByteOrder.BIG_ENDIAN);
        if (start.getShort(0) != 0) {
            throw file.wrong("is not an IDX file: it does not begin with two zeros");
        }
        if (start.get(2) != BYTES) {
            throw file.wrong(
                    "holds IDX type " + (start.get(2) & 0xFF) + "; images and labels are bytes, type " + BYTES);
        }
        if (start.get(3) != dimensions) {
            throw file.wrong("has " + (start.get(3) & 0xFF) + " dimensions; expected " + dimensions
                    + (dimensions == 3 ? " (images, height, width)" : " (labels)"));
        }
        ByteBuffer lengths = file.bytes("its header", dimensions * Integer.BYTES, ByteOrder.BIG_ENDIAN);
        int[] values = new int[dimensions];
        lengths.asIntBuffer().get(values);
        return values;
    }

    private static void requireEnd(ByteSource file) throws UnreadableFileException {
        if (!file.atEnd()) {
            throw file.wrong("holds more bytes than its header says");
        }
    }
}

package dev.kelvin.data.format;

import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Street View House Numbers, cropped digits (Netzer et al., 2011): a MATLAB level 5 file with the images X, bytes of shape
 * [32, 32, 3, n] in Fortran order, and the labels y, 1 to 10 where 10 stands for the digit 0.
 *
 * <p>Such a file has a header of 128 bytes, then elements: a tag of type and length, then data; one of type 15 is another,
 * packed by zlib; a matrix holds its flags, its lengths, its name and its values as elements of their own (MathWorks,
 * MAT-File Format, 2016).
 */
public final class Svhn implements ImageFormat {
    private static final int HEADER = 128;
    private static final int TAG = 8;
    private static final int UINT8 = 2;
    private static final int MATRIX = 14;
    private static final int PACKED = 15;
    private static final int MOST_LABELS = 1 << 26; // bytes of them
    private static final int MOST_DESCRIPTION = 512; // bytes of flags, lengths or a name; ours have 8, 16 and 1

    @Override
    public String title() {
        return "MATLAB level 5";
    }

    @Override
    public Optional<Source> file(FileStart file, ImageFiles.Options options) {
        return begins(file.bytes()) ? Optional.of(() -> read(file.path())) : Optional.empty();
    }

    @Override
    public Optional<Source> part(Folder folder, ImageFiles.Options options) throws IOException {
        return folder.first(options.part().word() + "_32x32\\.mat", options);
    }

    /** True if a file's first bytes are those of a MATLAB level 5 file. */
    private static boolean begins(ByteBuffer start) {
        if (start.remaining() < HEADER) {
            return false;
        }
        byte[] bytes = new byte[HEADER];
        start.get(start.position(), bytes);
        String end = new String(bytes, HEADER - 2, 2, StandardCharsets.US_ASCII);
        return new String(bytes, 0, 10, StandardCharsets.US_ASCII).equals("MATLAB 5.0")
                && (end.equals("IM") || end.equals("MI"));
    }

    private static ImageSet read(Path path) throws IOException {
        try (Scope scope = Scope.open();
                ByteSource source = ByteSource.open(path)) {
            Matrices file = new Matrices(source);
            while (source.left() > 0) {
                file.element();
            }
            Tensor pixels = file.pixels;
            int[] labels = file.labels;
            if (pixels == null || labels == null) {
                throw source.wrong("has no " + (pixels == null ? "X" : "y") + "; SVHN's files have X and y");
            }
            LabelFile.requireFit(path, labels.length, pixels.size(0));
            return new ImageSet(SetName.of(path), scope.keep(pixels), labels, Digits.NAMES, 255);
        }
    }

    /** The matrices X and y of a file that is being read. */
    private static final class Matrices {
        private final ByteSource file;
        private final ByteOrder order;
        private @Nullable Tensor pixels;
        private int @Nullable [] labels;

        Matrices(ByteSource file) throws UnreadableFileException {
            this.file = file;
            ByteBuffer header = file.bytes("its header", HEADER, ByteOrder.BIG_ENDIAN);
            if (!begins(header)) {
                throw file.wrong("is not a MATLAB file of level 5 (save with -v7, not -v7.3)");
            }
            this.order = header.get(HEADER - 2) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        }

        void element() throws UnreadableFileException {
            ByteBuffer tag = file.bytes("an element's tag", TAG, order);
            long length = Integer.toUnsignedLong(tag.getInt(4));
            switch (tag.getInt(0)) {
                case MATRIX -> matrix(file, length);
                case PACKED -> {
                    try (ByteSource unpacked = file.unzipped(length)) {
                        ByteBuffer inner = unpacked.bytes("a packed element's tag", TAG, order);
                        if (inner.getInt(0) == MATRIX) {
                            matrix(unpacked, Integer.toUnsignedLong(inner.getInt(4)));
                            if (!unpacked.atEnd()) {
                                throw file.wrong("has a packed matrix that is longer than it says");
                            }
                        }
                    }
                }
                default -> file.skip("an element", length);
            }
        }

        private void matrix(ByteSource in, long length) throws UnreadableFileException {
            in.require("a matrix", length);
            long end = in.left() - length;
            part(in, "a matrix's flags");
            ByteBuffer sizes = part(in, "a matrix's shape");
            long[] shape = new long[sizes.remaining() / Integer.BYTES];
            for (int i = 0; i < shape.length; i++) {
                shape[i] = sizes.getInt();
            }
            String name = StandardCharsets.ISO_8859_1
                    .decode(part(in, "a matrix's name"))
                    .toString();
            if (name.equals("X")) {
                pixels = pixels(in, shape);
            } else if (name.equals("y")) {
                labels = labels(in);
            }
            if (in.left() < end) {
                throw file.wrong("has a matrix that is longer than it says");
            }
            in.skip("the rest of a matrix", in.left() - end);
        }

        /** A short element with its padding. */
        private ByteBuffer part(ByteSource in, String what) throws UnreadableFileException {
            return data(in, what, in.bytes(what, TAG, order), MOST_DESCRIPTION);
        }

        /** An element's data; up to four bytes lie in the tag itself, whose first half then holds their length and type. */
        private ByteBuffer data(ByteSource in, String what, ByteBuffer tag, long most) throws UnreadableFileException {
            int small = tag.getInt(0) >>> Short.SIZE;
            if (small > Integer.BYTES) {
                throw file.wrong("has a short element of " + small + " bytes; at most 4 fit");
            }
            if (small > 0) {
                return tag.slice(Integer.BYTES, small).order(order);
            }
            long length = Integer.toUnsignedLong(tag.getInt(4));
            if (length > most) {
                throw file.wrong(what + " takes " + length + " bytes; at most " + most + " are read");
            }
            ByteBuffer data = in.bytes(what, (int) length, order);
            in.skip(what, Math.min(in.left(), -length & (TAG - 1)));
            return data;
        }

        private Tensor pixels(ByteSource in, long... shape) throws UnreadableFileException {
            long count = shape.length == 4 ? shape[3] : 1; // MATLAB leaves a last length of 1 out
            if (shape.length < 3 || shape.length > 4 || shape[2] != 3) {
                throw file.wrong("has an X of shape " + Arrays.toString(shape) + "; expected [32, 32, 3, n]");
            }
            ByteBuffer tag = in.bytes("X", TAG, order);
            if (tag.getInt(0) != UINT8) {
                throw file.wrong("has an X of MATLAB type " + tag.getInt(0) + "; expected bytes, type " + UINT8);
            }
            // [height, width, 3, n] in Fortran order is [n, 3, width, height] in ours
            Tensor stored = in.tensor("X", count, shape[2], shape[1], shape[0]);
            if (stored.count() != Integer.toUnsignedLong(tag.getInt(4))) {
                throw file.wrong("has an X of shape " + Arrays.toString(shape) + ", but "
                        + Integer.toUnsignedString(tag.getInt(4)) + " bytes of it");
            }
            in.skip("X", -stored.count() & (TAG - 1));
            return stored.permute(0, 1, 3, 2).contiguous();
        }

        private int[] labels(ByteSource in) throws UnreadableFileException {
            ByteBuffer tag = in.bytes("y", TAG, order);
            NumberType type = type(tag.getInt(0) & 0xFFFF);
            ByteBuffer data = data(in, "y", tag, MOST_LABELS);
            int[] values = new int[data.remaining() / type.bytes];
            for (int i = 0; i < values.length; i++) {
                double label = type.next.applyAsDouble(data);
                if (!(label >= 0 && label <= 10) || label != Math.rint(label)) {
                    throw file.wrong("gives image " + i + " the label " + label + "; SVHN's are 1 to 10");
                }
                values[i] = (int) label % 10;
            }
            return values;
        }

        /** MATLAB stores whole numbers in the smallest type that holds them; larger labels are refused whatever their sign. */
        private NumberType type(int code) throws UnreadableFileException {
            return switch (code) {
                case 1, UINT8 -> new NumberType(Byte.BYTES, ByteBuffer::get);
                case 3, 4 -> new NumberType(Short.BYTES, ByteBuffer::getShort);
                case 5, 6 -> new NumberType(Integer.BYTES, ByteBuffer::getInt);
                case 7 -> new NumberType(Float.BYTES, ByteBuffer::getFloat);
                case 9 -> new NumberType(Double.BYTES, ByteBuffer::getDouble);
                default -> throw file.wrong("has a y of MATLAB type " + code + ", which holds no labels");
            };
        }

        private record NumberType(int bytes, ToDoubleFunction<ByteBuffer> next) {}
    }
}

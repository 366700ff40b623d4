package dev.kelvin.data.format;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TensorException;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Images as NumPy saves them: bytes, or other numbers that stand for bytes, of shape [n, h, w], [n, h, w, c] or
 * [n, c, h, w] in an npy file, or in an npz, which is a zip of such files. Labels lie in the same npz or in a file of
 * their own.
 */
public final class NpyImages implements ImageFormat {
    private static final Pattern IMAGES = Pattern.compile("(.*[_.-])?x([_.-].*)?|.*(image|img|data|arr_0).*");
    private static final Pattern LABELS = Pattern.compile("(.*[_.-])?y([_.-].*)?|.*(label|target|arr_1).*");

    private static final Pattern PUBLISHED = Pattern.compile("mnist|kuzushiji", Pattern.CASE_INSENSITIVE);

    private static final int WHITE = 255;

    private record Found(Tensor images, Optional<Tensor> labels) {}

    @Override
    public String title() {
        return "npy, npz";
    }

    @Override
    public Optional<Source> file(FileStart file, ImageFiles.Options options) {
        if (file.begins(0x93, 'N', 'U', 'M', 'P', 'Y')) {
            return Optional.of(new Array(file.path()));
        }
        return isZip(file) ? Optional.of(() -> readNpz(file.path(), options.part())) : Optional.empty();
    }

    @Override
    public boolean hasParts(FileStart file) throws IOException {
        List<String> images = isZip(file) ? alike(Npz.read(file.path(), Npz::names), IMAGES) : List.of();
        return Stream.of(ImageFiles.Part.values())
                .allMatch(part -> images.stream().anyMatch(part::names));
    }

    private static boolean isZip(FileStart file) {
        return file.begins('P', 'K', 3, 4);
    }

    @Override
    public Optional<Source> part(Folder folder, ImageFiles.Options options) throws IOException {
        return folder.first(".*" + options.part().word() + ".*(images|imgs).*\\.np[yz]", options);
    }

    private record Array(Path path) implements Source {
        private static final int LOOKED_AT = 4096; // rows at a time, for the lowest and the highest number

        @Override
        public ImageSet read() throws IOException {
            return readNpy(path);
        }

        @Override
        public ImageRows rows() throws IOException {
            Npy.Rows array = Npy.rows(path);
            try {
                if (array.inFortranOrder() || array.shape().length == 0) {
                    array.close();
                    return Source.super.rows();
                }
                long images = array.shape()[0];
                Optional<Span> span = array.dtype() == DType.BYTE ? Optional.empty() : Optional.of(span(array, images));
                requireImages(path, array.shape());
                try (Scope scope = Scope.open()) {
                    long[] one =
                            pixels(path, array.read(0, Math.min(1, images))).shape();
                    return ImageRows.of(
                            images,
                            (int) one[1],
                            (int) one[2],
                            (int) one[3],
                            (from, count) -> {
                                try (Scope each = Scope.open()) {
                                    return each.keep(bytes(path, pixels(path, array.read(from, count)), span));
                                }
                            },
                            array);
                }
            } catch (IOException | RuntimeException e) {
                array.close();
                throw e;
            }
        }

        private static Span span(Npy.Rows array, long images) throws IOException {
            Span span = new Span(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
            for (long from = 0; from < images; from += LOOKED_AT) {
                try (Scope scope = Scope.open()) {
                    span = span.and(Span.of(
                            array.read(from, Math.min(LOOKED_AT, images - from)).to(DType.FLOAT)));
                }
            }
            return span;
        }
    }

    /** The lowest and the highest of numbers; NaN where one is. */
    private record Span(double low, double high) {
        static Span of(Tensor numbers) {
            return new Span(numbers.min().item(), numbers.max().item());
        }

        Span and(Span other) {
            return new Span(Math.min(low, other.low), Math.max(high, other.high));
        }
    }

    private static ImageSet readNpy(Path path) throws IOException {
        try (Scope scope = Scope.open()) {
            return set(scope, path, new Found(array(path), Optional.empty()), ImageFiles.Part.TRAIN);
        }
    }

    /** Where the arrays' names say train and test, this part of them. */
    private static ImageSet readNpz(Path path, ImageFiles.Part part) throws IOException {
        try (Scope scope = Scope.open()) {
            return set(scope, path, unzip(path, part), part);
        }
    }

    private static ImageSet set(Scope scope, Path path, Found found, ImageFiles.Part part) throws IOException {
        Tensor pixels = bytes(path, pixels(path, found.images), Optional.empty());
        int[] labels = {};
        Optional<Path> beside = LabelFile.beside(path);
        if (found.labels.isPresent()) {
            labels = LabelFile.integers(path, found.labels.get(), pixels.size(0));
        } else if (beside.isPresent()) {
            Path file = beside.get();
            Tensor values = file.toString().endsWith(".npz") ? unzip(file, part).images : array(file);
            labels = LabelFile.integers(file, values, pixels.size(0));
        }
        String name = SetName.of(path);
        String published = PUBLISHED.matcher(name).find() ? name : ""; // "my fashion photos" are not Fashion-MNIST
        return new ImageSet(name, scope.keep(pixels), labels, ClassNames.of(published, labels), WHITE);
    }

    private static Tensor array(Path path) throws IOException {
        try {
            return Npy.read(path);
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        } catch (TensorException e) {
            throw new UnreadableFileException(path, "cannot be held in memory: " + e.getMessage());
        }
    }

    // ---- npz

    private static Found unzip(Path path, ImageFiles.Part part) throws IOException {
        return Npz.read(path, file -> {
            List<String> names = file.names();
            String images = one(path, names, IMAGES, part)
                    .or(() -> names.size() == 1 ? Optional.of(names.get(0)) : Optional.empty())
                    .orElseThrow(() -> new UnreadableFileException(
                            path, "has no array that is named like images (x, images, data); it has " + names));
            Optional<String> labels = one(path, names, LABELS, part).filter(name -> !name.equals(images));
            Tensor pixels = file.array(images);
            return new Found(pixels, labels.isPresent() ? Optional.of(file.array(labels.get())) : Optional.empty());
        });
    }

    private static List<String> alike(List<String> names, Pattern like) {
        return names.stream()
                .filter(name -> like.matcher(name.substring(0, name.length() - ".npy".length())
                                .toLowerCase(Locale.ROOT))
                        .matches())
                .toList();
    }

    /** The only array with such a name, in this part if the names have parts. */
    private static Optional<String> one(Path path, List<String> names, Pattern like, ImageFiles.Part part)
            throws UnreadableFileException {
        List<String> alike = alike(names, like);
        List<String> ours =
                alike.size() == 1 ? alike : alike.stream().filter(part::names).toList();
        if (alike.isEmpty()) {
            return Optional.empty();
        }
        if (ours.size() != 1) {
            throw new UnreadableFileException(
                    path,
                    "has the arrays " + names + ", and which of them to read for '" + part.word() + "' is not clear");
        }
        return Optional.of(ours.get(0));
    }

    // ---- layout

    /** An array as [n, c, h, w]; one or three channels tell which dimension is theirs. */
    private static Tensor pixels(Path path, Tensor array) throws UnreadableFileException {
        long[] shape = array.shape();
        if (array.count() == 0) {
            throw new UnreadableFileException(path, "has the shape " + Arrays.toString(shape) + ": no image");
        }
        if (shape.length == 3) {
            return array.unsqueeze(1);
        }
        if (shape.length == 4 && colours(shape[3]) && !(colours(shape[1]) && shape[1] > shape[3])) {
            return array.permute(0, 3, 1, 2).contiguous();
        }
        requireImages(path, shape);
        return array;
    }

    private static void requireImages(Path path, long... shape) throws UnreadableFileException {
        if (shape.length != 3 && !(shape.length == 4 && (colours(shape[1]) || colours(shape[3])))) {
            throw new UnreadableFileException(
                    path,
                    "has the shape " + Arrays.toString(shape)
                            + "; expected [n, h, w], [n, h, w, c] or [n, c, h, w] with 1 or 3 channels");
        }
    }

    /**
     * Whole numbers and fractions up to 255 as the nearest byte; fractions of which none is above 1 are times 255 first,
     * as 1 then is white. Of a part of an array the whole's span is known.
     */
    private static Tensor bytes(Path path, Tensor array, Optional<Span> known) throws UnreadableFileException {
        if (array.dtype() == DType.BYTE) {
            return array;
        }
        Tensor numbers = array.to(DType.FLOAT);
        Span span = known.orElseGet(() -> Span.of(numbers));
        if (!(span.low >= 0 && span.high <= WHITE)) {
            throw new UnreadableFileException(
                    path,
                    "holds numbers from " + span.low + " to " + span.high
                            + " as images; those are whole numbers from 0 to 255, or fractions from 0 to 1");
        }
        boolean whole = array.dtype() == DType.INT || array.dtype() == DType.LONG;
        double scale = !whole && span.high <= 1 ? WHITE : 1;
        return numbers.timesInPlace(scale)
                .addNumberInPlace(0.5)
                .to(DType.BYTE); // of numbers above 0 it cuts fractions off
    }

    private static boolean colours(long channels) {
        return channels == 1 || channels == 3;
    }
}

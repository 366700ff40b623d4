package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Labels that lie in a file of their own, beside the images'. */
final class LabelFile {
    /** More classes than any set has: a larger label is a file's damage. */
    private static final int MOST_CLASSES = 65_536;

    /** How the name of a file of labels is made from that of its images. */
    private static final List<UnaryOperator<String>> RENAMES = List.of(
            name -> name.replace("images-idx3", "labels-idx1"),
            name -> name.replace("images.idx3", "labels.idx1"),
            name -> name.replace("images", "labels"),
            name -> name.replace("imgs", "labels"));

    private LabelFile() {}

    /** The file of labels for a file of images; packed or not, whatever the images are. */
    static Optional<Path> beside(Path images) {
        String name = images.getFileName().toString();
        for (UnaryOperator<String> rename : RENAMES) {
            String renamed = rename.apply(name);
            String bare = renamed.endsWith(".gz") ? renamed.substring(0, renamed.length() - 3) : renamed;
            for (String candidate : List.of(renamed, bare, bare + ".gz")) {
                Path file = images.resolveSibling(candidate);
                if (!renamed.equals(name) && Files.exists(file)) {
                    return Optional.of(file);
                }
            }
        }
        return Optional.empty();
    }

    /** Labels for {@code images} images from an array of whole numbers, [n] or [n, 1]. */
    static int[] integers(Path file, Tensor values, long images) throws UnreadableFileException {
        boolean whole = values.dtype() == DType.BYTE || values.dtype() == DType.INT || values.dtype() == DType.LONG;
        boolean list = values.dim() == 1 || (values.dim() == 2 && values.size(1) == 1);
        if (!whole || !list) {
            throw new UnreadableFileException(
                    file,
                    "holds " + values.dtype() + " of " + values.dim() + " dimensions; labels are whole numbers, [n]");
        }
        requireFit(file, values.size(0), images);
        long[] wide = values.toLongs();
        int[] labels = new int[wide.length];
        for (int i = 0; i < labels.length; i++) {
            if (wide[i] < 0 || wide[i] >= MOST_CLASSES) {
                throw new UnreadableFileException(file, "gives image " + i + " the label " + wide[i]);
            }
            labels[i] = (int) wide[i];
        }
        return labels;
    }

    static void requireFit(Path file, long labels, long images) throws UnreadableFileException {
        if (labels != images) {
            throw new UnreadableFileException(file, "has " + labels + " labels for " + images + " images");
        }
    }
}

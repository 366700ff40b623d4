package com.example.kelvin;

import dev.kelvin.data.format.FileStart;
import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.ImageFormat;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Grey images as text: a line {@code hex-images}, then one line of hexadecimal digits for each row of pixels, 0 for black and f
 * for white, and an empty line between two images.
 */
public final class HexImages implements ImageFormat {
    private static final String FIRST_LINE = "hex-images";
    private static final Pattern ROW = Pattern.compile("[0-9a-f]+");
    private static final int WHITE = 15;

    @Override
    public String title() {
        return "hexadecimal text";
    }

    /** The first line tells the format; another file is another format's. */
    @Override
    public Optional<Source> file(FileStart file, ImageFiles.Options options) {
        return file.begins(FIRST_LINE.chars().toArray()) ? Optional.of(() -> read(file.path())) : Optional.empty();
    }

    private static ImageSet read(Path path) throws IOException {
        String text = Files.readString(path).strip();
        String[] images = text.substring(FIRST_LINE.length()).strip().split("\n[ \t\r]*\n", -1);
        int height = (int) images[0].lines().count();
        int width = images[0].lines().findFirst().orElse("").length();
        if (width == 0) {
            throw new UnreadableFileException(path, "has no images after its first line");
        }
        byte[] pixels = new byte[images.length * height * width];
        int at = 0;
        for (String image : images) {
            List<String> rows = image.lines().toList();
            if (rows.size() != height) {
                throw new UnreadableFileException(
                        path, "has images of " + height + " and of " + rows.size() + " rows; all must be of one size");
            }
            for (String row : rows) {
                if (row.length() != width || !ROW.matcher(row).matches()) {
                    throw new UnreadableFileException(
                            path, "has the row '" + row + "'; expected " + width + " digits from 0 to f");
                }
                for (int column = 0; column < width; column++) {
                    pixels[at++] = (byte) Character.digit(row.charAt(column), 16);
                }
            }
        }
        try (Scope scope = Scope.open()) {
            Tensor tensor = Tensors.bytes(images.length, 1, height, width);
            tensor.memory(0, pixels.length).put(pixels);
            return new ImageSet(String.valueOf(path.getFileName()), scope.keep(tensor), new int[0], List.of(), WHITE);
        }
    }
}

package dev.kelvin.spark;

import dev.kelvin.data.format.PictureBytes;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.model.ImageUnits;
import dev.kelvin.model.SampleKind;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;

/**
 * Images from a column of pictures (PNG, JPEG, WebP, as Spark reads binary files), of raw pixels, a byte each, or of arrays of
 * pixels: channel after channel, from top to bottom, from left to right.
 */
final class PixelColumn extends SampleReader {
    private static final int WHITE = 255;

    private final SampleColumns columns;
    private final ImageUnits units;
    private final PictureBytes pictures;
    private final int width;
    private final int white;

    PixelColumn(SampleKind.Images kind, SampleColumns columns, KelvinScores settings, int most) {
        super(kind, most);
        this.columns = columns;
        units = kind.units();
        List<Long> shape = kind.shape();
        pictures = new PictureBytes(
                shape.get(0).intValue(), shape.get(1).intValue(), shape.get(2).intValue(), settings.resized());
        width = kind.width();
        white = settings.white();
    }

    @Override
    Optional<String> read(Row row, float[] into, int from) {
        int place = columns.places()[0];
        Optional<String> problem = row.isNullAt(place)
                ? Optional.of("is empty")
                : columns.array() ? pixels(array(row, place), into, from) : bytes((byte[]) row.get(place), into, from);
        return problem.map(words -> ", " + columns.at(0) + " " + words);
    }

    private Optional<String> bytes(byte[] cell, float[] into, int from) {
        if (cell.length == width && !isPicture(cell)) {
            return raw(cell, into, from);
        }
        try {
            byte[] pixels = pictures.pixels(cell);
            for (int i = 0; i < width; i++) {
                into[from + i] = white == WHITE ? pixels[i] & 0xFF : (pixels[i] & 0xFF) * (float) white / WHITE;
            }
            return Optional.empty();
        } catch (UnreadableFileException e) {
            return Optional.of(e.problem());
        }
    }

    private static boolean isPicture(byte[] cell) {
        String start = new String(cell, 0, Math.min(4, cell.length), java.nio.charset.StandardCharsets.ISO_8859_1);
        return start.startsWith("\u0089PNG") || start.startsWith("\u00FF\u00D8\u00FF") || start.startsWith("RIFF");
    }

    private Optional<String> raw(byte[] cell, float[] into, int from) {
        for (int i = 0; i < width; i++) {
            into[from + i] = cell[i] & 0xFF;
            if (into[from + i] > white) {
                return Optional.of(tooLight(cell[i] & 0xFF));
            }
        }
        return Optional.empty();
    }

    private Optional<String> pixels(List<?> cell, float[] into, int from) {
        if (cell.size() != width) {
            return Optional.of("has " + cell.size() + " pixels; the model's images have " + width);
        }
        for (int i = 0; i < width; i++) {
            Object pixel = cell.get(i);
            into[from + i] = pixel instanceof Number number ? number.floatValue() : Float.NaN;
            if (!(into[from + i] >= 0 && into[from + i] <= white)) {
                return Optional.of(tooLight(pixel));
            }
        }
        return Optional.empty();
    }

    private String tooLight(Object pixel) {
        return "has a pixel of " + pixel + "; expected 0, black, to " + white
                + ", white (another white is given by white, --white)";
    }

    @Override
    Tensor seen(Tensor x) {
        return units.toModel(x.over(white));
    }
}

package dev.kelvin.condition;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.ImageRows;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which pixels of an image are to be filled in.
 *
 * @param words what it is called
 * @param free for each number of an image [channels, height, width]
 */
public record Mask(String words, boolean[] free) {
    private interface Place {
        boolean free(int y, int x, int height, int width);
    }

    private static final Map<String, Place> PLACES = Map.of(
            "left-half", (y, x, height, width) -> x < width / 2,
            "right-half", (y, x, height, width) -> x >= width / 2,
            "top-half", (y, x, height, width) -> y < height / 2,
            "bottom-half", (y, x, height, width) -> y >= height / 2);

    private static final String RANDOM = "random-half";

    public Mask {
        free = free.clone();
    }

    @Override
    public boolean[] free() {
        return free.clone();
    }

    /** How many numbers of an image are to be filled. */
    public int count() {
        return count(free);
    }

    /**
     * The mask that a text names: left-half, right-half, top-half, bottom-half, random-half, a share of the pixels such as
     * 0.3, or a picture or npy file of the images' size, whose pixels other than black are to be filled.
     *
     * @param key draws which pixels, where it is a share of them
     * @param shape [channels, height, width]
     */
    public static Mask of(String text, Key key, List<Long> shape) throws IOException {
        if (shape.size() != 3) {
            throw new UserException("--inpaint is for images; the samples of this run are points");
        }
        int channels = Math.toIntExact(shape.get(0));
        int height = Math.toIntExact(shape.get(1));
        int width = Math.toIntExact(shape.get(2));
        boolean[] pixels = new boolean[height * width];
        Place place = PLACES.get(text);
        if (place != null) {
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = place.free(i / width, i % width, height, width);
            }
        } else if (text.equals(RANDOM)) {
            draw(key, 0.5, pixels);
        } else if (text.matches("0?\\.[0-9]+")) {
            draw(key, Double.parseDouble(text), pixels);
        } else {
            return new Mask(text, required(text, file(text, shape)));
        }
        boolean[] free = new boolean[channels * pixels.length];
        for (int i = 0; i < free.length; i++) {
            free[i] = pixels[i % pixels.length];
        }
        return new Mask(text, required(text, free));
    }

    private static int count(boolean... free) {
        return (int) IntStream.range(0, free.length).filter(i -> free[i]).count();
    }

    private static void draw(Key key, double share, boolean[] pixels) {
        long[] order = key.permutation(pixels.length);
        for (int i = 0; i < Math.round(share * pixels.length); i++) {
            pixels[(int) order[i]] = true;
        }
    }

    private static boolean[] required(String text, boolean[] free) {
        int count = count(free);
        if (count == 0 || count == free.length) {
            throw new UserException("the mask " + text + " has " + (count > 0 ? "every pixel" : "no pixel")
                    + " to fill; white is what is filled in, black what is known");
        }
        return free;
    }

    private static boolean[] file(String text, List<Long> shape) throws IOException {
        Path path = Path.of(text);
        if (!Files.exists(path)) {
            throw new UserException("there is no mask " + text
                    + "; name a picture or an npy file of the images' size, left-half, right-half, top-half, bottom-half,"
                    + " " + RANDOM + " or a share of the pixels such as 0.3");
        }
        try (Scope scope = Scope.open()) {
            double[] values;
            long[] found;
            if (text.endsWith(".npy")) {
                Tensor array = Npy.read(path);
                found = array.shape();
                values = array.to(DType.DOUBLE).toDoubles();
            } else {
                try (ImageRows rows =
                        ImageFiles.rows(path, ImageFiles.Options.usual().inGrey())) {
                    found = new long[] {rows.count().orElse(0), rows.height(), rows.width()};
                    values = rows.next(1).orElseThrow().to(DType.DOUBLE).toDoubles();
                }
            }
            return repeated(text, shape, found, values);
        }
    }

    /** Of one plane, or one for each channel. */
    private static boolean[] repeated(String text, List<Long> shape, long[] found, double... values) {
        List<Long> sizes =
                Arrays.stream(found).filter(size -> size != 1).boxed().toList();
        boolean fits = Stream.of(shape.subList(1, 3), shape)
                .anyMatch(
                        each -> each.stream().filter(size -> size != 1).toList().equals(sizes));
        if (!fits) {
            throw new UserException(Words.say(
                    "the mask %s has the shape %s; the model's images are %d high and %d wide, with %d channels",
                    text, Arrays.toString(found), shape.get(1), shape.get(2), shape.get(0)));
        }
        boolean[] free = new boolean[(int) (shape.get(0) * shape.get(1) * shape.get(2))];
        for (int i = 0; i < free.length; i++) {
            free[i] = values[i % values.length] != 0;
        }
        return free;
    }
}

package dev.kelvin.draw;

import dev.kelvin.tensor.Tensor;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.stream.IntStream;

/** Small images side by side, magnified so that their pixels can be seen. */
public final class ImageGrid {
    private static final int GAP = 2;

    /** Images are magnified by a whole number until they are about this wide. */
    private static final int WANTED = 40;

    private static final int MOST_NAME = 180;

    private ImageGrid() {}

    /** Images in rows, each after its name. */
    public static Png of(Tensor images, int columns, List<String> rows) {
        BufferedImage grid = of(images, columns).image();
        int left = Math.min(MOST_NAME, Lettering.width(rows)) + 10;
        Canvas canvas = new Canvas(left + grid.getWidth(), grid.getHeight());
        canvas.pen().drawImage(grid, left, 0, null);
        List<String> shown = Lettering.shortened(rows, MOST_NAME);
        for (int i = 0; i < rows.size(); i++) {
            int middle = (int) ((i + 0.5) * grid.getHeight() / rows.size());
            Lettering.endingAt(canvas.pen(), shown.get(i), left - 8, middle + 7);
        }
        return canvas.png();
    }

    /** Images [n, channels, height, width] with numbers in [0, 1]: grey if there is one channel, otherwise the first three as colours. */
    public static Png of(Tensor images, int columns) {
        long[] shape = images.shape();
        if (shape.length != 4 || (shape[1] != 1 && shape[1] < 3)) {
            throw new IllegalArgumentException("pictures are [n, 1 or 3, height, width], found " + images);
        }
        int n = (int) shape[0];
        int channels = (int) shape[1];
        int height = (int) shape[2];
        int width = (int) shape[3];
        int zoom = Math.max(1, WANTED / width);
        int across = Math.min(columns, n);
        int down = (n + across - 1) / across;
        BufferedImage sheet = new BufferedImage(
                GAP + across * (zoom * width + GAP), GAP + down * (zoom * height + GAP), BufferedImage.TYPE_INT_RGB);
        Graphics2D g = sheet.createGraphics();
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
        float[] pixels = images.toFloats();
        for (int i = 0; i < n; i++) {
            int first = i * channels * height * width;
            BufferedImage image = Raster.image(
                    width,
                    height,
                    (x, y) -> IntStream.range(0, 3)
                            .map(c -> ((channels == 1 ? 0 : c) * height + y) * width + x)
                            .map(pixel -> level(pixels[first + pixel]))
                            .reduce(0xFF, (colour, level) -> colour << 8 | level));
            int left = GAP + i % across * (zoom * width + GAP);
            int top = GAP + i / across * (zoom * height + GAP);
            g.drawImage(image, left, top, zoom * width, zoom * height, null);
        }
        g.dispose();
        return Png.of(sheet);
    }

    /** A number in [0, 1] as a byte; what lies outside is cut off, NaN is black. */
    private static int level(float value) {
        return Math.round(255 * Math.min(1, Math.max(0, Float.isNaN(value) ? 0 : value)));
    }
}

package dev.kelvin.data.image;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * 1797 handwritten digits, 1×8×8 with 17 shades, that come with Kelvin: the test part of Alpaydin and Kaynak's Optical
 * Recognition of Handwritten Digits (UCI, CC BY 4.0), the same as scikit-learn's.
 */
public final class Digits {
    /** The classes' names, "0" to "9". */
    public static final List<String> NAMES = List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");

    private static final int COUNT = 1797;
    private static final int SIDE = 8;
    private static final int SHADES = 16; // the value of white

    private Digits() {}

    /** The set, which the caller closes. */
    public static ImageSet load() {
        try (Scope scope = Scope.open();
                InputStream file = Digits.class.getResourceAsStream("digits.csv.gz")) {
            if (file == null) {
                throw new IllegalStateException("digits.csv.gz is missing from Kelvin's jar");
            }
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(new GZIPInputStream(file), StandardCharsets.US_ASCII));
            Tensor pixels = scope.keep(Tensors.bytes(COUNT, 1, SIDE, SIDE));
            ByteBuffer memory = pixels.memory(0, COUNT * SIDE * SIDE);
            int[] labels = new int[COUNT];
            for (int i = 0; i < COUNT; i++) {
                String[] values = lines.readLine().split(",", -1); // 64 shades, then the label
                for (int j = 0; j < SIDE * SIDE; j++) {
                    memory.put(Byte.parseByte(values[j]));
                }
                labels[i] = Integer.parseInt(values[SIDE * SIDE]);
            }
            return new ImageSet("digits", pixels, labels, NAMES, SHADES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

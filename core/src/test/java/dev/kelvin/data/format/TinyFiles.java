package dev.kelvin.data.format;

import dev.kelvin.tensor.Key;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;

/** Small files of every format, written from the formats' descriptions. */
final class TinyFiles {
    private TinyFiles() {}

    /** Bytes that look like pixels. */
    static byte[] pixels(int count) {
        byte[] bytes = new byte[count];
        RandomGenerator random = Key.of(3).stream();
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static byte[] idx(byte[] values, int... lengths) {
        ByteBuffer header = ByteBuffer.allocate(4 + 4 * lengths.length);
        header.put((byte) 0).put((byte) 0).put((byte) 8).put((byte) lengths.length);
        for (int length : lengths) {
            header.putInt(length);
        }
        return join(header.array(), values);
    }

    static byte[] gzip(byte[] bytes) {
        return packed(bytes, GZIPOutputStream::new);
    }

    private interface Packer {
        OutputStream around(OutputStream out) throws IOException;
    }

    private static byte[] packed(byte[] bytes, Packer packer) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream packing = packer.around(out)) {
            packing.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** So many records of CIFAR: label bytes, then pixels. */
    static byte[] cifar(byte[] pixels, int[]... labels) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < labels.length; i++) {
            for (int label : labels[i]) {
                out.write(label);
            }
            out.write(pixels, i * 3072, 3072);
        }
        return out.toByteArray();
    }

    static byte[] npy(String type, byte[] values, boolean fortran, int... shape) {
        StringBuilder lengths = new StringBuilder();
        for (int length : shape) {
            lengths.append(length).append(", ");
        }
        String header = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': ("
                + lengths + "), }\n";
        ByteBuffer start = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
        start.put((byte) 0x93)
                .put("NUMPY".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put((byte) 0);
        start.putShort((short) header.length());
        return join(start.array(), header.getBytes(StandardCharsets.US_ASCII), values);
    }

    static byte[] zip(Map<String, byte[]> entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : entries.keySet().stream().sorted().toList()) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(entries.get(name));
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    // ---- MATLAB level 5

    static byte[] mat(boolean pack, ByteOrder order, byte[]... matrices) {
        ByteBuffer header = ByteBuffer.allocate(128).order(order);
        header.put("MATLAB 5.0 MAT-file, written by a test".getBytes(StandardCharsets.US_ASCII));
        header.putShort(124, (short) 0x0100).putShort(126, (short) 0x4D49);
        byte[] file = header.array();
        for (byte[] matrix : matrices) {
            byte[] zipped = pack ? packed(matrix, DeflaterOutputStream::new) : matrix;
            file = pack ? join(file, tag(order, 15, zipped.length), zipped) : join(file, matrix);
        }
        return file;
    }

    static byte[] matrix(ByteOrder order, String name, int type, byte[] values, int... shape) {
        ByteBuffer lengths = ByteBuffer.allocate(shape.length * 4).order(order);
        for (int length : shape) {
            lengths.putInt(length);
        }
        byte[] inside = join(
                element(order, 6, ByteBuffer.allocate(8).order(order).putInt(9).array()),
                element(order, 5, lengths.array()),
                element(order, 1, name.getBytes(StandardCharsets.US_ASCII)),
                element(order, type, values));
        return join(tag(order, 14, inside.length), inside);
    }

    private static byte[] tag(ByteOrder order, int type, int length) {
        return ByteBuffer.allocate(8).order(order).putInt(type).putInt(length).array();
    }

    private static byte[] element(ByteOrder order, int type, byte[] data) {
        if (data.length <= 4) {
            ByteBuffer small = ByteBuffer.allocate(8).order(order);
            return small.putInt(data.length << 16 | type).put(data).array();
        }
        return join(tag(order, type, data.length), data, new byte[-data.length & 7]);
    }

    // ---- pictures

    static BufferedImage picture(int width, int height, int type) {
        BufferedImage image = new BufferedImage(width, height, type);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int[] sample = {40 * x % 256, 30 * y % 256, (10 * x + 7 * y) % 256};
                image.getRaster().setPixel(x, y, sample);
            }
        }
        return image;
    }

    static byte[] encoded(BufferedImage image, String format) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, format, out)) {
                throw new IllegalStateException("no writer for " + format);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** A valid file of each format with the name that it needs; all hold four images or one picture. */
    record Valid(String name, byte[] bytes) {}

    static List<Valid> all() {
        ByteOrder little = ByteOrder.LITTLE_ENDIAN;
        int[][] ten = {{3}, {0}, {9}, {1}};
        int[][] hundred = {{3, 99}, {0, 0}, {19, 7}, {1, 50}};
        byte[] labels = {7, 0, 9, 2};
        byte[] x = matrix(little, "X", 2, pixels(4 * 48), 4, 4, 3, 4);
        byte[] y = matrix(little, "y", 2, new byte[] {1, 10, 3, 9}, 4, 1);
        return List.of(
                new Valid("train-images-idx3-ubyte", idx(pixels(4 * 6), 4, 2, 3)),
                new Valid("packed-images-idx3-ubyte.gz", gzip(idx(pixels(4 * 6), 4, 2, 3))),
                new Valid("data_batch_1.bin", cifar(pixels(4 * 3072), ten)),
                new Valid("train.bin", cifar(pixels(4 * 3072), hundred)),
                new Valid("train_32x32.mat", mat(true, little, x, y)),
                new Valid("plain_32x32.mat", mat(false, little, x, y)),
                new Valid("images.npy", npy("|u1", pixels(4 * 6), false, 4, 2, 3)),
                new Valid(
                        "set.npz",
                        zip(Map.of(
                                "x.npy", npy("|u1", pixels(4 * 6), false, 4, 2, 3),
                                "y.npy", npy("|u1", labels, false, 4)))));
    }
}

package dev.kelvin.data.format;

import dev.kelvin.data.augment.Greyscale;
import dev.kelvin.data.augment.Resampling;
import dev.kelvin.io.UnreadableFileException;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** A decoded picture: red, green and blue planes of bytes, each height × width. Alpha is left out. */
record PictureFile(int height, int width, byte[] planes) {
    /** PNG and JPEG give no more than this many pixels for a byte: deflate's 1032 bytes, of eight pixels each. */
    private static final long MOST_PIXELS = 8 * ByteSource.MOST_UNPACKED;

    private static final long FREE_AREA = 1 << 20; // what a WebP of one colour may have: its pixels take no bytes

    private static final long MOST_AREA = 1 << 27; // 128 megapixels: three planes fit into one array

    private static final long PNG_MAGIC = 0x89504E470D0A1A0AL;
    private static final int RIFF = 0x52494646;
    private static final int WEBP = 0x57454250;
    private static final short JPEG_START = (short) 0xFFD8;
    private static final short JPEG_SCAN = (short) 0xFFDA;
    private static final short JPEG_END = (short) 0xFFD9;

    // ---- decoding

    /** Reads a file by ImageIO. Sizes are checked before anything is decoded. */
    static PictureFile read(Path path) throws UnreadableFileException {
        try {
            return of(path, Files.readAllBytes(path));
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        } catch (OutOfMemoryError e) {
            throw tooLarge(path);
        }
    }

    private static UnreadableFileException tooLarge(Path path) {
        return new UnreadableFileException(
                path, "takes more memory than Java has (KELVIN_JAVA_OPTS=-Xmx4g gives it more)");
    }

    /** Decodes the bytes of a file; the path is for messages. */
    static PictureFile of(Path path, byte[] bytes) throws UnreadableFileException {
        try {
            requireWholePng(path, ByteBuffer.wrap(bytes));
            requireWholeJpeg(path, ByteBuffer.wrap(bytes));
            requireWholeWebp(path, ByteBuffer.wrap(bytes));
            return decode(path, bytes);
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        } catch (OutOfMemoryError e) {
            throw tooLarge(path);
        } catch (UncheckedIOException e) {
            throw UnreadableFileException.of(path, Objects.requireNonNull(e.getCause()));
        } catch (RuntimeException e) { // decoders throw all kinds for what they did not expect
            throw new UnreadableFileException(path, "is damaged: it cannot be decoded");
        }
    }

    private static PictureFile decode(Path path, byte[] bytes) throws IOException {
        try (Impatient in = new Impatient(bytes)) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                throw new UnreadableFileException(path, "is not a picture that Kelvin can read (PNG, JPEG, WebP)");
            }
            ImageReader reader = readers.next();
            try {
                List<String> warnings = new ArrayList<>();
                reader.addIIOReadWarningListener((source, text) -> warnings.add(text));
                reader.setInput(in, true, true);
                long width = reader.getWidth(0);
                long height = reader.getHeight(0);
                long most = Math.max(isWebp(ByteBuffer.wrap(bytes)) ? FREE_AREA : 0, MOST_PIXELS * bytes.length);
                if (width < 1 || height < 1 || width * height > Math.min(MOST_AREA, most)) {
                    throw new UnreadableFileException(
                            path,
                            "says that it is " + width + " wide and " + height + " high, which is more than "
                                    + bytes.length + " bytes can hold or Kelvin decodes");
                }
                in.expect(width * height);
                BufferedImage image = reader.read(0);
                if (warnings.stream()
                        .anyMatch(text -> text.toLowerCase(Locale.ROOT).contains("premature"))) {
                    throw cut(path);
                }
                return Exif.of(ByteBuffer.wrap(bytes)).upright(of(image));
            } finally {
                reader.dispose();
            }
        }
    }

    /** A WebP file says how long it is, the lowest byte first. */
    private static void requireWholeWebp(Path path, ByteBuffer file) throws UnreadableFileException {
        if (isWebp(file) && Integer.toUnsignedLong(Integer.reverseBytes(file.getInt(4))) + 8 > file.limit()) {
            throw cut(path);
        }
    }

    private static UnreadableFileException cut(Path path) {
        return new UnreadableFileException(path, "ends too early: a part of it is missing");
    }

    private static boolean isWebp(ByteBuffer file) {
        return file.limit() >= 12 && file.getInt(0) == RIFF && file.getInt(8) == WEBP;
    }

    /** ImageIO reads the pixels of a damaged PNG without a word: here every chunk's checksum is looked at. */
    private static void requireWholePng(Path path, ByteBuffer file) throws UnreadableFileException {
        if (file.remaining() < Long.BYTES || file.getLong() != PNG_MAGIC) {
            return;
        }
        int around = 3 * Integer.BYTES; // length and name before a chunk's data, checksum after
        String name = "";
        while (!name.equals("IEND")) {
            long length = file.remaining() < around ? Long.MAX_VALUE : Integer.toUnsignedLong(file.getInt());
            if (length > file.remaining() - around + Integer.BYTES) {
                throw cut(path);
            }
            byte[] chunk = new byte[Integer.BYTES + (int) length];
            file.get(chunk);
            name = new String(chunk, 0, Integer.BYTES, StandardCharsets.ISO_8859_1);
            CRC32 checksum = new CRC32();
            checksum.update(chunk);
            if ((int) checksum.getValue() != file.getInt()) {
                throw new UnreadableFileException(path, "is damaged: a checksum of this PNG differs");
            }
        }
    }

    /** ImageIO is silent about a JPEG without its end, too: the last scan must be followed by the marker for it. */
    private static void requireWholeJpeg(Path path, ByteBuffer file) throws UnreadableFileException {
        int at = file.remaining() - Short.BYTES;
        if (at < 0 || file.getShort(0) != JPEG_START) {
            return;
        }
        while (at > 0 && file.getShort(at) != JPEG_END && file.getShort(at) != JPEG_SCAN) {
            at--;
        }
        if (file.getShort(at) != JPEG_END) {
            throw cut(path);
        }
    }

    private static PictureFile of(BufferedImage image) {
        int height = image.getHeight();
        int width = image.getWidth();
        int area = height * width;
        byte[] planes = new byte[3 * area];
        boolean grey = image.getColorModel() instanceof ComponentColorModel model && model.getNumColorComponents() == 1;
        Raster raster = image.getRaster();
        int shift = Math.max(0, image.getColorModel().getComponentSize(0) - Byte.SIZE);
        int[] row = new int[width];
        for (int y = 0; y < height; y++) {
            if (grey) { // getRGB takes grey for linear light and would change its values
                raster.getSamples(0, y, width, 1, 0, row);
            } else {
                image.getRGB(0, y, width, 1, row, 0, width);
            }
            for (int x = 0; x < width; x++) {
                int at = y * width + x;
                int value = row[x];
                planes[at] = (byte) (grey ? value >> shift : value >> 16);
                planes[area + at] = (byte) (grey ? value >> shift : value >> 8);
                planes[2 * area + at] = (byte) (grey ? value >> shift : value);
            }
        }
        return new PictureFile(height, width, planes);
    }

    // ---- size

    PictureFile square() {
        int side = Math.min(height, width);
        int top = (height - side) / 2;
        int left = (width - side) / 2;
        byte[] cut = new byte[3 * side * side];
        for (int plane = 0; plane < 3; plane++) {
            for (int y = 0; y < side; y++) {
                int from = (plane * height + top + y) * width + left;
                System.arraycopy(planes, from, cut, (plane * side + y) * side, side);
            }
        }
        return new PictureFile(side, side, cut);
    }

    /** The picture in another size, by {@link Resampling} down and across. */
    PictureFile resized(int newHeight, int newWidth) {
        float[] across = new Resampling(width, newWidth).rows(planes, 3 * height);
        float[] both = new float[3 * newHeight * newWidth];
        Resampling down = new Resampling(height, newHeight);
        for (int plane = 0; plane < 3; plane++) {
            down.columns(across, plane * height * newWidth, both, plane * newHeight * newWidth, newWidth);
        }
        byte[] bytes = new byte[both.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = rounded(both[i]);
        }
        return new PictureFile(newHeight, newWidth, bytes);
    }

    // ---- grey

    /** One plane of luminance by ITU-R BT.601. */
    byte[] grey() {
        int area = height * width;
        byte[] bytes = new byte[area];
        for (int i = 0; i < area; i++) {
            bytes[i] = rounded((float) (Greyscale.RED * (planes[i] & 0xFF)
                    + Greyscale.GREEN * (planes[area + i] & 0xFF)
                    + Greyscale.BLUE * (planes[2 * area + i] & 0xFF)));
        }
        return bytes;
    }

    private static byte rounded(float value) {
        return (byte) Math.max(0, Math.min(255, Math.round(value)));
    }

    /**
     * The WebP decoder goes on for minutes after the end of a damaged file, as if zeros came: here that ends soon. It may
     * look for each channel of each pixel, as those of one colour take no bits.
     */
    private static final class Impatient extends MemoryCacheImageInputStream {
        private static final int CHANNELS = 4;

        private long patience = 1 << 12; // looks beyond the end that are left; decoders look a few bytes ahead

        Impatient(byte[] bytes) {
            super(new ByteArrayInputStream(bytes));
        }

        void expect(long pixels) {
            patience += CHANNELS * pixels;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            if (value < 0 && --patience < 0) {
                throw new UncheckedIOException(new EOFException());
            }
            return value;
        }
    }
}

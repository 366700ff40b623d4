package dev.kelvin.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.io.UnreadableFileException;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pictures of every kind that cameras and programs write. */
final class PictureFileTest {
    @TempDir
    Path folder;

    private PictureFile read(byte[] bytes) throws IOException {
        return PictureFile.read(Files.write(folder.resolve("picture"), bytes));
    }

    /** The first value of red, green and blue. */
    private static int[] first(PictureFile picture) {
        int area = picture.height() * picture.width();
        byte[] planes = picture.planes();
        return new int[] {planes[0] & 0xFF, planes[area] & 0xFF, planes[2 * area] & 0xFF};
    }

    // ---- how the camera was held

    /** Three corners of 16 × 8 pixels are white, red and blue in the file; where they are to be shown. */
    @ParameterizedTest
    @CsvSource({
        "0, wr/b.",
        "1, wr/b.",
        "2, rw/.b",
        "3, .b/rw",
        "4, b./wr",
        "5, wb/r.",
        "6, bw/.r",
        "7, .r/bw",
        "8, r./wb",
        "9, wr/b."
    })
    void jpegsStandUpright(int orientation, String corners) throws IOException {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            PictureFile picture = read(withOrientation(corners(), orientation, order));
            int last = picture.width() - 1;
            int low = picture.height() - 1;
            assertThat(picture.height() > picture.width()).isEqualTo(orientation >= 5 && orientation <= 8);
            assertThat("" + colour(picture, 0, 0) + colour(picture, 0, last) + "/" + colour(picture, low, 0)
                            + colour(picture, low, last))
                    .isEqualTo(corners);
        }
    }

    private static byte[] corners() {
        BufferedImage image = new BufferedImage(32, 16, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < 16; y++) {
            for (int x = 0; x < 32; x++) {
                image.setRGB(x, y, y < 8 ? x < 16 ? 0xFFFFFF : 0xFF0000 : x < 16 ? 0x0000FF : 0);
            }
        }
        return TinyFiles.encoded(image, "jpg");
    }

    private static char colour(PictureFile picture, int y, int x) {
        int area = picture.height() * picture.width();
        int at = y * picture.width() + x;
        boolean red = (picture.planes()[at] & 0xFF) > 127;
        boolean blue = (picture.planes()[2 * area + at] & 0xFF) > 127;
        return red && blue ? 'w' : red ? 'r' : blue ? 'b' : '.';
    }

    /** An Exif segment after the JPEG's first marker; its directory has another entry before that of the orientation. */
    private static byte[] withOrientation(byte[] jpeg, int orientation, ByteOrder order) {
        ByteBuffer tiff = ByteBuffer.allocate(8 + 2 + 2 * 12 + 4).order(order);
        tiff.put((order == ByteOrder.LITTLE_ENDIAN ? "II" : "MM").getBytes(StandardCharsets.US_ASCII));
        tiff.putShort((short) 42).putInt(8).putShort((short) 2);
        tiff.putShort((short) 0x0100).putShort((short) 3).putInt(1).putInt(0);
        tiff.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
        byte[] exif = TinyFiles.join("Exif\0\0".getBytes(StandardCharsets.US_ASCII), tiff.array());
        ByteBuffer marker = ByteBuffer.allocate(4).putShort((short) 0xFFE1).putShort((short) (exif.length + 2));
        return TinyFiles.join(Arrays.copyOf(jpeg, 2), marker.array(), exif, Arrays.copyOfRange(jpeg, 2, jpeg.length));
    }

    /** Every length and place in the segment may lie: the pixels are still read, or the file is blamed. */
    @Test
    void damagedOrientationsAreHarmless() throws IOException {
        byte[] good = withOrientation(corners(), 6, ByteOrder.BIG_ENDIAN);
        for (int at = 2; at < 50; at++) {
            byte[] bad = good.clone();
            bad[at] ^= (byte) 0xFF;
            try {
                assertThat(read(bad).planes()).hasSize(3 * 32 * 16);
            } catch (UnreadableFileException e) {
                assertThat(e.getMessage()).hasLineCount(1);
            }
        }
    }

    // ---- colours

    /** Cyan, magenta, yellow and black as Adobe stores them: 255 is no ink. */
    @Test
    void jpegsForPrintAreRead() throws IOException {
        WritableRaster raster = Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, 8, 8, 4, null);
        for (int i = 0; i < 64; i++) {
            raster.setPixel(i % 8, i / 8, new int[] {0, 255, 255, 255});
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpg").next();
        try (ImageOutputStream stream = ImageIO.createImageOutputStream(out)) {
            writer.setOutput(stream);
            writer.write(new IIOImage(raster, null, null));
        }
        assertThat(first(read(out.toByteArray()))).containsExactly(0, 255, 255);
    }

    @Test
    void sixteenBitsBecomeEight() throws IOException {
        BufferedImage grey = new BufferedImage(1, 1, BufferedImage.TYPE_USHORT_GRAY);
        grey.getRaster().setSample(0, 0, 0, 0xABCD);
        assertThat(first(read(TinyFiles.encoded(grey, "png")))).containsExactly(0xAB, 0xAB, 0xAB);
        ComponentColorModel model = new ComponentColorModel(
                ColorSpace.getInstance(ColorSpace.CS_sRGB), false, false, Transparency.OPAQUE, DataBuffer.TYPE_USHORT);
        BufferedImage colours = new BufferedImage(model, model.createCompatibleWritableRaster(1, 1), false, null);
        colours.getRaster().setPixel(0, 0, new int[] {0x0101, 0x8080, 0xFFFF});
        assertThat(first(read(TinyFiles.encoded(colours, "png")))).containsExactly(1, 128, 255);
    }

    @Test
    void palettesAndTransparencyKeepTheirColours() throws IOException {
        IndexColorModel palette = new IndexColorModel(
                2, 2, new byte[] {0, 10}, new byte[] {0, 20}, new byte[] {0, 30}, new byte[] {-1, 0});
        BufferedImage indexed = new BufferedImage(1, 1, BufferedImage.TYPE_BYTE_INDEXED, palette);
        indexed.getRaster().setSample(0, 0, 0, 1);
        assertThat(first(read(TinyFiles.encoded(indexed, "png")))).containsExactly(10, 20, 30);
        BufferedImage clear = new BufferedImage(1, 1, BufferedImage.TYPE_INT_ARGB);
        clear.setRGB(0, 0, 0x00102030);
        assertThat(first(read(TinyFiles.encoded(clear, "png")))).containsExactly(0x10, 0x20, 0x30);
        BufferedImage bit = new BufferedImage(2, 1, BufferedImage.TYPE_BYTE_BINARY);
        bit.setRGB(0, 0, 0xFFFFFF);
        assertThat(first(read(TinyFiles.encoded(bit, "png")))).containsExactly(255, 255, 255);
    }

    // ---- sizes

    /** A lossless WebP whose five codes have one symbol each: the pixels themselves take no bits. */
    private static byte[] oneColour(int width, int height) {
        BitSet bits = new BitSet();
        int[][] fields = { // value, number of bits; the lowest bit first
            {width - 1, 14},
            {height - 1, 14},
            {0, 4},
            {0, 3}, // no alpha, version 0, no transform, cache or groups
            {0b101, 3},
            {20, 8},
            {0b101, 3},
            {10, 8},
            {0b101, 3},
            {30, 8},
            {0b101, 3},
            {255, 8},
            {0b001, 3},
            {0, 1}
        };
        int at = 0;
        for (int[] field : fields) {
            for (int i = 0; i < field[1]; i++) {
                bits.set(at++, (field[0] >> i & 1) == 1);
            }
        }
        byte[] data = Arrays.copyOf(bits.toByteArray(), (at + 15) / 16 * 2 + 1);
        ByteBuffer file = ByteBuffer.allocate(22 + data.length - 1).order(ByteOrder.LITTLE_ENDIAN);
        file.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(file.capacity() - 8);
        file.put("WEBPVP8L".getBytes(StandardCharsets.US_ASCII))
                .putInt(data.length)
                .put((byte) 0x2F);
        return file.put(data, 0, data.length - 1).array();
    }

    @Test
    void aWebpOfOneColourMayBeTiny() throws IOException {
        byte[] file = oneColour(250, 200);
        assertThat(file).hasSizeLessThan(50);
        PictureFile picture = read(file);
        assertThat(new int[] {picture.height(), picture.width()}).containsExactly(200, 250);
        assertThat(first(picture)).containsExactly(10, 20, 30);
        assertThatThrownBy(() -> read(oneColour(16_000, 16_000)))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageContaining("says that it is 16000 wide and 16000 high");
    }

    /** A file of 54 bytes whose codes are damaged so that the decoder would look for them beyond its end for a minute. */
    @Test
    void aDamagedWebpIsRefusedSoon() {
        byte[] file =
                Base64.getDecoder().decode("UklGRi4AAABXRUJQVlA4TCIAAAAvBcAAAJmM6H9sClGI6H9aIdsI0IGdv9iPMChjHxMAsNID");
        ThreadMXBean threads = ManagementFactory.getThreadMXBean(); // not by the clock: other processes take time too
        long start = threads.getCurrentThreadCpuTime();
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageEndingWith("ends too early: a part of it is missing");
        assertThat(threads.getCurrentThreadCpuTime() - start).isLessThan(10_000_000_000L);
    }
}

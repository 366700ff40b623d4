package dev.kelvin.data.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * How the camera was held for a JPEG: its pixels are stored as the camera saw them, and the tag Orientation of its Exif
 * segment, 1 to 8, says how to show them (JEITA CP-3451, Exchangeable image file format, section 4.6.4).
 */
record Exif(boolean transposed, boolean rowsReversed, boolean columnsReversed) {
    private static final short JPEG = (short) 0xFFD8;
    private static final short SCAN = (short) 0xFFDA;
    private static final short APPLICATION = (short) 0xFFE1;
    private static final String NAME = "Exif\0\0";
    private static final int ENTRY = 12;
    private static final short ORIENTATION = 0x0112;

    /** Of a file's bytes; upright where they say nothing else. */
    static Exif of(ByteBuffer file) {
        try {
            int orientation = orientation(file);
            return new Exif(
                    orientation >= 5 && orientation <= 8,
                    orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7,
                    orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8);
        } catch (IndexOutOfBoundsException e) { // lengths that lie: the pixels can be read all the same
            return new Exif(false, false, false);
        }
    }

    private static int orientation(ByteBuffer file) {
        if (file.limit() < Short.BYTES || file.getShort(0) != JPEG) {
            return 1;
        }
        int at = Short.BYTES;
        while (file.getShort(at) != SCAN) {
            int length = Short.toUnsignedInt(file.getShort(at + Short.BYTES)); // with its own two bytes
            byte[] name = new byte[NAME.length()];
            if (file.getShort(at) == APPLICATION && length > name.length) {
                file.get(at + 4, name);
                if (new String(name, StandardCharsets.ISO_8859_1).equals(NAME)) {
                    return inside(file.slice(at + 4 + name.length, length - 2 - name.length));
                }
            }
            at += Short.BYTES + length;
        }
        return 1;
    }

    /** From the first directory of a TIFF: after the byte order and 42 its place, then its entries' number. */
    private static int inside(ByteBuffer tiff) {
        tiff.order(tiff.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int directory = tiff.getInt(4);
        int entries = Short.toUnsignedInt(tiff.getShort(directory));
        for (int i = 0; i < entries; i++) {
            int entry = directory + Short.BYTES + i * ENTRY;
            if (tiff.getShort(entry) == ORIENTATION) {
                return tiff.getShort(entry + 8);
            }
        }
        return 1;
    }

    PictureFile upright(PictureFile stored) {
        if (!transposed && !rowsReversed && !columnsReversed) {
            return stored;
        }
        int height = transposed ? stored.width() : stored.height();
        int width = transposed ? stored.height() : stored.width();
        byte[] planes = new byte[stored.planes().length];
        int at = 0;
        for (int plane = 0; plane < 3; plane++) {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    int row = transposed ? x : y;
                    int column = transposed ? y : x;
                    row = rowsReversed ? stored.height() - 1 - row : row;
                    column = columnsReversed ? stored.width() - 1 - column : column;
                    planes[at++] = stored.planes()[(plane * stored.height() + row) * stored.width() + column];
                }
            }
        }
        return new PictureFile(height, width, planes);
    }
}

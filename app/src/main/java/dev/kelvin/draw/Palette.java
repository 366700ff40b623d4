package dev.kelvin.draw;

import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;

/**
 * Viridis: equal steps of a value look like equal steps of brightness, also to colour-blind eyes and in grey print; its
 * dark end stands out from a dark page. Then grey for "not a number", and the ink of axes from transparent to full.
 */
final class Palette {
    /** Viridis at 0, 1/8, ... 1 (matplotlib, CC0), between which we interpolate. */
    private static final int[] ANCHORS = {
        0x440154, 0x472C7A, 0x3B518B, 0x2C718E, 0x21908D, 0x27AD81, 0x5CC863, 0xAADC32, 0xFDE725
    };

    private static final int OPAQUE = 0xFF000000;
    private static final int NOT_A_NUMBER = 0xA0A0A0;

    /** A grey with the same contrast, 4.2, on the report's light and dark page. */
    private static final int INK = 0x7A7A7A;

    /** The indices: shades of the scale from 0 on, then not-a-number, then the strengths of ink. */
    private static final int SHADES = 239;

    private static final int INKS = 16;

    static final IndexColorModel COLOURS = colours();

    private Palette() {}

    /** The index of the colour for a position from 0 to 1, or for NaN. */
    static byte index(double position) {
        return (byte) (Double.isNaN(position) ? SHADES : Math.round(position * (SHADES - 1)));
    }

    /** The index of ink of a strength from 0, transparent, to 255. */
    static byte ink(int alpha) {
        return (byte) (SHADES + 1 + (alpha * (INKS - 1) + 127) / 255);
    }

    private static IndexColorModel colours() {
        int[] colours = new int[SHADES + 1 + INKS];
        for (int i = 0; i < SHADES; i++) {
            double place = (double) i / (SHADES - 1) * (ANCHORS.length - 1);
            int below = Math.min((int) place, ANCHORS.length - 2);
            colours[i] = OPAQUE | mix(ANCHORS[below], ANCHORS[below + 1], place - below);
        }
        colours[SHADES] = OPAQUE | NOT_A_NUMBER;
        for (int i = 0; i < INKS; i++) {
            colours[SHADES + 1 + i] = (255 * i / (INKS - 1)) << 24 | INK;
        }
        return new IndexColorModel(8, colours.length, colours, 0, true, -1, DataBuffer.TYPE_BYTE);
    }

    private static int mix(int from, int to, double share) {
        int mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int a = from >> shift & 0xFF;
            int b = to >> shift & 0xFF;
            mixed |= (int) Math.round(a + share * (b - a)) << shift;
        }
        return mixed;
    }
}

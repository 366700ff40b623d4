package dev.kelvin.report;

import java.awt.Color;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;

/**
 * Viridis: equal steps of a value look like equal steps of brightness, also to colour-blind eyes and in grey print; its
 * dark end stands out from a dark page. One more colour, grey, means "not a number".
 */
final class Palette {
    /** Viridis at 0, 1/8, ... 1 (matplotlib, CC0), between which we interpolate. */
    private static final int[] ANCHORS = {
        0x440154, 0x472C7A, 0x3B518B, 0x2C718E, 0x21908D, 0x27AD81, 0x5CC863, 0xAADC32, 0xFDE725
    };

    private static final int NOT_A_NUMBER = 0xA0A0A0;

    /** The number of colours on the scale; they have the indices 0 to 254, and NaN has 255. */
    private static final int SHADES = 255;

    static final IndexColorModel COLOURS = colours();

    private Palette() {}

    /** The index of the colour for a position from 0 to 1, or for NaN. */
    static byte index(double position) {
        return (byte) (Double.isNaN(position) ? SHADES : Math.round(position * (SHADES - 1)));
    }

    static Color colour(double position) {
        return new Color(COLOURS.getRGB(index(position) & 0xFF));
    }

    private static IndexColorModel colours() {
        int[] colours = new int[SHADES + 1];
        for (int i = 0; i < SHADES; i++) {
            double place = (double) i / (SHADES - 1) * (ANCHORS.length - 1);
            int below = Math.min((int) place, ANCHORS.length - 2);
            colours[i] = mix(ANCHORS[below], ANCHORS[below + 1], place - below);
        }
        colours[SHADES] = NOT_A_NUMBER;
        return new IndexColorModel(8, colours.length, colours, 0, false, -1, DataBuffer.TYPE_BYTE);
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

package dev.kelvin.draw;

/**
 * Viridis: equal steps of a value look like equal steps of brightness, also to colour-blind eyes and in grey print; its
 * dark end stands out from a dark page. Grey is for "not a number".
 */
final class Palette {
    /** Viridis at 0, 1/8, ... 1 (matplotlib, CC0), between which we interpolate. */
    private static final int[] ANCHORS = {
        0x440154, 0x472C7A, 0x3B518B, 0x2C718E, 0x21908D, 0x27AD81, 0x5CC863, 0xAADC32, 0xFDE725
    };

    private static final int OPAQUE = 0xFF000000;
    private static final int NOT_A_NUMBER = OPAQUE | 0xA0A0A0;

    /** As many as leave room for grey and for axes among the 256 colours of a small file. */
    private static final int[] SHADES = shades(239);

    private Palette() {}

    /** The colour for a position from 0 to 1, or for NaN. */
    static int colour(double position) {
        return Double.isNaN(position) ? NOT_A_NUMBER : SHADES[(int) Math.round(position * (SHADES.length - 1))];
    }

    private static int[] shades(int count) {
        int[] shades = new int[count];
        for (int i = 0; i < count; i++) {
            double place = (double) i / (count - 1) * (ANCHORS.length - 1);
            int below = Math.min((int) place, ANCHORS.length - 2);
            shades[i] = OPAQUE | mix(ANCHORS[below], ANCHORS[below + 1], place - below);
        }
        return shades;
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

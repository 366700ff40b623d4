package dev.kelvin.model;

import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.Network;

/** The numbers in which a network's convolutions and products are computed. */
public enum Precision {
    /** 32 bits. */
    FLOAT,
    /** 32 bits, of which convolutions on a GPU round the mantissa of their factors to 10; on a processor the same as FLOAT. */
    TF32,
    /** Products of 16 bits, sums and parameters of 32. */
    BFLOAT16;

    /** Whether f has too few digits for an accept/reject step. */
    public boolean rounds() {
        return this != FLOAT;
    }

    /** A network in these numbers: another one around it where products have 16 bits. */
    public Network computed(Network network) {
        return this == BFLOAT16 ? new Bfloat16(network) : network;
    }
}

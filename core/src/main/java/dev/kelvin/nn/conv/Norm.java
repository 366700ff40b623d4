package dev.kelvin.nn.conv;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Words;

/** What keeps the channels of a residual network at one scale. */
public enum Norm {
    /** Nothing. */
    NONE,

    /** Batch norm (Ioffe and Szegedy 2015): a channel's mean and variance over the batch, in evaluation running ones. */
    @Cites("ioffe2015")
    BATCH,

    /** Group norm (Wu and He 2018): mean and variance over a group of channels of each sample by itself. */
    @Cites("wu2018")
    GROUP;

    /** As recipes and checkpoints write it. */
    @JsonValue
    public String word() {
        return Words.kebab(name());
    }
}

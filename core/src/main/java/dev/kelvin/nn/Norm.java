package dev.kelvin.nn;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What keeps the channels of a residual network at one scale. */
public enum Norm {
    /** Nothing. */
    @JsonProperty("none")
    NONE,

    /** Batch norm (Ioffe and Szegedy 2015): a channel's mean and variance over the batch, in evaluation running ones. */
    @JsonProperty("batch")
    BATCH,

    /** Group norm (Wu and He 2018): mean and variance over a group of channels of each sample by itself. */
    @JsonProperty("group")
    GROUP
}

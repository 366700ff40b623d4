package dev.kelvin.experiment;

import dev.kelvin.Check;
import dev.kelvin.Cites;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.negative.ReplayBuffer;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** A replay buffer: chains go on from where earlier ones ended. */
@Doc("chains go on from where earlier ones ended (persistent contrastive divergence)")
@Cites("tieleman2008")
public record Buffer(
        @Doc("how many samples it holds") int size,

        @Doc("which sample makes room for a new one") @Default("fifo")
        ReplayBuffer.Entry kind,

        @Doc("every chain's end takes a new place (IGEBM); otherwise one that went on takes its own again (JEM)")
        @Default("false")
        @Cites("du2019")
        boolean everyEnd,

        @Doc("the probability that a chain starts afresh") @Default("0.05")
        double reinitialise,

        @Doc("random changes of the images at which chains go on, such as [flip, {resized-crop: {}}]")
        @Default("[]")
        @Cites("du2021")
        List<Augmentation> augment,

        @Doc("hold images as bytes, a quarter of the memory: rounded to 1/255 of [low, high], cut off outside it")
        @Default("false")
        boolean bytes,

        @Doc("what goes back to the drawn places are the batch's ends drawn with replacement with the probabilities"
                + " softmax(f/T) (Shah 2024), each class among its own where slots have a class; at a low T, such as"
                + " JEM's 5e-5, the likeliest end takes all of them")
        @Default("false")
        @Cites("shah2024")
        boolean weighted) {
    public Buffer {
        List<Augmentation> changes = List.copyOf(augment);
        Check.all(
                () -> Check.atLeast("size", size, 1),
                () -> Check.within("reinitialise", reinitialise, 0, 1),
                () -> Check.require(
                        !weighted || !everyEnd,
                        "weighted",
                        "cannot be combined with everyEnd, with which nothing goes back to the drawn places"));
        augment = changes;
    }

    static String percent(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString();
    }

    String words() {
        String anew = reinitialise == 0 ? "none starts afresh" : percent(reinitialise) + " % start afresh each time";
        String changed = augment.isEmpty()
                ? ""
                : ", and are changed at random when they go on: "
                        + augment.stream().map(Augmentation::words).collect(Collectors.joining(", "));
        String ends = everyEnd
                ? "new and old chains' ends take the places of earlier ones"
                : weighted
                        ? "the places of chains that go on go to ends of the batch drawn at random, with probabilities softmax(f/T)"
                        : "chains that go on keep their places";
        String held = bytes ? " chains, held as bytes," : " chains";
        return " They live in a replay buffer of " + size + held + " and go on from draw to draw; " + ends + "; " + anew
                + changed + ".";
    }
}

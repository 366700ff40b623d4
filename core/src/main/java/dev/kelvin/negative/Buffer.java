package dev.kelvin.negative;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** A replay buffer: chains go on from where earlier ones ended. */
@Doc("a replay buffer: chains continue from where earlier ones ended (persistent contrastive divergence)")
@Cites("tieleman2008")
public record Buffer(
        @Doc("how many samples it holds") int size,

        @Doc("which sample a new one replaces") @Default("fifo")
        ReplayBuffer.Entry eviction,

        @Doc(
                "every chain's end is added to the buffer (IGEBM); otherwise it replaces the sample that the chain continued from (JEM)")
        @Default("false")
        @Cites("du2019")
        boolean insertAllEnds,

        @Doc("the probability that a chain is reinitialised") @Default("0.05")
        double reinitialise,

        @Doc("random augmentations of the images from which chains continue, such as [flip, {resized-crop: {}}]")
        @Default("[]")
        @Cites("du2021")
        List<Augmentation> augment,

        @Doc("store images as bytes, a quarter of the memory: rounded to 1/255 of [low, high] and clipped to it")
        @Default("false")
        boolean bytes,

        @Doc(
                "the ends that are written back to the buffer are resampled from the batch with probabilities softmax(f/T) (Shah 2024), within each class where slots have a class; at a low T, such as JEM's 5e-5, the likeliest end replaces all others")
        @Default("false")
        @Cites("shah2024")
        boolean weighted,

        @Doc(
                "with weighted: the likeliest end alone, of each class where slots have a class, is written back in place of all that chains continued from (argmax instead of softmax, Shah 2024)")
        @Default("false")
        @Cites("shah2024")
        boolean likeliest,

        @Doc(
                value =
                        "how often a chain continues from the buffer before it is started afresh in its slot (a visit limit), such as 3 with reinitialise 0.5",
                otherwise = "a chain continues as often as it is drawn")
        @Cites("hill2022")
        OptionalInt visits) {
    public Buffer {
        List<Augmentation> changes = List.copyOf(augment);
        Check.all(
                () -> Check.atLeast("size", size, 1),
                () -> Check.within("reinitialise", reinitialise, 0, 1),
                () -> Check.require(
                        !weighted || !insertAllEnds,
                        "weighted",
                        "cannot be combined with insertAllEnds, with which nothing goes back to the drawn places"),
                () -> visits.ifPresent(given -> Check.atLeast("visits", given, 1)),
                () -> Check.require(
                        visits.isEmpty() || !insertAllEnds || eviction != ReplayBuffer.Entry.RESERVOIR,
                        "visits",
                        "cannot be combined with insertAllEnds in a reservoir, which ever fewer ends enter: chains at their limit"
                                + " would stay; say 'eviction: fifo'"),
                () -> Check.require(!likeliest || weighted, "likeliest", "takes 'weighted: true'"));
        augment = changes;
    }

    /** Chains keep their slots, as floats, and go on as they are. */
    public static Buffer of(int size, ReplayBuffer.Entry eviction, double reinitialise) {
        return new Buffer(size, eviction, false, reinitialise, List.of(), false, false, false);
    }

    /** Chains continue as often as they are drawn. */
    public Buffer(
            int size,
            ReplayBuffer.Entry eviction,
            boolean insertAllEnds,
            double reinitialise,
            List<Augmentation> augment,
            boolean bytes,
            boolean weighted,
            boolean likeliest) {
        this(size, eviction, insertAllEnds, reinitialise, augment, bytes, weighted, likeliest, OptionalInt.empty());
    }

    /** With a limit on how often a chain continues. */
    public Buffer withVisits(int limit) {
        return new Buffer(
                size,
                eviction,
                insertAllEnds,
                reinitialise,
                augment,
                bytes,
                weighted,
                likeliest,
                OptionalInt.of(limit));
    }

    /** One of several parts of equal size. */
    public Buffer part(int parts) {
        return new Buffer(
                size / parts, eviction, insertAllEnds, reinitialise, augment, bytes, weighted, likeliest, visits);
    }

    /** What happens to images in this range, from which chains continue. */
    public Optional<Augmentation> change(Optional<PixelRange> range) {
        return augment.isEmpty() ? Optional.empty() : range.map(new Augmentation.InTurn(augment)::within);
    }

    /** A share as a percentage. */
    public static String percent(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString();
    }

    /** Sentences that follow those on the chains. */
    public String words() {
        String limited =
                visits.isPresent() ? "a chain that has continued " + visits.getAsInt() + " times is reinitialised" : "";
        String anew = reinitialise > 0
                ? percent(reinitialise) + " % are reinitialised each time" + (limited.isEmpty() ? "" : ", " + limited)
                : limited.isEmpty() ? "none is reinitialised" : limited;
        String changed = augment.isEmpty()
                ? ""
                : ", and are augmented when they continue: "
                        + augment.stream().map(Augmentation::words).collect(Collectors.joining(", "));
        String ends = insertAllEnds
                ? "the ends of all chains replace earlier samples"
                : weighted && likeliest
                        ? "the samples that chains continued from are replaced by the likeliest end of the batch"
                        : weighted
                                ? "the samples that chains continued from are replaced by ends of the batch, resampled with probabilities softmax(f/T)"
                                : "each chain's end replaces the sample that it continued from";
        String held = bytes ? " chains, held as bytes," : " chains";
        return " They are kept in a replay buffer of " + size + held + " and continue from iteration to iteration; "
                + ends + "; " + anew + changed + ".";
    }
}

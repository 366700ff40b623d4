package dev.kelvin.negative;

/**
 * What a term of the loss needs of a step's negatives beside themselves; nothing else is kept.
 *
 * @param lastMoves how many of the chains' last moves are to be taken again
 * @param buffered how many samples of the replay buffer, as it was before the negatives, are to be looked at
 */
public record ChainRequest(int lastMoves, int buffered) {
    /** The negatives alone. */
    public static final ChainRequest NOTHING = new ChainRequest(0, 0);

    /** Enough for both. */
    public ChainRequest and(ChainRequest other) {
        return new ChainRequest(Math.max(lastMoves, other.lastMoves), Math.max(buffered, other.buffered));
    }
}

package dev.kelvin.train.loop;

import java.util.function.LongSupplier;

/**
 * Tells when the work since the last save is worth saving: before more than a minute of it could be lost. What could be lost
 * is what was done since then, the next step, and the time that saving takes.
 */
final class SaveClock {
    private static final long SECOND = 1_000_000_000L;

    /** Less than a minute, because steps and disks are not always as fast as the last time. */
    private static final long MOST_LOST = 50 * SECOND;

    /** A disk so slow that saving takes long is not written to all the time: at most a fifth of a run is spent on it. */
    private static final int WORK_PER_SAVE = 4;

    private final LongSupplier nanos;
    private long savedAt;
    private long steppedAt;
    private long savingSince;
    private long lastStep;
    private long lastSave;

    SaveClock(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** What there is now is on the disk. */
    void start() {
        savedAt = nanos.getAsLong();
        steppedAt = savedAt;
    }

    void stepped() {
        long now = nanos.getAsLong();
        lastStep = now - steppedAt;
        steppedAt = now;
    }

    void saving() {
        savingSince = nanos.getAsLong();
    }

    void saved() {
        long now = nanos.getAsLong();
        lastSave = now - savingSince;
        savedAt = now;
        steppedAt = now;
    }

    /** Whether another step would be too much to lose. */
    boolean due() {
        long worked = nanos.getAsLong() - savedAt;
        return worked + lastStep + lastSave >= MOST_LOST && worked >= WORK_PER_SAVE * lastSave;
    }
}

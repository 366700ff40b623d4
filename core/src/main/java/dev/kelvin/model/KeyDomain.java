package dev.kelvin.model;

import dev.kelvin.tensor.Key;

/** What a run's random numbers are for: each purpose has keys of its own. The children from 0 on are the trainer's. */
public enum KeyDomain {
    /** First parameters, buffer and the order of the data. */
    INITIAL(-1),
    /** The draws that a model is judged by. */
    EVALUATION(-2),
    /** The draws that a report shows: looking at a run changes nothing in it. */
    REPORT(-3),
    /** Which images are kept back: the same for all runs, or their figures could not be compared. */
    SPLIT(-4),
    /** The samples and the noise at which f is shown. */
    SCORES(-5),
    /** The chains of a diagnosis. */
    DIAGNOSIS(-6),
    /** Chains of a study on what its runs learnt. */
    STUDY_CHAINS(-7),
    /** Where chains start that a user asks for. */
    SAMPLE_STARTS(-8),
    /** The truth's draws in pages of chains and studies. */
    EXACT(-9),
    /** The data that spectral norms and running statistics settle on before the first step. */
    SETTLING(-10),
    /** The chains by which a temperature is measured that nobody knows beforehand. */
    TEMPERATURE(-11);

    private final long child;

    KeyDomain(long child) {
        this.child = child;
    }

    /** The key for this purpose of everything that has this seed. */
    public Key key(long seed) {
        return Key.of(seed).child(child);
    }

    /** The key for this purpose that all runs share. */
    public Key key() {
        return key(0);
    }
}

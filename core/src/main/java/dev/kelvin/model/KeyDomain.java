package dev.kelvin.model;

import dev.kelvin.tensor.Key;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a run's random numbers are for: each purpose has keys of its own, and one class that draws by them. The children of a
 * seed's key from 0 on are the trainer's.
 */
public enum KeyDomain {
    /** First parameters, buffer and the order of the data. */
    INITIAL(-1),
    /** The draws that a model is judged by. */
    EVALUATION(-2),
    /** The draws that a report shows: looking at a run changes nothing in it. */
    REPORT(-3),
    /** Which images are kept back: the same for all runs, or their figures could not be compared. */
    SPLIT(-4),
    /** The model's own images at which f is shown. */
    SCORED_SAMPLES(-5, 0),
    /** The noise at which f is shown. */
    SCORED_NOISE(-5, 1),
    /** The noise at which a time-joint model of images is asked for the time. */
    TIME_EXAMPLES(-5, 2),
    /** Which images of a set f is shown at. */
    SCORED_IMAGES(-5, 3),
    /** Images of chains with larger steps. */
    LARGER_STEPS(-5, 4),
    /** Images that are none of the data. */
    OUT_OF_DISTRIBUTION(LARGER_STEPS),
    /** The chains by which a time-joint model's normalisers are measured. */
    TIME_NORMALISER(LARGER_STEPS),
    /** Which images are attacked, and how. */
    ATTACK(-5, 5),
    /** The draws by which a checkpoint of a model of a table is scored. */
    TABLE_SCORE(ATTACK),
    /** Samples by class. */
    CLASS_SAMPLES(-5, 6),
    /** The points that scores in the plane are compared with. */
    PLANE_REFERENCE(CLASS_SAMPLES),
    /** The rows by which it is known what is usual of columns. */
    USUAL_COLUMNS(CLASS_SAMPLES),
    /** The chains of a diagnosis. */
    DIAGNOSIS(-6),
    /** Chains of a study on what its runs learnt. */
    STUDY_CHAINS(-7),
    /** Where chains start that a user asks for. */
    SAMPLE_STARTS(-8),
    /** The truth's draws in pages of chains. */
    EXACT(-9),
    /** The draws of the truth and of models in pages of studies. */
    STUDY_PICTURES(EXACT),
    /** The data that spectral norms and running statistics settle on before the first step. */
    SETTLING(-10),
    /** The chains by which a temperature is measured that is not known beforehand. */
    TEMPERATURE(-11),
    /** What a report shows of a latent model. */
    LATENT_REPORT(-3, 20),
    /** The draws that curves of training are by. */
    TRAINING_CURVE(-12),
    /** The first parameters of generators of where chains start. */
    START_GENERATOR(-13),
    /** The points of a sweep that are drawn. */
    SWEEP(-14);

    private final long child;
    private final OptionalLong grandchild; // below the child
    private final Optional<KeyDomain> shared;

    KeyDomain(long child) {
        this.child = child;
        this.grandchild = OptionalLong.empty();
        this.shared = Optional.empty();
    }

    KeyDomain(long child, long grandchild) {
        this.child = child;
        this.grandchild = OptionalLong.of(grandchild);
        this.shared = Optional.empty();
    }

    /** A purpose whose keys equal another's: figures of earlier versions could not be reproduced with others. */
    KeyDomain(KeyDomain other) {
        this.child = other.child;
        this.grandchild = other.grandchild;
        this.shared = Optional.of(other);
    }

    /** The purpose whose keys this one has, if it has none of its own. */
    Optional<KeyDomain> shared() {
        return shared;
    }

    /** The key for this purpose of everything that has this seed. */
    public Key key(long seed) {
        Key key = Key.of(seed).child(child);
        return grandchild.isPresent() ? key.child(grandchild.getAsLong()) : key;
    }

    /** The key for this purpose that all runs share. */
    public Key key() {
        return key(0);
    }
}

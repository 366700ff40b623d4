package dev.kelvin.recipe;

import dev.kelvin.part.Check;
import java.util.Optional;

/** What the components of a recipe's model are, and what follows from it for everything else. */
public enum ModelForm {
    /** One component: a plain energy. */
    PLAIN,
    /** A component for each class. */
    CLASSES,
    /** A component for each time, from noise at the first to the data at the last. */
    TIMES,
    /** One component, of latent vectors from which a generator makes samples. */
    LATENT_VECTORS;

    static ModelForm of(Optional<ClassForm> classes, Optional<TimeSettings> time, Optional<LatentSettings> latent) {
        return time.isPresent() ? TIMES : latent.isPresent() ? LATENT_VECTORS : classes.isPresent() ? CLASSES : PLAIN;
    }

    static void check(Optional<ClassForm> classes, Optional<TimeSettings> time, Optional<LatentSettings> latent) {
        Check.all(
                () -> Check.require(
                        latent.isEmpty() || (classes.isEmpty() && time.isEmpty()),
                        "latent",
                        "cannot be combined with classes or time: its prior has one component"),
                () -> Check.require(
                        classes.isEmpty() || time.isEmpty(),
                        "classes",
                        "cannot be combined with time: a component is one or the other"));
    }

    /** Whether f is a function of samples themselves, with a gradient at them; otherwise of what they are made of. */
    public boolean isOfSamples() {
        return this != LATENT_VECTORS;
    }

    /** Whether there are several components. */
    public boolean hasSeveral() {
        return this == CLASSES || this == TIMES;
    }

    /** Whether samples have classes, and the model p(y|x). */
    public boolean hasLabels() {
        return this == CLASSES;
    }

    /** Whether chains are annealed from a reference distribution to the data, through samples with ever less noise. */
    public boolean annealsChains() {
        return this == TIMES;
    }

    /** Whether chains run on the density of the data themselves, so that they may be of any length and start at data. */
    public boolean runsOnData() {
        return this == PLAIN || this == CLASSES;
    }
}

package dev.kelvin.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.nn.Network;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Kernel;
import dev.kelvin.train.latent.PosteriorChains;
import java.util.List;

/** What the components k of a model's f(x)_k are. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ComponentKind.None.class, name = "none"),
    @JsonSubTypes.Type(value = ComponentKind.Classes.class, name = "classes"),
    @JsonSubTypes.Type(value = ComponentKind.Times.class, name = "times"),
    @JsonSubTypes.Type(value = ComponentKind.Latent.class, name = "latent")
})
public sealed interface ComponentKind {
    /** One component: a plain energy. */
    record None() implements ComponentKind {}

    /** A component for each class. */
    record Classes(List<String> names) implements ComponentKind {
        public Classes {
            names = List.copyOf(names);
            Check.atLeast("names", names.size(), 2);
        }
    }

    /** A component for each time, from noise at the first to the data at the last. */
    record Times(AnnealingSettings annealing) implements ComponentKind {}

    /**
     * One component, of latent vectors z, from which a generator makes images.
     *
     * @param noise σ of p(x|z)
     * @param size the dimension of a latent vector
     * @param std σ₀ of the Gaussian that the prior tilts
     */
    record Latent(Network generator, double noise, long size, double std, Kernel<?> kernel, int steps)
            implements ComponentKind {
        PosteriorChains posterior() {
            return PosteriorChains.of(kernel, steps);
        }
    }
}

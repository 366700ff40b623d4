package dev.kelvin.recipe;

import dev.kelvin.energy.Timeline;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import java.util.List;
import java.util.Optional;

/** Time as a random variable: noise at the first time, the data at the last, and one model of all. */
@Doc("time as a random variable: noise at the first time, the data at the last, and one model of all")
@Cites("anonymous-time")
public record TimeSettings(
        @Doc("the number of times (noise levels), from the noise to the data")
        int count,

        @Doc("the noise at the first time, whose density is known") @Default("{}")
        Reference reference,

        @Doc("whether log p(z, t) is the cumulative sum of the network's outputs up to t") @Default("true")
        boolean cumulative,

        @Doc("whether the density at the first time is fixed to the known one, so that all are normalised")
        @Default("true")
        boolean pinned,

        @Doc("how the model is sampled") @Default("{}") Annealing annealing) {
    public TimeSettings {
        Check.atLeast("count", count, 2);
    }

    /** The model's components. */
    public Timeline timeline() {
        return new Timeline(count, reference.mean.orElse(List.of()), reference.std, cumulative, pinned);
    }

    /** The noise at the first time. */
    @Doc("Gaussian noise, whose density is known; a little wider than the data")
    public record Reference(
            @Doc(value = "its mean, one number for each dimension", otherwise = "0")
            Optional<List<Double>> mean,

            @Doc("its standard deviation") @Default("1") double std) {
        public Reference {
            Optional<List<Double>> copy = mean.map(List::copyOf);
            Check.all(() -> copy.ifPresent(values -> Check.finite("mean", values)), () -> Check.positive("std", std));
            mean = copy;
        }
    }

    /** How samples are made. */
    @Doc("how the model is sampled: chains are annealed from the noise to the data")
    public record Annealing(
            @Doc("basic: on one time after the other; soft: on the marginal of all remaining times") @Default("soft")
            Way schedule,

            @Doc("the number of steps at each time") @Default("3")
            int steps,

            @Doc("the largest number of samples of images that figures are computed from: annealed chains are long")
            @Default("10000")
            int samples) {
        public Annealing {
            Check.all(() -> Check.atLeast("steps", steps, 1), () -> Check.atLeast("samples", samples, 2));
        }
    }

    /** The densities along which chains are annealed. */
    public enum Way {
        BASIC,
        SOFT
    }
}

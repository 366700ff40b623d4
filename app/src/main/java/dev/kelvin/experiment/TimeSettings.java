package dev.kelvin.experiment;

import dev.kelvin.Check;
import dev.kelvin.Cites;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.energy.Timeline;
import java.util.List;
import java.util.Optional;

/** Time as a random variable: noise at the first time, the data at the last, and one model of all. */
@Doc("time as a random variable: noise at the first time, the data at the last, and one model of all")
@Cites("anonymous-time")
public record TimeSettings(
        @Doc("how many times there are, from the noise to the data")
        int count,

        @Doc("the noise at the first time, whose density is known") @Default("{}")
        Reference reference,

        @Doc("whether the network's output for a time is added to those before") @Default("true")
        boolean cumulative,

        @Doc("whether the density at the first time is pinned to the known one, so that all come out normalised")
        @Default("true")
        boolean pinned,

        @Doc("how samples are made") @Default("{}") Annealing annealing) {
    public TimeSettings {
        Check.atLeast("count", count, 2);
    }

    /** The model's columns. */
    Timeline timeline() {
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
    @Doc("how samples are made: chains are led from the noise to the data")
    public record Annealing(
            @Doc("basic: on one time after the other; soft: on all that are left together") @Default("soft")
            Way way,

            @Doc("the kernel's steps on each time") @Default("3")
            int steps,

            @Doc("how many samples of images the figures are taken from at most: annealed chains are long")
            @Default("10000")
            int samples) {
        public Annealing {
            Check.all(() -> Check.atLeast("steps", steps, 1), () -> Check.atLeast("samples", samples, 2));
        }
    }

    /** The densities that chains are led along. */
    public enum Way {
        BASIC,
        SOFT
    }
}

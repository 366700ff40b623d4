package dev.kelvin.recipe;

import dev.kelvin.energy.Timeline;
import dev.kelvin.model.AnnealingSettings;
import dev.kelvin.negative.Start;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import java.util.List;

/** Time as a random variable: noise at the first time, the data at the last, and one model of all. */
@Doc("time as a random variable: noise at the first time, the data at the last, and one model of all")
@Cites("anonymous-time")
public record TimeSettings(
        @Doc("the number of times (noise levels), from the noise to the data")
        int count,

        @Doc("the noise at the first time, whose density is known; a little wider than the data") @Default("{}")
        Start.GaussianStart reference,

        @Doc("whether log p(z, t) is the cumulative sum of the network's outputs up to t") @Default("true")
        boolean cumulative,

        @Doc("whether that sum is divided by the root of the number of times; the paper's is not") @Default("true")
        boolean scaled,

        @Doc(
                "which times' outputs have the reference's log-density added: every; first, which is the paper's; or none, where it is not pinned")
        @Default("every")
        Timeline.Base base,

        @Doc("whether the density at the first time is fixed to the known one, so that all are normalised")
        @Default("true")
        boolean pinned,

        @Doc(
                "how the noise falls from the first time to the last: linear; cosine, which keeps the variance; geometric, by one factor")
        @Default("linear")
        Timeline.Mixing mixing,

        @Doc("how the model is sampled") @Default("{}") AnnealingSettings annealing) {
    public TimeSettings {
        Check.all(() -> Check.atLeast("count", count, 2), () -> Timeline.requireForm(cumulative, scaled, base, pinned));
    }

    /** The model's components. */
    public Timeline timeline() {
        return new Timeline(
                count, reference.mean().orElse(List.of()), reference.std(), cumulative, scaled, base, pinned, mixing);
    }
}

package dev.kelvin.negative;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * What samples that are drawn after training have beside the steps of one chain: several rounds of them, between which images
 * are augmented as those of a replay buffer are in training; and a last move to where the noise of the data is expected to be
 * gone.
 *
 * <p>Rounds: fresh chains take {@code rounds} times as many steps. A model whose chains were augmented whenever they continued
 * knows no others, and its chains reach far images by them (Lee et al. 2023, whose code draws by 10 rounds of an augmentation
 * and 60 steps). Differs from that code: what fresh chains start from is not augmented, as it is not in training here.
 *
 * <p>The last move is Tweedie's formula for data with Gaussian noise of standard deviation σ: E[x₀|x] = x + σ²∇log p(x) = x +
 * σ²∇f(x)/T, T being the chains' temperature (Zhu et al. 2024, appendix A.2). With σ² = hT it is one more Langevin step without
 * noise.
 *
 * @param rounds how many rounds of steps chains take from fresh starts, augmented before all but the first
 * @param augment by what
 * @param denoise σ
 */
@Cites({"lee2023", "zhu2024"})
public record Finish(int rounds, List<Augmentation> augment, OptionalDouble denoise) {
    public Finish {
        List<Augmentation> changes = List.copyOf(augment);
        Check.all(
                () -> Check.atLeast("rounds", rounds, 1),
                () -> Check.require(
                        rounds == 1 || !changes.isEmpty(),
                        "rounds",
                        "need an augmentation between them; without it say how many steps chains take"),
                () -> Check.positive("denoise", denoise));
        augment = changes;
    }

    /** σ, where there is a last move. */
    public Optional<Double> noise() {
        return denoise.isPresent() ? Optional.of(denoise.getAsDouble()) : Optional.empty();
    }

    /** Images of a range as the next round starts from them; others as they are. */
    public Tensor changed(Key key, Tensor x, Optional<PixelRange> range) {
        return range.map(pixels ->
                        new Augmentation.InTurn(augment).within(pixels).apply(key, x))
                .orElse(x);
    }

    /** x + σ²∇f(x)/T, or x itself where nothing is denoised. */
    public Tensor denoised(LogDensity f, Tensor x, double temperature) {
        if (denoise.isEmpty()) {
            return x;
        }
        double sigma = denoise.getAsDouble();
        try (Scope scope = Scope.open()) {
            Tensor gradient = f.gradient(x);
            try (NoGrad noGrad = NoGrad.open()) {
                return scope.keep(x.plus(gradient.times(sigma * sigma / temperature)));
            }
        }
    }

    /** Words that follow the steps of a chain: " in each of 10 rounds, ...". */
    public String words() {
        String inRounds = rounds == 1
                ? ""
                : " in each of " + rounds + " rounds, between which images are augmented: "
                        + augment.stream().map(Augmentation::words).collect(Collectors.joining(", "));
        return inRounds
                + (denoise.isEmpty()
                        ? ""
                        : (rounds == 1 ? "" : ";") + " and a last move of " + Words.number(denoise.getAsDouble())
                                + "²∇f/T, which takes noise away");
    }
}

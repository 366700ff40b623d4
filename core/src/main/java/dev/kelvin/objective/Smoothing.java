package dev.kelvin.objective;

import dev.kelvin.part.Check;
import dev.kelvin.part.Citing;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Shorthand;
import dev.kelvin.part.Words;
import java.util.List;
import java.util.Optional;

/**
 * The smoothing factor α, by which the generative part of a loss is divided beside the label term: loss = generative/α +
 * labels·cross-entropy. The larger it is, the less the samples disturb the classifier. A penalty on f belongs to the
 * generative part; the chains and their temperature know nothing of α: for particles of exp(f/α), give α to the kernel as its
 * temperature.
 *
 * <p>Source: Shah 2024, where f/α stands for f in the generative loss, α = 50, or 5 on small sets; that α should adapt itself
 * is its open question.
 */
@Doc("the smoothing factor α, by which the generative part of the loss is divided; a number alone is constant")
@Shorthand("start")
public record Smoothing(
        @Doc("α; where it is adapted, its initial value") @Default("1")
        double start,

        @Doc(value = "adapts α to keep a ratio between the gradients of both parts", otherwise = "α is constant")
        Optional<Adaptive> adaptive)
        implements Citing {
    /**
     * Keeps ‖generative gradient/α‖ : ‖gradient of the label term‖ at a ratio. Every {@code every} iterations both are computed
     * apart, α* = ‖g_generative‖/(ratio·‖g_labels‖), and log α moves to log α* as an exponential average, at first as a plain
     * one.
     */
    @Doc("adapts α to keep a ratio between the gradients of the generative part and of the cross-entropy")
    public record Adaptive(
            @Doc("the norm of the generative part's gradient, divided by α, over that of the label term's")
            @Default("1")
            double ratio,

            @Doc("iterations between two measurements; each costs one more pass") @Default("10")
            int every,

            @Doc("the decay of the moving average of log α") @Default("0.9")
            double decay) {
        public Adaptive {
            Check.all(
                    () -> Check.positive("ratio", ratio),
                    () -> Check.atLeast("every", every, 1),
                    () -> Check.belowOne("decay", decay));
        }
    }

    public Smoothing {
        Check.positive("start", start);
    }

    /** An α that stays. */
    public static Smoothing of(double alpha) {
        return new Smoothing(alpha, Optional.empty());
    }

    @Override
    public List<String> cites() {
        return start == 1 && adaptive.isEmpty() ? List.of() : List.of("shah2024");
    }

    /** In words that follow an objective's; nothing where α is 1. */
    String words() {
        return adaptive.map(settings -> ", the former divided by an α that keeps its gradient at "
                        + Words.number(settings.ratio) + " times the latter's")
                .orElse(start == 1 ? "" : ", the former divided by α = " + Words.number(start));
    }
}

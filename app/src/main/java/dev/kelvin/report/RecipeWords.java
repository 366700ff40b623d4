package dev.kelvin.report;

import dev.kelvin.recipe.BufferSpec;
import dev.kelvin.recipe.ModelSpec;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.recipe.ObjectiveSpec;
import dev.kelvin.recipe.OptimiserSpec;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.StartSpec;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.stream.Collectors;

/** A recipe, told to somebody who has not read it. */
final class RecipeWords {
    private RecipeWords() {}

    static String model(Recipe recipe) {
        String network = recipe.model() instanceof ModelSpec.Mlp mlp
                ? "a fully connected network with hidden layers of "
                        + mlp.hidden().stream().map(String::valueOf).collect(Collectors.joining(", ")) + " units"
                : "a residual network";
        return "The data is the toy set “" + recipe.data().data().name()
                + "”, fresh samples at every step. The model is " + network
                + " whose one output f(x) is the unnormalised log-density: the higher, the likelier.";
    }

    static String negatives(Recipe recipe) {
        Negatives negatives = recipe.negatives();
        String start = start(negatives.start());
        String memory =
                negatives.buffer().map(RecipeWords::buffer).orElse(" Every draw starts new chains and forgets them.");
        return "Samples of the model come from chains that start at " + start + " and take " + negatives.steps()
                + " steps of " + negatives.kernel().words() + "." + memory;
    }

    static String training(Recipe recipe) {
        return "Training lowers f at those samples and raises it at the data, by " + objective(recipe.objective())
                + ", for "
                + recipe.train().iterations() + " steps with batches of "
                + recipe.train().batch() + " by " + (recipe.optimiser() instanceof OptimiserSpec.Sgd ? "SGD" : "Adam")
                + " at a learning rate of "
                + number(recipe.optimiser().learningRate()) + "."
                + (recipe.train().ema() > 0
                        ? " What is judged is a moving average of the parameters (decay "
                                + number(recipe.train().ema()) + ")."
                        : "");
    }

    private static String start(StartSpec start) {
        if (start instanceof StartSpec.Gaussian gaussian) {
            return "Gaussian noise of standard deviation " + number(gaussian.std());
        }
        if (start instanceof StartSpec.Uniform uniform) {
            return "uniform noise on [" + number(uniform.low()) + ", " + number(uniform.high()) + "]";
        }
        return start instanceof StartSpec.Data data && data.noise() > 0
                ? "samples of the data plus noise of " + number(data.noise())
                : "samples of the data";
    }

    private static String buffer(BufferSpec buffer) {
        String anew = buffer.reinitialise() == 0
                ? "none begins anew."
                : number(100 * buffer.reinitialise()) + " % begin anew each time.";
        return " They live in a replay buffer of " + buffer.size() + " chains and go on from draw to draw; " + anew;
    }

    private static String objective(ObjectiveSpec objective) {
        String name = objective instanceof ObjectiveSpec.Robust robust
                ? "the robust objective with β = " + number(robust.beta()) + ", under which the chains see (1 − β)f"
                : "contrastive divergence";
        return objective.l2() > 0
                ? name + " with a weight of " + number(objective.l2()) + " on the squares of f"
                : name;
    }

    /** Six digits, without trailing zeros. */
    private static String number(double value) {
        return BigDecimal.valueOf(value)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}

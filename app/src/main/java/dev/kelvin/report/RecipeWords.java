package dev.kelvin.report;

import dev.kelvin.recipe.BufferSpec;
import dev.kelvin.recipe.DataSpec;
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
        String what = recipe.data() instanceof DataSpec.Images
                ? "The data are the images of “" + recipe.data().title() + "”, in a new order in every epoch."
                : "The data is the toy set “" + recipe.data().title() + "”, fresh samples at every step.";
        String data = what + " The model is " + network(recipe.model());
        return recipe.time()
                .map(time -> data + " whose outputs are log p(z, t) for " + time.count()
                        + " times, z being the data mixed with ever less noise: at the first time it is Gaussian noise of"
                        + " standard deviation " + number(time.reference().std())
                        + ", whose density is known, at the last the data.")
                .orElse(data + " whose one output f(x) is the unnormalised log-density: the higher, the likelier.");
    }

    private static String network(ModelSpec model) {
        if (model instanceof ModelSpec.Mlp mlp) {
            return "a fully connected network with hidden layers of "
                    + mlp.hidden().stream().map(String::valueOf).collect(Collectors.joining(", ")) + " units";
        }
        if (model instanceof ModelSpec.ShortRun conv) {
            return "a convolutional network that begins with " + conv.filters() + " filters";
        }
        if (model instanceof ModelSpec.WideResnet wide) {
            return "a wide residual network of " + wide.depth() + " layers, " + wide.width() + " times as wide";
        }
        return model instanceof ModelSpec.ImprovedCd
                ? "a network of several towers, each on a smaller image, with self-attention"
                : "a residual network";
    }

    static String negatives(Recipe recipe) {
        Negatives negatives = recipe.negatives();
        if (recipe.time().isPresent()) {
            return "Samples of the model come from chains that start at each batch's own samples, at all times together,"
                    + " and take " + negatives.steps() + " steps of "
                    + negatives.kernel().words()
                    + ", times a factor for each time that is adapted to an acceptance of "
                    + number(recipe.time().get().acceptance()) + ".";
        }
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
        if (objective instanceof ObjectiveSpec.Robust robust) {
            return "the robust objective with β = " + number(robust.beta()) + ", under which the chains see (1 − β)f"
                    + squares(robust.l2());
        }
        return objective instanceof ObjectiveSpec.Contrastive contrastive
                ? "contrastive divergence" + squares(contrastive.l2())
                : overTime(objective);
    }

    private static String squares(double l2) {
        return l2 > 0 ? " with a weight of " + number(l2) + " on the squares of f" : "";
    }

    private static String overTime(ObjectiveSpec objective) {
        return switch (objective.overTime().orElseThrow()) {
            case CD_CE -> "contrastive divergence on p(z) and cross-entropy on p(t|z)";
            case JOINT_CD -> "contrastive divergence on p(z, t), with a time drawn for each sample";
            case CONDITIONAL_CD -> "contrastive divergence on each p(z|t) alone";
            case CROSS_ENTROPY -> "cross-entropy on p(t|z) alone, without any chains";
        };
    }

    /** Six digits, without trailing zeros. */
    private static String number(double value) {
        return BigDecimal.valueOf(value)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}

package dev.kelvin.experiment;

import com.sun.management.OperatingSystemMXBean;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.objective.Integration;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.recipe.Recipe;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What a step of a latent model takes, by the passes through its networks. Where F is a pass of one row, the gradient with
 * respect to the input takes 2F, that with respect to the parameters 3F, and a move taken again with its gradient's own
 * gradient 6F.
 *
 * @param flops floating-point operations
 * @param bytes at the worst moment, beside the parameters
 */
public record LatentCost(double flops, double bytes) {
    private static final double GB = 1e9;
    private static final int FLOAT = 4;
    private static final int INPUT_GRADIENT = 2;
    private static final int WHOLE_GRADIENT = 3;
    private static final int SECOND_ORDER = 6;

    /** Copies of all layers' outputs that live at once, with activations, gradients and buffers: measured on digits-latent. */
    private static final int COPIES = 8;

    /** The same where a gradient is differentiated. */
    private static final int COPIES_OF_SECOND_ORDER = 25;

    /** Of a recipe with latent vectors, for images of this shape. */
    public static LatentCost of(Recipe recipe, LatentSettings settings, List<Long> shape) {
        Generator generator = settings.network(shape);
        boolean paper = settings.integration()
                .filter(by -> by.mode() == Integration.Mode.PAPER)
                .isPresent();
        boolean learns = settings.trainsPrior();
        double batch = (double) recipe.train().batch() * settings.posterior().chains();
        double rows = batch * settings.integration().map(by -> by.count() + 1).orElse(1);
        double steps = settings.posterior().steps();
        double ofPrior = 2.0
                * recipe.model()
                        .shaped(List.of((long) settings.size()), 1)
                        .layout()
                        .trainedCount();
        double ofGenerator = generator.flops();
        double chains = rows * steps * (ofPrior + ofGenerator) * (INPUT_GRADIENT + (paper ? SECOND_ORDER : 0));
        double moved = recipe.sources().stream()
                .mapToDouble(each -> (double) each.count() * each.steps().last())
                .sum();
        double negatives = learns ? moved * ofPrior * INPUT_GRADIENT : 0;
        double learning = rows * ofGenerator * WHOLE_GRADIENT
                + (learns ? (batch + recipe.negativeCount()) * ofPrior * WHOLE_GRADIENT : 0);
        double kept = paper ? rows * steps * settings.size() * FLOAT : 0;
        double bytes = rows * generator.outputs() * FLOAT * (paper ? COPIES_OF_SECOND_ORDER : COPIES) + kept;
        return new LatentCost(chains + negatives + learning, bytes);
    }

    /** Refuses what this machine has no memory for, before it starts. */
    void requireRoom(double memory) {
        Check.require(
                bytes < memory,
                "latent",
                Words.say(
                        "takes about %.1f GB for a step, and this machine has %.1f: lower train.batch, the number of"
                                + " temperatures (integration.count) or the generator's widths",
                        bytes / GB, memory / GB));
    }

    /** Of the machine, or of the container that this runs in. */
    static double memoryOfMachine() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }
}

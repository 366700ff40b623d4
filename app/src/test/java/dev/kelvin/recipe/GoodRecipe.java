package dev.kelvin.recipe;

/** A small recipe without a mistake, for tests to change. */
public final class GoodRecipe {
    public static final String TEXT = """
            name: test
            data: {toy: rings}
            model: {mlp: {hidden: [32, 64]}}
            negatives:
              start: {gaussian: {std: 2}}
              kernel: {langevin: {stepSize: 0.01}}
              steps: 20
            objective: {contrastive: {l2: 0}}
            optimiser: {adam: {learningRate: 1e-4}}
            train: {iterations: 20000, batch: 100}
            """;

    private GoodRecipe() {}
}

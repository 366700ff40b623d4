package dev.kelvin.experiment;

import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.latent.LatentLearner;
import dev.kelvin.yaml.UserException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Images that the generator makes of latent vectors, which are the ends of chains on the prior. */
record LatentSampler(LatentSettings settings, LatentLearner learner, ChainSampler vectors) implements Sampler {
    /** As many images as a generator makes with little memory. */
    private static final int AT_ONCE = 256;

    private ChainRun generated(ChainRun walk) {
        try (Scope scope = Scope.open()) {
            return new ChainRun(scope.keep(learner.generated(walk.x())), walk.accepted(), walk.more());
        }
    }

    @Override
    public ChainRun draw(Key key, int count) {
        return generated(vectors.draw(key, count));
    }

    @Override
    public ChainRun drawFresh(Key key, int count) {
        return generated(vectors.drawFresh(key, count));
    }

    @Override
    public ChainRun drawNegatives(Key key, int count) {
        return generated(vectors.drawNegatives(key, count));
    }

    @Override
    public boolean negativesDiffer() {
        return vectors.negativesDiffer();
    }

    @Override
    public ChainRun drawLong(Key key, Tensor drawn) {
        return generated(vectors.drawLong(key, drawn));
    }

    @Override
    public ChainRun drawGiven(Key key, int steps, long... k) {
        return generated(vectors.drawGiven(key, steps, k));
    }

    @Override
    public Optional<ChainRun> drawWithLargerSteps(Key key, int count, double times) {
        return Optional.empty();
    }

    @Override
    public ChainRun refine(Key key, Tensor x, int steps) {
        throw new UserException("a latent model's chains run on latent vectors, and cannot refine images");
    }

    @Override
    public Tensor seen(Tensor chains) {
        return learner.generated(chains);
    }

    @Override
    public Optional<Tensor> drawWithoutPrior(Key key, int count) {
        try (Scope scope = Scope.open()) {
            Tensor like = learner.averaged().flat();
            Tensor z = Tensors.normal(key, like.dtype(), like.device(), count, settings.size())
                    .timesInPlace(settings.std());
            List<Tensor> images = new ArrayList<>();
            for (int from = 0; from < count; from += AT_ONCE) {
                images.add(learner.generated(z.narrow(0, from, Math.min(AT_ONCE, count - from))));
            }
            return Optional.of(scope.keep(Tensors.concat(0, images)));
        }
    }

    @Override
    public void film(Key key, int count, Frames frames) {
        vectors.film(key, count, (moment, z) -> {
            try (Scope scope = Scope.open()) {
                frames.at(moment, learner.generated(z));
            }
        });
    }
}

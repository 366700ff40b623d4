package dev.kelvin.model;

import dev.kelvin.part.InvalidInputException;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.latent.LatentDensity;

/** Images that the generator makes of latent vectors, which are the ends of chains on the prior. */
record LatentSampler(LatentDensity latent, ChainSampler vectors) implements Sampler {
    @Override
    public ChainRun draw(SampleRequest request) {
        if (request.from() == SampleRequest.From.REFINED) {
            throw new InvalidInputException("a latent model's chains run on latent vectors, and cannot refine images");
        }
        SampleRequest one = request.batch().isEmpty()
                ? request
                : SampleRequest.negatives(request.key().child(request.batch().getAsInt()), request.count());
        try (Scope scope = Scope.open()) {
            ChainRun walk = vectors.draw(one);
            return walk.with(scope.keep(latent.generated(walk.x())));
        }
    }

    @Override
    public Traits traits() {
        Traits own = vectors.traits();
        return new Traits(false, own.negativesDiffer(), own.most(), 1, false);
    }

    @Override
    public int length(int steps) {
        return vectors.length(steps);
    }

    @Override
    public void film(Key key, int count, Frames frames) {
        vectors.film(key, count, (moment, z) -> {
            try (Scope scope = Scope.open()) {
                frames.at(moment, latent.generated(z));
            }
        });
    }
}

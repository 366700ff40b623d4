package dev.kelvin.recipe;

import dev.kelvin.dataset.DataSettings;
import dev.kelvin.negative.GeneratorStart;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Refusals;
import java.util.List;

/** The cross-checks of a batch that is divided into shards: everything divides, and nothing is learnt by one shard alone. */
record ShardRules(
        int shards,
        int batch,
        DataSettings data,
        ModelForm form,
        Negatives negatives,
        List<Negatives.Source> sources,
        Refusals refused) {
    private static final String SHARDS = "train.shards";

    /** Refuses what breaks a rule. */
    void check() {
        divides("train.batch", batch);
        data.labelledBatch().ifPresent(rows -> divides("data.images.labelled.batch", rows));
        sources.forEach(this::checkSource);
        refused.require(
                form.isOfSamples(),
                SHARDS,
                "cannot be combined with latent, whose generator learns from posterior chains of the whole batch at once;"
                        + " leave it out");
    }

    private void divides(String what, int number) {
        refused.require(number % shards == 0, SHARDS, "must divide " + what + ", " + number + ", found " + shards);
    }

    private void checkSource(Negatives.Source each) {
        divides("the number of chains of " + each.at(), each.count());
        each.buffer().ifPresent(buffer -> divides(each.at() + ".buffer.size", buffer.size()));
        refused.require(
                !(each.start() instanceof GeneratorStart),
                SHARDS,
                "cannot be combined with chains that start at a generator's images (" + each.at()
                        + ".start), of which each shard would train one of its own; leave it out");
        boolean first = each.equals(sources.get(0));
        refused.require(
                !each.kernel().traits().interacting() || (first && negatives.sets() % shards == 0),
                SHARDS,
                "cannot divide one set of particles of "
                        + Catalogue.name(each.kernel().getClass())
                        + ", which push each other, as all chains of " + each.at() + " must be in one shard: "
                        + (first ? "let negatives.sets be a multiple of " + shards : "leave it out"));
    }
}

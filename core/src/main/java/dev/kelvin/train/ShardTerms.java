package dev.kelvin.train;

import dev.kelvin.distributed.Shards;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.ChainRequest;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Term;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Further terms of the loss: each is the mean of its values at the shards of the batch. */
record ShardTerms(List<Term> terms, Shards shards, EnergyModel model) {
    private static final int KEYS = 200; // children of a shard's key beyond those that its source takes

    private static final String VALUE = ""; // among a term's parts, none of which has this name

    /** A shard's part of a step. */
    record Share(Key key, Batch positives, DrawnNegatives negatives) {}

    /** What they need of the chains. */
    ChainRequest wanted() {
        return terms.stream().map(Term::wanted).reduce(ChainRequest.NOTHING, ChainRequest::and);
    }

    /** Every term at these parameters; with the same keys whenever it is asked within a step. */
    List<Term.Value> of(List<Share> shares, Parameters parameters) {
        return IntStream.range(0, terms.size())
                .mapToObj(i -> mean(shares.stream()
                        .map(share -> terms.get(i)
                                .of(share.key.child(KEYS + i), model, parameters, share.positives, share.negatives))
                        .toList()))
                .toList();
    }

    private Term.Value mean(List<Term.Value> own) {
        if (!shards.several()) {
            return own.get(0);
        }
        Map<String, Double> means = shards.means(own.stream()
                .map(value -> {
                    Map<String, Double> all = new TreeMap<>(value.parts());
                    all.put(VALUE, value.value());
                    return all;
                })
                .toList());
        Map<String, Double> parts = new TreeMap<>(means);
        parts.remove(VALUE);
        own.forEach(value -> value.gradient().timesInPlace(1.0 / shards.count()));
        Tensor gradient = shards.sum(own.stream().map(Term.Value::gradient).toList());
        return new Term.Value(means.getOrDefault(VALUE, Double.NaN), gradient, parts);
    }

    /** Adds them to the loss and to its gradient. */
    void add(List<Term.Value> values, Tensor gradient, Map<String, Double> report) {
        for (int i = 0; i < values.size(); i++) {
            gradient.addInPlace(values.get(i).gradient());
            report.merge(StepReport.LOSS, values.get(i).value(), Double::sum);
            report.put(terms.get(i).figure(), values.get(i).value());
            report.putAll(values.get(i).parts());
        }
    }
}

package dev.kelvin.train;

import dev.kelvin.distributed.Shards;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.RecordedPullback;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Term;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Learns a table f(x)_k from positives (x, k) and negatives: every system but the latent prior.
 *
 * <p>A step draws negatives under the current parameters, asks the objective for the loss's gradient with respect to f at
 * every sample, adds the label term, pulls that back to the parameters, and moves them. An optimiser that climbs has a second
 * pass over the same samples.
 *
 * <p>The negatives of a step have the components of its positives, so that raising f for one class as a whole, which changes
 * nothing of what is learnt given the class, is not rewarded however often that class occurs.
 *
 * <p>Where the batch is cut into {@link Shards}, each has chains and a memory of its own; the objective is asked about all of them
 * together, and their gradients are added up. A term is the mean of its values at the shards.
 */
public final class EnergyLearner implements Learner {
    // children of a step's key beyond those that the source takes
    private static final int COMPONENTS = 100;
    private static final int SHARDS = 1000;

    /** Below the corner of the negatives, that of the shards beside the first. */
    public static final String SHARD = "shard";

    private static final String NEGATIVES = "negatives";

    private final EnergyModel model;
    private final List<NegativeSource> sources; // of this rank's shards
    private final Shards shards;
    private final Objective objective;
    private final ShardTerms terms;
    private final Settings settings;
    private final Descent descent;
    private final ChainTargets targets;
    private final Recordings<List<Long>, RecordedPullback> passes =
            new Recordings<>("Passes of training", 1, RecordedPullback::close);
    private final Balance balance;

    /** How many negatives a step has, and the temperature T of the chains, which sample exp(f/T). */
    public record Settings(int negatives, double temperature) {}

    /** Takes over the source and the descent, and closes them with itself. */
    public EnergyLearner(
            EnergyModel model,
            NegativeSource source,
            Objective objective,
            List<Term> terms,
            Settings settings,
            Descent descent) {
        this(model, List.of(source), Shards.ONE, objective, terms, settings, descent);
    }

    /** Takes over the sources of this rank's shards and the descent, and closes them with itself. */
    public EnergyLearner(
            EnergyModel model,
            List<NegativeSource> sources,
            Shards shards,
            Objective objective,
            List<Term> terms,
            Settings settings,
            Descent descent) {
        this.model = model;
        this.sources = List.copyOf(sources);
        this.shards = shards;
        this.objective = objective;
        this.terms = new ShardTerms(terms.stream().filter(term -> !term.off()).toList(), shards, model);
        this.settings = settings;
        this.descent = descent;
        this.targets = new ChainTargets(model, descent.parameters());
        this.balance = new Balance(objective.alpha());
    }

    @Override
    public StepReport step(Key key, long step, Batch positives) {
        try (Scope scope = Scope.open()) {
            Parameters parameters = descent.parameters();
            Objective now = objective.at(new Objective.Moment(step, descent.iterations(), settings.temperature));
            List<ShardTerms.Share> shares = shares(key, step, now, positives);
            LossEvaluation pass = new LossEvaluation(
                    key.child(COMPONENTS),
                    model,
                    parameters,
                    now,
                    positives,
                    shares.stream().map(ShardTerms.Share::negatives).toList(),
                    shards,
                    this::table);
            LossAndGradient comparison = compare(pass, step);
            Map<String, Double> report = comparison.report();
            Tensor gradient = comparison.gradient();
            terms.add(terms.of(shares, parameters), gradient, report);
            Tensor climbed = descent.climbed(gradient, () -> climbed(shares, pass, comparison, report));
            if (balance.adapts()) {
                report.put(StepReport.ALPHA, balance.alpha());
            }
            descent.step(climbed, step, report);
            model.advance(parameters, positives.x());
            report.putAll(chains(shares));
            return new StepReport(report);
        }
    }

    /** This rank's shards of a step, with negatives where the objective takes some. */
    private List<ShardTerms.Share> shares(Key key, long step, Objective now, Batch positives) {
        List<ShardTerms.Share> shares = new ArrayList<>();
        List<double[]> found = new ArrayList<>();
        for (int shard : shards.own().toArray()) {
            Key own = shards.several() ? key.child(SHARDS + shard) : key;
            NegativeSource source = sources.get(shares.size());
            Batch up = shards.several() ? positives.part(shard, shards.count()) : positives;
            DrawnNegatives down = now.sampled()
                    ? draw(source, own, step, now, up)
                    : new DrawnNegatives(up.x().narrow(0, 0, 0), new long[0], OptionalDouble.empty());
            shares.add(new ShardTerms.Share(own, up, down));
            found.add(source.found());
        }
        if (shards.several()) {
            settle(shards.gather(found));
        }
        return shares;
    }

    /** The first source stands for all: what they adapt they have in common. */
    private void settle(List<double[]> found) {
        double[] sums = new double[found.get(0).length];
        found.forEach(shard -> Arrays.setAll(sums, i -> sums[i] + shard[i]));
        if (sums.length > 0) {
            sources.get(0).settle(sums);
        }
    }

    /** How the chains of all shards did. */
    private Map<String, Double> chains(List<ShardTerms.Share> shares) {
        return shards.means(shares.stream()
                .map(share -> {
                    Map<String, Double> figures =
                            new TreeMap<>(share.negatives().figures());
                    share.negatives().acceptance().ifPresent(value -> figures.put(StepReport.ACCEPTANCE, value));
                    return figures;
                })
                .toList());
    }

    /**
     * f at every component, [n, K], with the way back to the parameters. On a GPU both are recorded when a batch of the same
     * shape comes a second time, and played from then on.
     */
    private Pullback table(Tensor x) {
        Parameters parameters = descent.parameters();
        if (!x.device().cuda()
                || shards.each() > 1) { // a recording would overwrite what the shard before has to go back on
            return model.pullback(parameters, x);
        }
        List<Long> shape = Arrays.stream(x.shape()).boxed().toList();
        return passes.of(
                        shape,
                        () -> RecordedPullback.of(input -> model.pullback(parameters, input), x, model.components()))
                .map(recorded -> recorded.at(x))
                .orElseGet(() -> model.pullback(parameters, x));
    }

    /** The loss and its gradient; where α is measured now, of both parts apart, and then together at the new α. */
    private LossAndGradient compare(LossEvaluation pass, long step) {
        Objective now = pass.objective();
        if (!balance.measures(step)) {
            return pass.compare(weights(now), Optional.empty());
        }
        LossAndGradient generative = pass.compare(new LossEvaluation.Weights(1, 0), Optional.empty());
        LossAndGradient labels =
                pass.compare(new LossEvaluation.Weights(0, now.labels()), Optional.of(generative.components()));
        balance.measure(generative.gradient(), labels.gradient());
        return labels.plus(generative, 1 / balance.alpha());
    }

    private LossEvaluation.Weights weights(Objective now) {
        return LossEvaluation.Weights.of(now, balance.alpha());
    }

    /** The gradient at the top of a climb, on the same rows; how far the loss has risen goes into the report. */
    private Tensor climbed(
            List<ShardTerms.Share> shares, LossEvaluation pass, LossAndGradient before, Map<String, Double> report) {
        LossAndGradient top = pass.compare(weights(pass.objective()), Optional.of(before.components()));
        double loss = top.loss().value();
        for (Term.Value term : terms.of(shares, descent.parameters())) {
            top.gradient().addInPlace(term.gradient());
            loss += term.value();
        }
        report.put(StepReport.SHARPNESS, loss - report.getOrDefault(StepReport.LOSS, Double.NaN));
        return top.gradient();
    }

    private DrawnNegatives draw(NegativeSource source, Key key, long step, Objective now, Batch positives) {
        return source.draw(key, step, targets.of(now, terms.wanted()), positives, settings.negatives / shards.count());
    }

    /** What moves the parameters. */
    public Descent descent() {
        return descent;
    }

    @Override
    public EnergyModel model() {
        return model;
    }

    @Override
    public Parameters averaged() {
        return descent.averaged();
    }

    @Override
    public void save(State state) {
        descent.save(state);
        balance.save(state.at("alpha"));
        for (int i = 0; i < sources.size(); i++) {
            sources.get(i).save(corner(state, shards.first() + i));
        }
    }

    @Override
    public void load(State state) {
        descent.load(state);
        balance.load(state.at("alpha"));
        for (int i = 0; i < sources.size(); i++) {
            sources.get(i).load(corner(state, shards.first() + i));
        }
    }

    /** The first shard's names are those of a batch that is not cut: whoever samples the model goes on from its chains. */
    private static State corner(State state, int shard) {
        State negatives = state.at(NEGATIVES);
        return shard == 0 ? negatives : negatives.at(SHARD).at(Integer.toString(shard));
    }

    @Override
    public void close() {
        targets.close();
        passes.close();
        sources.forEach(NegativeSource::close);
        descent.close();
    }
}

package dev.kelvin.train;

import dev.kelvin.Catalogue;
import dev.kelvin.Check;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Term;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Learns a table f(x)_k from positives (x, k) and negatives: every system but the latent prior.
 *
 * <p>A step draws negatives under the current parameters, asks the objective for the loss's gradient with respect to f at
 * every sample, adds the label term, pulls that back to the parameters, and moves them.
 *
 * <p>The negatives of a step have the columns of its positives, so that raising f for one class as a whole, which changes
 * nothing of what is learnt given the class, is not rewarded however often that class occurs.
 */
public final class EnergyLearner implements Learner {
    // children of a step's key beyond those that the source takes
    private static final int COLUMNS = 100;
    private static final int TERMS = 200;

    private final EnergyModel model;
    private final NegativeSource source;
    private final Objective objective;
    private final List<Term> terms;
    private final Settings settings;
    private final Descent descent;
    private final ChainTargets targets;

    /** How many negatives a step has, and the temperature T of the chains, which sample exp(f/T). */
    public record Settings(int negatives, double temperature) {
        public Settings {
            Check.atLeast("negatives", negatives, 1);
            Check.positive("temperature", temperature);
        }
    }

    /** Takes over the source and the descent, and closes them with itself. */
    public EnergyLearner(
            EnergyModel model,
            NegativeSource source,
            Objective objective,
            List<Term> terms,
            Settings settings,
            Descent descent) {
        this.model = model;
        this.source = source;
        this.objective = objective;
        this.terms = List.copyOf(terms);
        this.settings = settings;
        this.descent = descent;
        this.targets = new ChainTargets(model, descent.parameters());
    }

    /** Without further terms, at T = 1. */
    public EnergyLearner(
            EnergyModel model, NegativeSource source, Objective objective, int negatives, Descent descent) {
        this(model, source, objective, List.of(), new Settings(negatives, 1), descent);
    }

    @Override
    public StepReport step(Key key, long step, Batch positives) {
        try (Scope scope = Scope.open()) {
            Parameters parameters = descent.parameters();
            Objective now = objective.at(new Objective.Moment(step, descent.iterations(), settings.temperature));
            DrawnNegatives negatives = now.sampled() ? draw(key, step, now, positives) : none(positives);
            Comparison comparison = Comparison.of(key.child(COLUMNS), model, parameters, now, positives, negatives);
            Map<String, Double> report = comparison.report();
            Tensor gradient = comparison.gradient();
            for (int i = 0; i < terms.size(); i++) {
                Term.Value term = terms.get(i).of(key.child(TERMS + i), model, parameters, positives, negatives);
                gradient.addInPlace(term.gradient());
                report.merge(StepReport.LOSS, term.value(), Double::sum);
                report.put(Catalogue.name(terms.get(i).getClass()), term.value());
            }
            descent.step(gradient, step, report);
            model.advance(parameters, positives.x());
            negatives.acceptance().ifPresent(value -> report.put(StepReport.ACCEPTANCE, value));
            return new StepReport(report);
        }
    }

    private DrawnNegatives draw(Key key, long step, Objective now, Batch positives) {
        return source.draw(key, step, targets.of(now), positives, settings.negatives);
    }

    private static DrawnNegatives none(Batch positives) {
        return new DrawnNegatives(positives.x().narrow(0, 0, 0), new long[0], OptionalDouble.empty());
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
        source.save(state.at("negatives"));
    }

    @Override
    public void load(State state) {
        descent.load(state);
        source.load(state.at("negatives"));
    }

    @Override
    public void close() {
        targets.close();
        source.close();
        descent.close();
    }
}

package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.ChainRequest;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.RecordedPullback;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Smoothing;
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

/**
 * Learns a table f(x)_k from positives (x, k) and negatives: every system but the latent prior.
 *
 * <p>A step draws negatives under the current parameters, asks the objective for the loss's gradient with respect to f at
 * every sample, adds the label term, pulls that back to the parameters, and moves them. An optimiser that climbs has a second
 * pass over the same samples.
 *
 * <p>The negatives of a step have the components of its positives, so that raising f for one class as a whole, which changes
 * nothing of what is learnt given the class, is not rewarded however often that class occurs.
 */
public final class EnergyLearner implements Learner {
    // children of a step's key beyond those that the source takes
    private static final int COMPONENTS = 100;
    private static final int TERMS = 200;

    private final EnergyModel model;
    private final NegativeSource source;
    private final Objective objective;
    private final List<Term> terms;
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
        this.model = model;
        this.source = source;
        this.objective = objective;
        this.terms = terms.stream().filter(term -> !term.off()).toList();
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
            DrawnNegatives negatives = now.sampled()
                    ? draw(key, step, now, positives)
                    : new DrawnNegatives(positives.x().narrow(0, 0, 0), new long[0], OptionalDouble.empty());
            LossEvaluation pass = new LossEvaluation(
                    key.child(COMPONENTS), model, parameters, now, positives, negatives, this::table);
            LossAndGradient comparison = compare(pass, step);
            Map<String, Double> report = comparison.report();
            Tensor gradient = comparison.gradient();
            add(terms(key, positives, negatives), gradient, report);
            Tensor climbed = descent.climbed(gradient, () -> climbed(key, pass, comparison, report));
            if (balance.adapts()) {
                report.put(StepReport.ALPHA, balance.alpha());
            }
            descent.step(climbed, step, report);
            model.advance(parameters, positives.x());
            negatives.acceptance().ifPresent(value -> report.put(StepReport.ACCEPTANCE, value));
            report.putAll(negatives.figures());
            return new StepReport(report);
        }
    }

    /**
     * f at every component, [n, K], with the way back to the parameters. On a GPU both are recorded when a batch of the same
     * shape comes a second time, and played from then on.
     */
    private Pullback table(Tensor x) {
        Parameters parameters = descent.parameters();
        if (!x.device().cuda()) {
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
    private Tensor climbed(Key key, LossEvaluation pass, LossAndGradient before, Map<String, Double> report) {
        LossAndGradient top = pass.compare(weights(pass.objective()), Optional.of(before.components()));
        double loss = top.loss().value();
        for (Term.Value term : terms(key, pass.positives(), pass.negatives())) {
            top.gradient().addInPlace(term.gradient());
            loss += term.value();
        }
        report.put(StepReport.SHARPNESS, loss - report.getOrDefault(StepReport.LOSS, Double.NaN));
        return top.gradient();
    }

    /** Every term, where the parameters are now; with the same keys whenever it is asked within a step. */
    private List<Term.Value> terms(Key key, Batch positives, DrawnNegatives negatives) {
        List<Term.Value> values = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            values.add(terms.get(i).of(key.child(TERMS + i), model, descent.parameters(), positives, negatives));
        }
        return values;
    }

    private void add(List<Term.Value> values, Tensor gradient, Map<String, Double> report) {
        for (int i = 0; i < values.size(); i++) {
            gradient.addInPlace(values.get(i).gradient());
            report.merge(StepReport.LOSS, values.get(i).value(), Double::sum);
            report.put(terms.get(i).figure(), values.get(i).value());
            report.putAll(values.get(i).parts());
        }
    }

    private DrawnNegatives draw(Key key, long step, Objective now, Batch positives) {
        ChainRequest wanted = terms.stream().map(Term::wanted).reduce(ChainRequest.NOTHING, ChainRequest::and);
        return source.draw(key, step, targets.of(now, wanted), positives, settings.negatives);
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
        source.save(state.at("negatives"));
    }

    @Override
    public void load(State state) {
        descent.load(state);
        balance.load(state.at("alpha"));
        source.load(state.at("negatives"));
    }

    @Override
    public void close() {
        targets.close();
        passes.close();
        source.close();
        descent.close();
    }

    /** The smoothing factor α as training goes on: {@link Smoothing.Adaptive} moves it, an α that stays has no state. */
    static final class Balance {
        /** log α stays between plus and minus this: at 1e6 one part of the loss is lost in the rounding of the other. */
        private static final double LIMIT = Math.log(1e6);

        private final Smoothing settings;
        private double logAlpha;
        private long measured;

        Balance(Smoothing settings) {
            this.settings = settings;
            this.logAlpha = Math.log(settings.start());
        }

        /** α now: the very number of the settings where it stays. */
        double alpha() {
            return adapts() ? Math.exp(logAlpha) : settings.start();
        }

        boolean adapts() {
            return settings.adaptive().isPresent();
        }

        /** Whether both gradients are wanted apart at this step. */
        boolean measures(long step) {
            return settings.adaptive()
                    .map(adaptive -> step % adaptive.every() == 0)
                    .orElse(false);
        }

        /** Takes in both parts' gradients, the generative one not yet divided. Where one has no length, α stays. */
        void measure(Tensor generative, Tensor labels) {
            Smoothing.Adaptive adaptive = settings.adaptive().orElseThrow();
            double wanted =
                    Math.log(Descent.norm(generative)) - Math.log(Descent.norm(labels)) - Math.log(adaptive.ratio());
            if (!Double.isFinite(wanted)) {
                return;
            }
            double kept = Math.min(adaptive.decay(), measured / (measured + 1.0)); // a young average is a plain one
            logAlpha = Math.max(-LIMIT, Math.min(LIMIT, kept * logAlpha + (1 - kept) * wanted));
            measured++;
        }

        void save(State state) {
            if (adapts()) {
                state.put("log", Double.doubleToLongBits(logAlpha));
                state.put("measured", measured);
            }
        }

        void load(State state) {
            if (adapts()) {
                logAlpha = Double.longBitsToDouble(state.number("log"));
                measured = state.number("measured");
            }
        }
    }
}

package dev.kelvin.train.latent;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.energy.Likelihood;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.Integration;
import dev.kelvin.objective.Loss;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Ladder;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import dev.kelvin.train.Learner;
import dev.kelvin.train.StepReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Learns an energy-based prior of latent vectors and the generator of samples from them.
 *
 * <pre>
 * vanilla    prior: mean f(z⁻) − mean f(z⁺)                generator: −mean log p(x|z⁺)
 * corrected  prior: the same                               generator: −Σ wᵢ mean log p(x|zᵢ), w the trapezoid's weights
 * detached   prior: 0                                      generator: as corrected
 * paper      both: ∇ of −(Σ wᵢEᵢ + η·½Σ[KL − KL]), zᵢ being functions of the parameters through their chains
 * </pre>
 *
 * <p>z⁺ are the ends of chains on the posterior, t = 1, zᵢ on that at the temperature tᵢ, z⁻ on the prior. The prior is
 * learnt by an {@link EnergyLearner}, whose positives are z⁺: any objective, kernel, start and memory of negatives goes. With
 * several chains for each sample (equation 13's N) every mean is over all of them, as if the batch had each sample N times.
 *
 * <p>Source: Raj and Girolami 2024, equations 7, 8 and 22; {@code detached} is what its public code does in effect.
 */
public final class LatentLearner implements Learner {
    /** log p(x) of a batch by thermodynamic integration. */
    public static final String INTEGRATED = "integrated_log_likelihood";

    /** How far g(z) is from x: the mean square a number, at the posterior. */
    public static final String RECONSTRUCTION = "reconstruction";

    /** The quantity of Raj and Girolami 2024: the variance over all parameters of one batch's gradient. */
    public static final String VARIANCE = "gradient_variance";

    public static final String POSTERIOR_ACCEPTANCE = "posterior_acceptance";

    /** How often neighbouring temperatures exchange their chains. */
    public static final String EXCHANGED = "exchange_acceptance";

    private static final String GENERATOR = "generator";

    private final LatentModel model;
    private final EnergyLearner prior;
    private final Descent generator;
    private final PosteriorChains posterior;
    private final Optional<Integration> integration;
    private final PowerChains chains;
    private final Temperatures temperatures;
    private GradientNoise.Spread spread = new GradientNoise.Spread();
    private final List<double[]> seen = new ArrayList<>(); // gradients, while they are kept
    private boolean keeps;

    /** Takes over both, and closes them with itself. */
    public LatentLearner(
            LatentModel model,
            EnergyLearner prior,
            Descent generator,
            PosteriorChains posterior,
            Optional<Integration> integration) {
        this.model = model;
        this.prior = prior;
        this.generator = generator;
        this.posterior = posterior;
        this.integration = integration;
        int every = integration.map(Integration::exchangeEvery).orElse(0);
        chains = new PowerChains(model, prior.descent().parameters(), generator.parameters(), posterior, every);
        temperatures = new Temperatures(integration);
        prior.descent().watch(this::look);
        generator.watch(this::look);
    }

    @Override
    public StepReport step(Key key, long step, Batch positives) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            double[] t = temperatures();
            double[] descending = descending(t);
            Tensor x = PowerChains.repeated(positives.x(), posterior.chains());
            PowerChains.Ends ends = chains.run(keys[0], x, in(Integration.Mode.PAPER), descending);
            spread = new GradientNoise.Spread();
            Map<String, Double> report =
                    in(Integration.Mode.PAPER) ? throughChains(step, x, ends, t) : atEnds(keys[1], step, x, ends, t);
            report.put(VARIANCE, spread.variance());
            ends.acceptance().ifPresent(rate -> report.put(POSTERIOR_ACCEPTANCE, rate));
            ends.exchanged().ifPresent(rate -> report.put(EXCHANGED, rate));
            return new StepReport(report);
        }
    }

    private boolean in(Integration.Mode mode) {
        return integration.filter(by -> by.mode() == mode).isPresent();
    }

    /** The ends as they are: the prior by its learner, the generator by their likelihood. */
    private Map<String, Double> atEnds(Key key, long step, Tensor x, PowerChains.Ends ends, double[] t) {
        int n = (int) x.size(0);
        Parameters beta = generator.parameters();
        Tensor samples = PowerChains.repeated(x, t.length);
        Likelihood likelihood = model.likelihood(beta, samples);
        Pullback images = model.generator().pullback(beta, ends.z());
        Tensor values = likelihood.of(images.output().detach());
        double[] each = integration.map(by -> by.weights(t)).orElseGet(() -> new double[] {1});
        double[] weights = perRow(each, n, -1.0 / n);
        Tensor gradient = ofGenerator(images, likelihood, weights);

        Tensor highest = ends.z().narrow(0, 0, n);
        Map<String, Double> report;
        if (in(Integration.Mode.DETACHED)) {
            report = fAtEnds(0, ends.z(), n);
            prior.descent().stay(step, report);
        } else {
            StepReport learnt = prior.step(key, step, new Batch(highest, new long[n]));
            report = new LinkedHashMap<>(learnt.values());
        }
        describe(report, x, images.output().detach(), values.toDoubles(), t);
        move(
                generator.climbed(
                        gradient, () -> ofGenerator(model.generator().pullback(beta, ends.z()), likelihood, weights)),
                step,
                report);
        model.generator().advance(beta, highest);
        return report;
    }

    /** Of the weighed log-likelihoods of the rows, with respect to the generator's parameters. */
    private static Tensor ofGenerator(Pullback images, Likelihood likelihood, double[] weights) {
        Tensor back = likelihood.back(images.output().detach());
        back.timesInPlace(Tensors.like(back, weights, back.rowShape()));
        return images.gradient().apply(back);
    }

    /** The whole as a function of the parameters, through the chains. */
    private Map<String, Double> throughChains(long step, Tensor x, PowerChains.Ends ends, double[] t) {
        int n = (int) x.size(0);
        Parameters alpha = prior.descent().parameters();
        Parameters live = generator.parameters().live();
        Tensor samples = PowerChains.repeated(x, t.length);
        Tensor z = ends.z().asLeaf();
        Tensor images = model.generator().inTraining(live, z);
        Tensor values = model.likelihood(live, samples).of(images);
        Integration by = integration.orElseThrow();
        double[] weights = perRow(by.weights(t), n, -1.0 / n);
        Tensor loss =
                values.times(Tensors.like(values, weights, weights.length)).sum();
        if (by.eta() > 0) {
            loss = loss.plus(divergences(z, n, t.length), -by.eta());
        }
        double[] likelihoods = values.detach().toDoubles();
        Tensor one = Tensors.full(1, loss.dtype(), loss.device(), loss.shape());
        List<Tensor> direct = Parameters.gradients(loss, one, List.of(z), List.of(live));
        PowerChains.Gradient through = chains.back(ends, x, direct.get(0), descending(t));
        Map<String, Double> report = fAtEnds(loss.item(), ends.z(), n);
        describe(report, x, images.detach(), likelihoods, t);
        prior.descent().step(through.alpha(), step, report);
        prior.model().advance(alpha, ends.z().narrow(0, 0, n));
        move(through.beta().addInPlace(direct.get(1)), step, report);
        model.generator().advance(generator.parameters(), ends.z().narrow(0, 0, n));
        return report;
    }

    /** ½ Σ [KL(pᵢ₋₁‖pᵢ) − KL(pᵢ‖pᵢ₋₁)] of Gaussians with each temperature's means and variances, as a node of the graph. */
    static Tensor divergences(Tensor z, int n, int times) {
        List<Tensor> means = new ArrayList<>();
        List<Tensor> variances = new ArrayList<>();
        for (int i = times - 1; i >= 0; i--) { // rows begin with the highest t
            Tensor rows = z.narrow(0, (long) i * n, n);
            Tensor mean = rows.mean(0L);
            means.add(mean);
            variances.add(rows.minus(mean).square().mean(0L));
        }
        Tensor sum = Tensors.zerosLike(means.get(0));
        for (int i = 1; i < times; i++) {
            Tensor before = variances.get(i - 1);
            Tensor after = variances.get(i);
            Tensor apart = means.get(i).minus(means.get(i - 1)).square();
            // KL(a‖b) = ½[v_a/v_b − 1 + log v_b/v_a + (m_a − m_b)²/v_b] a coordinate
            Tensor forth =
                    before.plus(apart).over(after).plus(after.over(before).log());
            Tensor back = after.plus(apart).over(before).plus(before.over(after).log());
            sum = sum.plus(forth.minus(back).times(0.25));
        }
        return sum.sum();
    }

    private void move(Tensor gradient, long step, Map<String, Double> report) {
        Map<String, Double> own = new LinkedHashMap<>();
        generator.step(gradient, step, own);
        own.forEach((name, value) -> report.put(GENERATOR + "_" + name, value));
    }

    /** The mean of f at the posterior's and at the prior's chains, those of t = 1 and t = 0. */
    private Map<String, Double> fAtEnds(double loss, Tensor z, int n) {
        try (Scope scope = Scope.open()) {
            double[] f = prior.model()
                    .density(prior.descent().parameters())
                    .at(z.detach())
                    .toDoubles();
            return StepReport.values(
                    new Loss(loss, new double[0], new double[0], Map.of()),
                    Arrays.copyOf(f, n),
                    Arrays.copyOfRange(f, f.length - n, f.length));
        }
    }

    /**
     * What is seen of the likelihood, by the trapezoid alone: a divergence of each sample's posteriors takes more chains than
     * training has, and one of the whole batch's moments corrects nothing. Where temperatures are moved, also where they go.
     */
    private void describe(Map<String, Double> report, Tensor x, Tensor images, double[] likelihoods, double[] t) {
        int n = (int) x.size(0);
        try (Scope scope = Scope.open()) {
            report.put(
                    RECONSTRUCTION,
                    images.narrow(0, 0, n).minus(x).square().mean().item());
            if (t.length == 1) {
                return;
            }
            double[] means = new double[t.length];
            Arrays.setAll(means, i -> {
                int from = (t.length - 1 - i) * n;
                return Arrays.stream(likelihoods, from, from + n).average().orElse(Double.NaN);
            });
            report.put(INTEGRATED, new Ladder(t).integral(means));
            temperatures.move(means);
        }
    }

    /** Each temperature's number, for its n rows, times a factor; the highest t first. */
    private static double[] perRow(double[] ascending, int n, double factor) {
        double[] descending = descending(ascending);
        double[] rows = new double[n * ascending.length];
        Arrays.setAll(rows, i -> factor * descending[i / n]);
        return rows;
    }

    private static double[] descending(double[] t) {
        double[] turned = new double[t.length];
        Arrays.setAll(turned, i -> t[t.length - 1 - i]);
        return turned;
    }

    /** The temperatures of now, from 0 to 1; the posterior's alone where nothing is integrated. */
    public double[] temperatures() {
        return temperatures.t();
    }

    /** How a batch's gradient spreads where the parameters are, by draws of these batches and of chains; nothing is learnt. */
    public GradientNoise gradientNoise(Key key, List<Batch> batches) {
        Check.atLeast("batches", batches.size(), 2);
        Descent alpha = prior.descent();
        long last = Math.max(0, alpha.iterations() - 1); // chains and objective as at the end of training
        GradientNoise.Sums sums =
                new GradientNoise.Sums(alpha.parameters().flat().count()
                        + generator.parameters().flat().count());
        try (Scope scope = Scope.open()) {
            State now = State.empty();
            save(now);
            Map<String, Tensor> copies = new LinkedHashMap<>();
            now.tensors().forEach((name, tensor) -> copies.put(name, tensor.copy()));
            State before = State.of(copies, Map.copyOf(now.numbers()));
            alpha.hold(true);
            generator.hold(true);
            try {
                for (int i = 0; i < batches.size(); i++) {
                    seen.clear();
                    keeps = true;
                    double variance =
                            step(key.child(i), last, batches.get(i)).values().getOrDefault(VARIANCE, Double.NaN);
                    sums.add(variance, seen);
                }
            } finally {
                keeps = false;
                seen.clear();
                alpha.hold(false);
                generator.hold(false);
                load(before); // chains in a replay buffer have walked on, and temperatures may have moved
            }
        }
        return sums.noise();
    }

    private void look(Tensor gradient) {
        spread.add(gradient);
        if (keeps) {
            seen.add(gradient.toDoubles());
        }
    }

    /** The model: prior, generator and noise. */
    public LatentModel latent() {
        return model;
    }

    /** The model as it stands, with the parameters that are judged. */
    public LatentDensity density() {
        return new LatentDensity(model, prior::averaged, generator::averaged, posterior);
    }

    @Override
    public EnergyModel model() {
        return prior.model();
    }

    @Override
    public Parameters averaged() {
        return prior.averaged();
    }

    @Override
    public void save(State state) {
        prior.save(state);
        generator.save(state.at(GENERATOR));
        temperatures.save(state);
    }

    @Override
    public void load(State state) {
        prior.load(state);
        generator.load(state.at(GENERATOR));
        temperatures.load(state);
    }

    @Override
    public void close() {
        chains.close();
        prior.close();
        generator.close();
        temperatures.close();
    }
}

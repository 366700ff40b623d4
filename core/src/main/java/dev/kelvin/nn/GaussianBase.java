package dev.kelvin.nn;

import dev.kelvin.part.Check;
import dev.kelvin.part.Named;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.SymmetricEigen;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Another network's outputs plus the log-density of a Gaussian, the base measure: f(x)_k = g(x)_k + log N(x; m, Σ), so that
 * exp f has a tail and a normaliser whatever the network says, and g has only to learn what is not Gaussian.
 *
 * <pre>
 * u = (x − m)W,  WWᵀ = Σ⁻¹,  log N = c − ½‖u‖²,  ∇ log N = −uWᵀ,  c = ½ log det WᵀW − (d/2) log 2π
 * </pre>
 *
 * <p>m, W and c are not trained, and are {@link #fit}ted once before the first step. Σ is full, or diagonal.
 *
 * @param size d, how many numbers a sample has
 */
@Named("based")
public record GaussianBase(Network inner, int size, boolean full) implements WrappedNetwork {
    private static final double LOG_2PI = Math.log(2 * Math.PI);

    private static final String MEAN = "base.mean";
    private static final String WHITENING = "base.whitening";
    private static final String CONSTANT = "base.constant";

    public GaussianBase {
        Check.atLeast("size", size, 1);
    }

    @Override
    public Layout layout() {
        Long[] matrix = full ? new Long[] {(long) size, (long) size} : new Long[] {(long) size};
        return inner.layout()
                .and(new Layout.Builder()
                        .addState(MEAN, Initialisation.zeros(), (long) size)
                        .addState(WHITENING, Initialisation.zeros(), matrix)
                        .addState(CONSTANT, Initialisation.zeros(), 1L)
                        .build());
    }

    @Override
    public GaussianBase shaped(List<Long> shape, int outputs) {
        return new GaussianBase(inner.shaped(shape, outputs), Mlp.inputs(shape), full);
    }

    @Override
    public Network given(long... labels) {
        return new GaussianBase(inner.given(labels), size, full);
    }

    /** The base stays as precise as it is, in whatever numbers the network computes. */
    @Override
    public Parameters frozen(Parameters parameters) {
        Parameters frozen = inner.frozen(parameters);
        return frozen == parameters
                ? parameters
                : frozen.with(Map.of(
                        MEAN, parameters.get(MEAN),
                        WHITENING, parameters.get(WHITENING),
                        CONSTANT, parameters.get(CONSTANT)));
    }

    @Override
    public Tensor around(Forward network, Parameters parameters, Tensor input) {
        return network.of(parameters, input).plus(logBase(parameters, whitened(parameters, input)));
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor input) {
        Pullback outputs = inner.pullback(parameters, input);
        Tensor base = logBase(parameters, whitened(parameters, input.detach()));
        return new Pullback(
                outputs.output().plus(base),
                weights -> padded(outputs.gradient().apply(weights)));
    }

    /** 0 for the base, which is last, where a network knows its gradient in closed form and so only its own. */
    private Tensor padded(Tensor gradient) {
        long missing = layout().count() - gradient.count();
        return missing == 0
                ? gradient
                : Tensors.concat(0, gradient, Tensors.zeros(gradient.dtype(), gradient.device(), missing));
    }

    @Override
    public Pullback inputPullback(Parameters parameters, Tensor input) {
        Pullback outputs = inner.inputPullback(parameters, input);
        try (NoGrad noGrad = NoGrad.open()) {
            Tensor u = whitened(parameters, input);
            return new Pullback(outputs.output().plus(logBase(parameters, u)), weights -> {
                Tensor total = weights.sum(1L).unsqueeze(1);
                return withBase(parameters, outputs.gradient().apply(weights), u.times(total));
            });
        }
    }

    /** u = (x − m)W, [n, ...] -> [n, d]. */
    private Tensor whitened(Parameters parameters, Tensor x) {
        Tensor flat = x.dim() == 2 ? x : x.flattenSamples();
        if (flat.size(1) != size) {
            throw new IllegalArgumentException(
                    "the base is one of " + size + " numbers a sample, and the samples are " + x);
        }
        Tensor centred = flat.minus(in(flat, parameters.get(MEAN)));
        Tensor whitening = in(flat, parameters.get(WHITENING));
        return full ? centred.matmul(whitening) : centred.times(whitening);
    }

    /** c − ½‖u‖², [n, 1]. */
    private static Tensor logBase(Parameters parameters, Tensor u) {
        return u.square()
                .sum(1L)
                .times(-0.5)
                .plus(in(u, parameters.get(CONSTANT)))
                .unsqueeze(1);
    }

    /** A gradient with respect to x less uWᵀ. */
    private Tensor withBase(Parameters parameters, Tensor gradient, Tensor u) {
        Tensor whitening = in(u, parameters.get(WHITENING));
        Tensor back = full ? u.matmul(whitening.transpose()) : u.times(whitening);
        return gradient.minus(gradient.dim() == 2 ? back : back.reshape(gradient.shape()));
    }

    private static Tensor in(Tensor x, Tensor parameter) {
        return parameter.dtype() == x.dtype() ? parameter : parameter.to(x.dtype());
    }

    /** Fits the base, in place, to samples [n, ...]; no eigenvalue of Σ is below this share of their mean. */
    public void fit(Parameters parameters, Tensor samples, double floor) {
        Check.atLeast("samples", samples.size(0), 2);
        Check.positive("floor", floor);
        try (Scope scope = Scope.open()) {
            Tensor x = samples.detach().to(Device.CPU).to(DType.DOUBLE).flattenSamples();
            Tensor mean = x.mean(0L);
            Tensor centred = x.minus(mean);
            double n = x.size(0) - 1.0;
            Tensor directions = Tensors.eye(1, DType.DOUBLE);
            double[] variances;
            if (full) {
                SymmetricEigen eigen =
                        SymmetricEigen.of(centred.transpose().matmul(centred).over(n));
                directions = eigen.vectors();
                variances = eigen.values().toDoubles();
            } else {
                variances = centred.square().sum(0L).over(n).toDoubles();
            }
            double average = Arrays.stream(variances).average().orElse(0);
            double least = floor * (average > 0 ? average : 1);
            double[] scales = Arrays.stream(variances)
                    .map(variance -> 1 / Math.sqrt(Math.max(variance, least)))
                    .toArray();
            double logDeterminant = Arrays.stream(scales).map(Math::log).sum();
            Tensor scale = Tensors.of(scales, full ? new long[] {1, size} : new long[] {size});
            put(parameters, MEAN, mean);
            put(parameters, WHITENING, full ? directions.times(scale) : scale);
            put(parameters, CONSTANT, Tensors.of(new double[] {logDeterminant - 0.5 * size * LOG_2PI}, 1));
        }
    }

    private static void put(Parameters parameters, String name, Tensor values) {
        Tensor to = parameters.get(name);
        to.copyInPlace(values.to(to.dtype()).to(to.device()));
    }

    /** m of these parameters. */
    public double[] mean(Parameters parameters) {
        return parameters.get(MEAN).toDoubles();
    }

    /** Σ of these parameters: each column of W is an eigenvector over the root of its eigenvalue. */
    public double[][] covariance(Parameters parameters) {
        double[] w = parameters.get(WHITENING).toDoubles();
        double[][] covariance = new double[size][size];
        for (int k = 0; k < size; k++) {
            if (!full) {
                covariance[k][k] = 1 / (w[k] * w[k]);
                continue;
            }
            double squares = 0; // 1/eigenvalue
            for (int i = 0; i < size; i++) {
                squares += w[i * size + k] * w[i * size + k];
            }
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    covariance[i][j] += w[i * size + k] * w[j * size + k] / (squares * squares);
                }
            }
        }
        return covariance;
    }
}

package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** MALA with one fault: what the tests of {@link Mala} must be able to tell from it. */
record BrokenMala(double h, Fault fault) implements Posing<Evaluated> {
    enum Fault {
        /** Every proposal is taken. */
        NO_ACCEPT_STEP,
        /** The proposal's mean in the ratio is x − h∇f(x). */
        WRONG_SIGN_IN_RATIO,
        /** Proposals have the noise √h, the ratio supposes √(2h). */
        WRONG_NOISE,
        /** Proposals go along the clipped gradient, the ratio supposes the gradient itself. */
        NO_CLIP_IN_RATIO,
        /** The ratio of f alone, as if the proposal were symmetric. */
        NO_PROPOSAL_RATIO
    }

    static final double CLIP = 0.5;

    @Override
    public Evaluated start(LogDensity target, Tensor x) {
        return Mala.of(h).start(target, x);
    }

    @Override
    public Transition<Evaluated> step(Key key, LogDensity target, Evaluated from) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            double sigma = Math.sqrt(fault == Fault.WRONG_NOISE ? h : 2 * h);
            Tensor y = Tensors.normalLike(keys[0], sigma, from.x())
                    .plus(from.x())
                    .plus(drift(from).times(h));
            Evaluated to = start(target, y);
            Tensor uniform = Tensors.uniform(
                    keys[1], 0, 1, y.dtype(), y.device(), from.value().shape());
            Tensor accepted = uniform.log().lessThan(logAcceptance(from, to));
            return new Transition<>(
                    new Evaluated(
                            scope.keep(to.x().where(accepted.unsqueeze(1), from.x())),
                            scope.keep(to.value().where(accepted, from.value())),
                            scope.keep(to.gradient().where(accepted.unsqueeze(1), from.gradient()))),
                    StepInfo.UNADJUSTED);
        }
    }

    private Tensor drift(Evaluated from) {
        return fault == Fault.NO_CLIP_IN_RATIO ? from.gradient().clamp(-CLIP, CLIP) : from.gradient();
    }

    private Tensor logAcceptance(Evaluated from, Evaluated to) {
        Tensor ratio = to.value().minus(from.value());
        return switch (fault) {
            case NO_ACCEPT_STEP -> Tensors.zerosLike(ratio).plus(1);
            case NO_PROPOSAL_RATIO -> ratio;
            case WRONG_SIGN_IN_RATIO ->
                ratio.plus(logProposal(from.x(), to, -h)).minus(logProposal(to.x(), from, -h));
            case WRONG_NOISE, NO_CLIP_IN_RATIO ->
                ratio.plus(logProposal(from.x(), to, h)).minus(logProposal(to.x(), from, h));
        };
    }

    private Tensor logProposal(Tensor to, Evaluated from, double drift) {
        return to.minus(from.x())
                .minus(from.gradient().times(drift))
                .square()
                .sumPerSample()
                .over(-4 * h);
    }
}

package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Map;

/** HMC with one fault: what the tests of {@link Hmc} must be able to tell from it. */
record BrokenHmc(Hmc hmc, Fault fault) implements Posing<Evaluated> {
    enum Fault {
        /** Every trajectory's end is taken. */
        NO_ACCEPT_STEP,
        /** Momenta are drawn a fifth too great. */
        WRONG_MOMENTUM,
        /** Trajectories that gain energy are preferred. */
        WRONG_SIGN
    }

    @Override
    public Evaluated start(LogDensity target, Tensor x) {
        return hmc.start(target, x);
    }

    @Override
    public Transition<Evaluated> step(Key key, LogDensity target, Evaluated from) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            double std = fault == Fault.WRONG_MOMENTUM ? 1.2 : 1;
            Leapfrog.Phase start = new Leapfrog.Phase(from, Tensors.normalLike(keys[0], std, from.x()));
            Leapfrog flow = new Leapfrog(target, Metric.of(hmc.scales(), from.x()));
            Leapfrog.Phase end = flow.run(start, hmc.leaps(), hmc.stepSize());
            double[] before = start.energy();
            double[] log = end.energy();
            for (int i = 0; i < log.length; i++) {
                double gain = log[i] - before[i];
                log[i] = switch (fault) {
                    case NO_ACCEPT_STEP -> 0;
                    case WRONG_MOMENTUM -> -gain;
                    case WRONG_SIGN -> gain;
                };
            }
            return from.metropolis(scope, keys[1], end.at(), log, Map.of());
        }
    }
}

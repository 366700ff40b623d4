package dev.kelvin.nn;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/** A user's own network: f(x)_k = −steepness · ‖x − centre_k‖². */
@Doc("the squared distance to learned centres")
record Bowl(
        @Given("1") int inputs,

        @Given("1") int outputs,

        @Doc("of the walls") @Default("0.5") double steepness) implements Network {
    Bowl {
        Check.all(
                () -> Check.atLeast("inputs", inputs, 1),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.positive("steepness", steepness));
    }

    @Override
    public Layout layout() {
        return new Layout.Builder()
                .add("centre", Initialisation.zeros(), (long) outputs, (long) inputs)
                .build();
    }

    @Override
    public Bowl shaped(List<Long> shape, int outputs) {
        return new Bowl(Math.toIntExact(shape.get(0)), outputs, steepness);
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            Tensor away = input.unsqueeze(1).minus(parameters.get("centre")); // [n, outputs, inputs]
            return scope.keep(away.square().sum(2L).times(-steepness));
        }
    }
}

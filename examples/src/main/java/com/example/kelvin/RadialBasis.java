package com.example.kelvin;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/**
 * Radial basis functions under a Gaussian envelope: bumps whose places and heights are learnt. For points of a few dimensions.
 *
 * <p>f(x)_k = Σⱼ w_kj exp(−‖x − cⱼ‖²/2s²) − ‖x‖²/2e², s = width, e = envelope. Away from all bumps the envelope is left, so
 * that exp(f) has an integral.
 */
@Doc("radial basis functions under a Gaussian envelope, for points")
public record RadialBasis(
        @Given("2") int inputs,

        @Given("1") int outputs,

        @Doc("the number of bumps") @Default("64") int centres,

        @Doc("s, the standard deviation of a bump") @Default("0.5")
        double width,

        @Doc("e, the standard deviation of the envelope; wider than the data")
        double envelope)
        implements Network {
    public RadialBasis {
        Check.all(
                () -> Check.atLeast("centres", centres, 1),
                () -> Check.positive("width", width),
                () -> Check.positive("envelope", envelope));
    }

    /** The data decide how many inputs there are, and the components how many outputs. */
    @Override
    public RadialBasis shaped(List<Long> shape, int outputs) {
        int numbers = Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact));
        return new RadialBasis(numbers, outputs, centres, width, envelope);
    }

    @Override
    public Layout layout() {
        return new Layout.Builder()
                .add("centres", new Initialisation.Normal(envelope / 2), (long) centres, (long) inputs)
                .add("heights", Initialisation.zeros(), (long) outputs, (long) centres)
                .build();
    }

    /** [n, inputs] → [n, outputs]; the gradients follow by automatic differentiation. */
    @Override
    public Tensor apply(Parameters parameters, Tensor x) {
        Tensor c = parameters.get("centres");
        Tensor norms = x.square().sum(1L).unsqueeze(1); // [n, 1]
        Tensor squares = norms.plus(c.square().sum(1L)).plus(x.matmul(c.transpose()), -2); // ‖x − c‖², [n, centres]
        Tensor bumps = squares.times(-0.5 / (width * width)).exp();
        return bumps.matmul(parameters.get("heights").transpose()).plus(norms, -0.5 / (envelope * envelope));
    }

    @Override
    public String words() {
        return centres + " radial basis functions of width " + width + " under a Gaussian envelope";
    }
}

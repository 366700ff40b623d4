package dev.kelvin.negative;

import dev.kelvin.nn.conv.ResidualGenerator;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import dev.kelvin.tensor.Device;
import java.util.List;
import java.util.Optional;

/**
 * Images G(z), z ~ N(0, I), of a generator that is trained beside the model by mean ‖G(z) − x‖², x being where the chain that began
 * at G(z) has ended: cooperative learning. Choose it where chains from noise take too many steps.
 *
 * <p>Source: Xie et al. 2018; with a replay buffer, whose slots keep their z, Hill et al. 2022. Differs from theirs: a chain
 * that is reinitialised takes the slot that the buffer's eviction chooses, not that of the chain in whose place it was drawn.
 */
@Doc("images of a generator that is trained beside the model towards where chains end (cooperative learning)")
@Named("generator")
@Cites({"xie2018", "hill2022"})
public record GeneratorStart(
        @Doc("the dimension of its latent vectors z ~ N(0, I)") @Default("128")
        int latent,

        @Doc("residual blocks from a latent vector to an image in (−1, 1), each of which doubles it") @Default("{}")
        ResidualGenerator network,

        @Doc(value = "the optimiser of the generator's parameters", otherwise = "as the model's")
        Optional<Optimiser> optimiser)
        implements Start {
    public GeneratorStart {
        Check.atLeast("latent", latent, 1);
    }

    /** The generator of images of this shape. */
    public ResidualGenerator network(List<Long> shape) {
        return network.of(latent, shape);
    }

    /** Its draws take parameters, which a run trains and a model is saved with. */
    @Override
    public SampleSource draws(List<Long> shape, SampleSource data, Device device) {
        throw new IllegalArgumentException(
                "a start at a generator's images takes a recipe, which trains the generator: kelvin train");
    }

    @Override
    public boolean usesData() {
        return false;
    }

    @Override
    public String words() {
        return "images that a generator makes of " + latent
                + " latent variables, trained beside the model on where the chains end,";
    }
}

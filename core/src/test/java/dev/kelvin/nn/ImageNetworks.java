package dev.kelvin.nn;

import dev.kelvin.nn.conv.Generator;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ImprovedCd;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.PreactResnet;
import dev.kelvin.nn.conv.ResidualGenerator;
import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.Sngan;
import dev.kelvin.nn.conv.Stem;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.stream.Stream;

/** Small networks of every kind, for the tests that all of them must pass. */
final class ImageNetworks {
    static final int CHANNELS = 2;
    static final int OUTPUTS = 3;
    static final int LATENT = 5;

    private ImageNetworks() {}

    /** Every network for images of this size, with this activation where it has the choice. */
    static Stream<Network> of(int size, Activation activation) {
        double slope = 0.2;
        return Stream.concat(
                Stream.of(Norm.values()).map(norm -> new WideResnet(CHANNELS, size, 10, 1, norm, OUTPUTS, slope)),
                Stream.of(
                        new ShortRun(CHANNELS, size, 3, OUTPUTS, activation, slope),
                        new Igebm(CHANNELS, size, List.of(3, 4), OUTPUTS, slope, false),
                        new ImprovedCd(CHANNELS, size, 4, 2, List.of(2, 1), OUTPUTS),
                        new ClassGains(new Igebm(CHANNELS, size, List.of(3, 4), 1, slope, true), OUTPUTS),
                        new ClassGains(new ImprovedCd(CHANNELS, size, 4, 2, List.of(2, 1), 1), OUTPUTS),
                        new PreactResnet(CHANNELS, size, List.of(3, 4), 2, false, 5, OUTPUTS, activation, slope, 1.5),
                        new PreactResnet(CHANNELS, size, List.of(3), 1, true, 5, OUTPUTS, activation, slope, 1),
                        new Resnet(CHANNELS, size, List.of(3, 4), 2, OUTPUTS, activation, slope),
                        new Resnet(CHANNELS, size, List.of(3, 4), 1, OUTPUTS, activation, slope, Stem.IMAGENET),
                        new Sngan(CHANNELS, size, List.of(3, 4, 4), 2, OUTPUTS, activation, slope),
                        new Generator(LATENT, List.of(4, 3), CHANNELS, size, activation, slope),
                        new ResidualGenerator(LATENT, List.of(4, 3), CHANNELS, size, Norm.NONE, activation, slope),
                        new ResidualGenerator(LATENT, List.of(3, 4), CHANNELS, size, Norm.BATCH, activation, slope)));
    }

    /** Whether it is a generator, which takes latent vectors. */
    static boolean makesImages(Network network) {
        return network instanceof Generator || network instanceof ResidualGenerator;
    }

    /** Images, or latent vectors for a generator. */
    static Tensor input(Network network, int size, int count, DType type) {
        Key key = Key.of(2);
        return makesImages(network)
                ? Tensors.normal(key, type, Device.CPU, count, LATENT)
                : Tensors.normal(key, type, Device.CPU, count, CHANNELS, size, size);
    }

    /** Fresh parameters, moved away from starts at zero, where gradients vanish. */
    static Parameters parameters(Network network, DType type) {
        Parameters parameters = network.layout().init(Key.of(1), type);
        try (Tensor noise = Tensors.normalLike(Key.of(4), 0.1, parameters.flat())) {
            parameters.flat().addInPlace(noise);
        }
        return parameters;
    }
}

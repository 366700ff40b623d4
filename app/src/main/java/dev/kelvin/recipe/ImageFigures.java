package dev.kelvin.recipe;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** By which features, and of how many images, models of images are judged. */
@Doc("what FID, KID and Inception score are measured with")
public record ImageFigures(
        @Doc(
                value =
                        "a file of a pretrained network whose features are compared: .safetensors of a ResNet for CIFAR-10, or TorchScript",
                otherwise = "Kelvin trains a small classifier of the set")
        Optional<String> features,

        @Doc(
                "images of each kind in the evaluation, at most: fresh chains, chains of the replay buffer, samples of a fitted Gaussian, held-out images")
        @Default("" + SAMPLES)
        int samples,

        @Doc("chains that are measured in training (judgeEvery), at most") @Default("" + CHAINS)
        int chains) {
    private static final int SAMPLES = 10_000;
    private static final int CHAINS = 1000;

    /** What recipes have that do not say. */
    public static final ImageFigures DEFAULT = new ImageFigures(Optional.empty(), SAMPLES, CHAINS);

    public ImageFigures {
        Check.all(
                () -> features.ifPresent(file -> Check.require(!file.isBlank(), "features", "must name a file")),
                () -> Check.atLeast("samples", samples, 2), // a covariance takes two
                () -> Check.atLeast("chains", chains, 2));
    }

    /** The file of a pretrained network, where there is one. */
    public Optional<Path> file() {
        return features.map(Path::of);
    }

    /** With what a user asks for instead, where he does. */
    public ImageFigures with(Optional<Path> file, OptionalInt number) {
        return new ImageFigures(file.map(Path::toString).or(() -> features), number.orElse(samples), chains);
    }

    /** With a file that is found from any folder. */
    ImageFigures located() {
        return with(file().map(path -> path.toAbsolutePath().normalize()), OptionalInt.empty());
    }
}

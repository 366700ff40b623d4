package dev.kelvin.metric.image;

import dev.kelvin.io.Sha256;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.ScriptModule;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A user's own network as {@link Features}, from a TorchScript file. Its methods {@code features} and {@code logits} are
 * called with the images as they are; where there is no {@code features}, {@code forward} is. The name is the file's, with
 * the start of its SHA-256.
 *
 * <p>The Inception graph that published FIDs are by, {@code inception-2015-12-05.pt} of StyleGAN2-ADA, is known by its
 * argument {@code return_features}. It takes bytes in three channels and scales them itself: images in [0, 1] are made into
 * that. Its classes are without the output's bias, as in the Inception score's own code.
 */
public final class ScriptFeatures implements Features {
    /** Hexadecimal digits: 64 bits tell files apart. */
    private static final int DIGITS = 16;

    private static final String FEATURES = "return_features";

    private final ScriptModule module;
    private final String name;
    private final boolean inception;

    private ScriptFeatures(ScriptModule module, String name) {
        this.module = module;
        this.name = name;
        this.inception = module.takes(FEATURES);
    }

    /** Loads the file; images are given on this device. */
    public static ScriptFeatures load(Path file, Device device) throws IOException {
        ScriptModule module = ScriptModule.load(file, device);
        try {
            return new ScriptFeatures(
                    module, file.getFileName() + " sha256:" + Sha256.of(file).substring(0, DIGITS));
        } catch (IOException e) {
            module.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Tensor features(Tensor images) {
        return inception
                ? rows("forward", bytes(images), FEATURES)
                : rows(module.has("features") ? "features" : "forward", images);
    }

    @Override
    public boolean classifies() {
        return inception || module.has("logits");
    }

    @Override
    public boolean ofPublishedFigures() {
        return inception;
    }

    /** Two passes: a script has a method for each. */
    @Override
    public Outputs outputs(Tensor images) {
        return new Outputs(features(images), classifies() ? Optional.of(logits(images)) : Optional.empty());
    }

    private Tensor logits(Tensor images) {
        if (!inception) {
            return rows("logits", images);
        }
        try (Scope scope = Scope.open()) {
            return scope.keep(rows("forward", bytes(images), "no_output_bias").log());
        }
    }

    private static Tensor bytes(Tensor images) {
        try (Scope scope = Scope.open()) {
            Tensor bytes =
                    images.times(255).addNumberInPlace(0.5).clampInPlace(0, 255).to(DType.BYTE);
            return scope.keep(bytes.size(1) == 1 ? Tensors.concat(1, bytes, bytes, bytes) : bytes);
        }
    }

    private Tensor rows(String method, Tensor images, String... set) {
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor found = module.call(method, images, set);
            if (found.dim() < 1 || found.size(0) != images.size(0)) {
                throw new InvalidInputException(
                        name + ": " + method + " returned " + found + " for " + images + "; expected a row an image");
            }
            return scope.keep(found.flattenSamples());
        }
    }

    @Override
    public void close() {
        module.close();
    }
}

package dev.kelvin.judge;

import dev.kelvin.data.format.ClassNames;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.image.Features;
import dev.kelvin.metric.image.ResnetFeatures;
import dev.kelvin.metric.image.ScriptFeatures;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Features of a network that comes in a file: a ResNet for CIFAR-10 in a safetensors file, or any network as TorchScript.
 * Nothing is trained, so that figures are the same in every run. Where the ResNet's classes are the data's, it says how
 * often samples are of the class that was asked for.
 */
record PretrainedFeatures(ResnetFeatures network, ImageDataset data) implements Features {
    private static final String SAFETENSORS = ".safetensors";
    private static final int BATCH = 250;

    /** Those of a file. */
    static Features load(Path file, ImageDataset data) throws IOException {
        check(file, data);
        return isResnet(file)
                ? new PretrainedFeatures(ResnetFeatures.load(file, data.device()), data)
                : ScriptFeatures.load(file, data.device());
    }

    /** Refuses a file that is not there, or whose network does not take the data's images. */
    static void check(Path file, ImageDataset data) {
        if (!Files.exists(file)) {
            throw new UserException(
                    file
                            + ": there is no such file of features; name another by --features FILE or by train.figures.features");
        }
        ImageSet set = data.train();
        if (isResnet(file)
                && (set.channels() != ResnetFeatures.CHANNELS
                        || set.height() != ResnetFeatures.SIZE
                        || set.width() != ResnetFeatures.SIZE)) {
            throw new UserException(file + " is for colour images of 32x32 pixels; those of " + set.name() + " are "
                    + set.height() + "x" + set.width() + " with " + set.channels()
                    + (set.channels() == 1 ? " channel" : " channels")
                    + ". Leave it out to compare features of Kelvin's own classifier.");
        }
    }

    private static boolean isResnet(Path file) {
        return file.toString().endsWith(SAFETENSORS);
    }

    @Override
    public String name() {
        return network.name();
    }

    @Override
    public boolean classifies() {
        return true;
    }

    @Override
    public boolean classifiesAsTheData() {
        return network.classes() == ClassNames.CIFAR_10.size() && data.classes().equals(ClassNames.CIFAR_10);
    }

    @Override
    public Optional<Calibration.Report> judged() {
        if (!classifiesAsTheData()) {
            return Optional.empty();
        }
        ImageSet test = data.test();
        Calibration calibration = new Calibration(network.classes());
        for (int from = 0; from < test.count(); from += BATCH) {
            long[] rows = ImageDataset.range(from, Math.min(test.count(), from + BATCH));
            addBatch(calibration, test, rows);
        }
        return Optional.of(calibration.report());
    }

    private void addBatch(Calibration calibration, ImageSet test, long... rows) {
        try (Scope scope = Scope.open()) {
            Tensor logits = outputs(test.images(rows)).logits().orElseThrow();
            calibration.add(
                    logits.to(Device.CPU), Arrays.stream(rows).map(test::label).toArray());
        }
    }

    @Override
    public Outputs outputs(Tensor images) {
        return network.outputs(images);
    }

    @Override
    public void close() {
        network.close();
    }
}

package dev.kelvin.judge;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.Build;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.image.Features;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.conv.FeatureNet;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.OptimiserState;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A classifier of a labelled set, trained once with the library's own parts and kept in a file: its last but one layer
 * gives the features that FID and KID compare, its classes those of the Inception score. Figures by different
 * classifiers can't be compared, so its title goes with each.
 */
public record Classifier(FeatureNet network, Parameters parameters, String name, ImageSet heldOut, Device device)
        implements Features {
    private static final int FILTERS = 32;
    private static final int FEATURES = 64;
    private static final double SLOPE = 0.2;
    private static final int EPOCHS = 20;
    private static final int MOST_STEPS = 5000; // as many as 16 000 images have: a larger set needs fewer epochs
    private static final int BATCH = 64;
    private static final double LEARNING_RATE = 1e-3;
    private static final double NOISE = 0.05; // of images in [0, 1]: samples of a model are never quite clean
    private static final Adam ADAM = Adam.of(LEARNING_RATE);

    private static final String PARAMETERS = "parameters";

    /** By file, so that of several runs in this process one trains a missing classifier and the others wait for it. */
    private static final Map<Path, Object> LOCKS = new ConcurrentHashMap<>();

    /** Where the runs in a folder look for a set's. */
    public static Path file(Path runs, ImageSet set) {
        return runs.resolve("features").resolve(set.name().replaceAll("[^A-Za-z0-9_-]+", "-") + ".safetensors");
    }

    /** The data's, shared by the runs in a folder: read from its file or, if there is none yet, trained and written. */
    public static Classifier of(Path runs, ImageDataset data, WorkListener listener) throws IOException {
        return of(runs, data.train(), data.test(), data.device(), listener);
    }

    /** Of two labelled sets. */
    static Classifier of(Path runs, ImageSet train, ImageSet test, Device device, WorkListener listener)
            throws IOException {
        Path file = file(runs, train);
        synchronized (LOCKS.computeIfAbsent(file.toAbsolutePath().normalize(), path -> new Object())) {
            Optional<Classifier> known = Files.exists(file) ? read(file, train, test, device) : Optional.empty();
            return known.isPresent() ? known.get() : train(file, train, test, device, listener);
        }
    }

    private static FeatureNet network(ImageSet set) {
        return new FeatureNet(
                new ShortRun(set.channels(), set.height(), FILTERS, FEATURES, Activation.LEAKY_RELU, SLOPE),
                set.classes().size());
    }

    /** The file's, if it was trained on these very images. */
    private static Optional<Classifier> read(Path file, ImageSet train, ImageSet test, Device device)
            throws IOException {
        try (Scope scope = Scope.open()) {
            FeatureNet network = network(train);
            Safetensors.Contents contents = Safetensors.read(file);
            Tensor flat = contents.tensors().get(PARAMETERS);
            if (flat == null
                    || flat.count() != network.layout().count()
                    || !ImageDataset.hash(train).equals(contents.metadata().get("dataHash"))) {
                return Optional.empty();
            }
            Parameters parameters = new Parameters(network.layout(), flat.to(device));
            String title = contents.metadata().getOrDefault("title", "a classifier");
            return Optional.of(new Classifier(network, parameters, title, test, device));
        }
    }

    /** Trains one, and writes it with where it comes from. */
    public static Classifier train(Path file, ImageSet train, ImageSet test, Device device, WorkListener listener)
            throws IOException {
        FeatureNet network = network(train);
        Parameters parameters;
        try (Parameters onCpu = network.layout().init(Key.of(0), DType.FLOAT)) {
            parameters = onCpu.to(device);
        }
        fit(network, parameters, train, device, listener);
        double accuracy = judged(network, parameters, test, device).accuracy();
        String title = Words.say(
                "%d features of a classifier of %s (%.1f %% of %d held-out images right)",
                FEATURES, train.name(), 100 * accuracy, test.count());
        Map<String, String> metadata = new LinkedHashMap<>(Build.facts());
        metadata.put("title", title);
        metadata.put("dataHash", ImageDataset.hash(train));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Safetensors.write(file, Map.of(PARAMETERS, parameters.flat()), metadata);
        return new Classifier(network, parameters, title, test, device);
    }

    private static void fit(
            FeatureNet network, Parameters parameters, ImageSet train, Device device, WorkListener listener) {
        int steps = Math.min(MOST_STEPS, EPOCHS * Math.max(1, train.count() / BATCH));
        try (OptimiserState adam = ADAM.start(parameters.flat())) {
            for (int step = 0; step < steps; step++) {
                listener.at("training the feature classifier, step", step, steps);
                try (Scope scope = Scope.open()) {
                    Key[] keys = Key.of(1).child(step).split(2);
                    long[] drawn =
                            keys[0].stream().longs(BATCH, 0, train.count()).toArray();
                    Tensor images = train.images(drawn).to(device);
                    images.addInPlace(Tensors.normalLike(keys[1], NOISE, images));
                    Pullback logits = network.pullback(parameters, images);
                    Tensor gradient = logits.gradient().apply(gradient(logits.output(), train, drawn));
                    adam.step(parameters.flat(), gradient, LEARNING_RATE * Math.min(1, 2.0 * (steps - step) / steps));
                }
            }
        }
    }

    /** Of the mean cross-entropy with respect to the logits: (softmax − one-hot)/n. */
    private static Tensor gradient(Tensor logits, ImageSet set, long[] drawn) {
        int classes = (int) logits.size(1);
        double[] gradient = logits.detach().softmax(1).toDoubles();
        for (int i = 0; i < drawn.length; i++) {
            gradient[i * classes + set.label(drawn[i])] -= 1;
        }
        return Tensors.like(
                logits, Arrays.stream(gradient).map(g -> g / drawn.length).toArray(), logits.shape());
    }

    private static Calibration.Report judged(FeatureNet network, Parameters parameters, ImageSet test, Device device) {
        Calibration calibration = new Calibration(network.classes());
        for (int from = 0; from < test.count(); from += BATCH) {
            try (Scope scope = Scope.open();
                    NoGrad noGrad = NoGrad.open()) {
                long[] rows = ImageDataset.range(from, Math.min(test.count(), from + BATCH));
                calibration.add(
                        network.apply(parameters, test.images(rows).to(device)).to(Device.CPU),
                        Arrays.stream(rows).map(test::label).toArray());
            }
        }
        return calibration.report();
    }

    /** How often it is right on the held-out images, and how well it is calibrated. */
    @Override
    public Optional<Calibration.Report> judged() {
        return Optional.of(judged(network, parameters, heldOut, device));
    }

    @Override
    public boolean classifiesAsTheData() {
        return true;
    }

    @Override
    public boolean classifies() {
        return true;
    }

    /** Of images in [0, 1]; on the CPU, because figures of merit are computed there in double. */
    @Override
    public Outputs outputs(Tensor images) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor features = network.features(parameters, images);
            Tensor logits = network.logits(parameters, features);
            return new Outputs(scope.keep(features.to(Device.CPU)), Optional.of(scope.keep(logits.to(Device.CPU))));
        }
    }

    @Override
    public void close() {
        parameters.close();
    }
}

package dev.kelvin.dataset;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.model.SampleKind;
import dev.kelvin.negative.ClassGaussians;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Cholesky;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Safetensors;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The Gaussians of an image set's classes, or of all its images, in a file, so that they are fitted once: the mean of each and
 * the Cholesky factor of its covariance, of images in [0, 1]. The data's hash is in the file's name and in the file.
 */
public record GaussianFile(Path file, String hash) {
    /** Added to variances, as in JEM++ (1e-4 in [−1, 1]): pixels may never change, and be more than images. */
    private static final double RIDGE = 1e-4 / 4;

    private static final int BATCH = 500;
    private static final int HASH_SHOWN = 16;

    private static final String MEANS = "means";
    private static final String FACTORS = "factors";
    private static final String COUNTS = "counts";
    private static final String DATA_HASH = "dataHash";

    /** Where runs look for a set's. */
    public static Path path(String set, String hash, boolean byClass) {
        String name = set.replaceAll("[^A-Za-z0-9_-]+", "-");
        return Path.of(
                "runs",
                "gaussians",
                name + "-" + hash.substring(0, Math.min(HASH_SHOWN, hash.length())) + (byClass ? "-classes" : "")
                        + ".safetensors");
    }

    /** Whether they were fitted before. */
    public boolean isThere() {
        return Files.exists(file);
    }

    /** Draws of Gaussians that were fitted before, of this many classes or of all images, as a model sees them. */
    public SampleSource draws(SampleKind.Images images, int classes, Device device) {
        Supplier<ImageSet> none = () -> {
            throw new UserException(file + " is damaged; remove it and begin again");
        };
        ClassGaussians gaussians = of(images.shape(), classes, none, device);
        return seen(gaussians, unit -> images.units().toModel(unit.to(device)));
    }

    /** Draws as a model sees them. */
    static SampleSource seen(ClassGaussians gaussians, UnaryOperator<Tensor> units) {
        return SampleSource.of(
                (key, count) -> kept(() -> units.apply(gaussians.draw(key, count))),
                (key, k) -> kept(() -> units.apply(gaussians.drawGiven(key, k))));
    }

    private static Tensor kept(Supplier<Tensor> draws) {
        try (Scope scope = Scope.open()) {
            return scope.keep(draws.get());
        }
    }

    /** The file's; where there is none, or it is damaged or of other images, new ones, which are written to it. */
    ClassGaussians of(List<Long> shape, int classes, Supplier<ImageSet> set, Device device) {
        synchronized (GaussianFile.class) { // of two runs at once, one fits and the other reads
            try (Scope scope = Scope.open()) {
                Map<String, Tensor> tensors = read(shape, classes);
                if (tensors.isEmpty()) {
                    tensors = fitted(set.get(), classes);
                    Map<String, String> metadata = new LinkedHashMap<>(Map.of(DATA_HASH, hash));
                    metadata.putAll(Build.facts());
                    Files.createDirectories(file.toAbsolutePath().getParent());
                    Safetensors.write(file, tensors, metadata);
                }
                long[] counts = tensor(tensors, COUNTS).toLongs();
                return new ClassGaussians(tensor(tensors, MEANS), tensor(tensors, FACTORS), counts, shape, device);
            } catch (IOException e) {
                throw new UserException("the Gaussians of the data can't be kept in " + file + ": " + e.getMessage());
            }
        }
    }

    private static Tensor tensor(Map<String, Tensor> tensors, String name) {
        return Objects.requireNonNull(tensors.get(name));
    }

    /** What the file has; nothing where it is not there, damaged, or of other images. */
    private Map<String, Tensor> read(List<Long> shape, int classes) throws IOException {
        if (!isThere()) {
            return Map.of();
        }
        try {
            Safetensors.Contents contents = Safetensors.read(file);
            long d = shape.stream().reduce(1L, Math::multiplyExact);
            Map<String, Tensor> tensors = contents.tensors();
            boolean fits = hash.equals(contents.metadata().get(DATA_HASH))
                    && fits(tensors, MEANS, DType.FLOAT, classes, d)
                    && fits(tensors, FACTORS, DType.FLOAT, classes, d, d)
                    && fits(tensors, COUNTS, DType.LONG, classes)
                    && tensor(tensors, FACTORS).allFinite();
            return fits ? tensors : Map.of();
        } catch (UnreadableFileException e) {
            return Map.of();
        }
    }

    private static boolean fits(Map<String, Tensor> tensors, String name, DType type, long... shape) {
        Tensor found = tensors.get(name);
        return found != null && found.dtype() == type && Arrays.equals(found.shape(), shape);
    }

    /** Of the images of one class after the other, or of all of them. */
    private static Map<String, Tensor> fitted(ImageSet set, int classes) {
        int d = Math.multiplyExact(Math.multiplyExact(set.channels(), set.height()), set.width());
        Tensor means = Tensors.zeros(DType.FLOAT, Device.CPU, classes, d);
        Tensor factors = Tensors.zeros(DType.FLOAT, Device.CPU, classes, d, d);
        long[] counts = new long[classes];
        for (int k = 0; k < classes; k++) {
            int wanted = k;
            long[] numbers = IntStream.range(0, set.count())
                    .filter(i -> classes == 1 || set.label(i) == wanted)
                    .mapToLong(i -> i)
                    .toArray();
            if (numbers.length == 0) {
                throw new UserException("no training image of " + set.name() + " is of the class "
                        + set.classes().get(k) + ", so that there is nothing to fit its Gaussian to");
            }
            counts[k] = numbers.length;
            try (Scope scope = Scope.open();
                    Moments moments = ImageDataset.moments(set, BATCH, numbers)) {
                means.select(0, k).copyInPlace(moments.mean());
                factors.select(0, k).copyInPlace(factor(moments, d));
            }
        }
        return Map.of(MEANS, means, FACTORS, factors, COUNTS, Tensors.of(counts));
    }

    /** L with LLᵀ = Σ + ridge; Σ = 0 for a single image. */
    private static Tensor factor(Moments moments, int d) {
        Tensor covariance = moments.count() > 1 ? moments.covariance() : Tensors.zeros(DType.DOUBLE, Device.CPU, d, d);
        covariance.diagonal().addNumberInPlace(RIDGE);
        return Cholesky.checked(covariance);
    }
}

package dev.kelvin.metric.image;

import dev.kelvin.io.Sha256;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Safetensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * He et al.'s residual network for CIFAR-10 as {@link Features}, with pretrained weights from a safetensors file: choose
 * it where figures must be the same in every run, since nothing is trained. Names and shapes are those of
 * akamaster/pytorch_resnet_cifar10; how many blocks a stage has, and so the depth (20, 32, 44, 56, 110), is read from them.
 *
 * <p>3×3 convolution to 16 channels, batch norm, ReLU; three stages of blocks with 16, 32 and 64 channels, x ←
 * ReLU(N(W₂ReLU(N(W₁x))) + Sx), where S, in the first blocks of the second and third stage, takes every second pixel and
 * pads the channels with zeros, half before and half after (option A); the mean over all pixels, which are the features; a
 * linear layer, which gives the logits. Images are normalised with ImageNet's mean and deviation. Batch norm takes the file's
 * running mean and variance, and lies in the convolution before it.
 *
 * <p>Source: He, Zhang, Ren and Sun 2016, section 4.2.
 */
public final class ResnetFeatures implements Features {
    /** Pixels a side of the images that it was trained on; it takes no others. */
    public static final int SIZE = 32;

    /** Channels of these images. */
    public static final int CHANNELS = 3;

    private static final double EPSILON = 1e-5; // of batch norm
    private static final int STAGES = 3;
    private static final int KERNEL = 3;
    private static final double[] MEAN = {0.485, 0.456, 0.406};
    private static final double[] DEVIATION = {0.229, 0.224, 0.225};

    /** Hexadecimal digits of a file's hash: 64 bits tell files apart. */
    private static final int DIGITS = 16;

    /** What DataParallel writes before each name. */
    private static final String PREFIX = "module.";

    private static final String BATCHES = ".num_batches_tracked";
    private static final int NAMED = 3; // missing or additional tensors in a message

    private final Map<String, Folded> convolutions;
    private final Tensor linear; // [features, classes]
    private final Tensor bias;
    private final int[] blocks;
    private final Device device;
    private final String name;

    /** A convolution and the batch norm behind it. */
    private record Folded(Tensor weight, Tensor bias) {}

    private ResnetFeatures(Safetensors.Contents weights, int[] blocks, Device device, String hash) {
        this.blocks = blocks;
        this.device = device;
        this.convolutions = new LinkedHashMap<>();
        layout(weights.tensors(), blocks).keySet().stream()
                .filter(key -> key.contains("conv"))
                .forEach(key -> {
                    String convolution = key.substring(0, key.length() - ".weight".length());
                    convolutions.put(convolution, folded(weights, convolution, device));
                });
        this.linear = kept(weights.tensor("linear.weight").to(DType.DOUBLE).transpose(), device);
        this.bias = kept(weights.tensor("linear.bias").to(DType.DOUBLE), device);
        this.name = bias.size(0) + "-class ResNet-" + depth() + " with " + linear.size(0) + " features, " + hash;
    }

    /**
     * Loads the file; images are given on this device.
     *
     * @throws UnreadableFileException if its names or shapes are another network's, with those that are missing
     */
    public static ResnetFeatures load(Path file, Device device) throws IOException {
        String hash = file.getFileName() + " sha256:" + Sha256.of(file).substring(0, DIGITS);
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Map<String, Tensor> weights = new LinkedHashMap<>();
            Safetensors.read(file).tensors().forEach((key, tensor) -> {
                if (!key.endsWith(BATCHES)) {
                    weights.put(key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key, tensor);
                }
            });
            int[] blocks = new int[STAGES];
            for (int stage = 0; stage < STAGES; stage++) {
                while (weights.containsKey(block(stage, blocks[stage]) + ".conv1.weight")) {
                    blocks[stage]++;
                }
            }
            check(file, weights, blocks);
            return new ResnetFeatures(new Safetensors.Contents(weights, Map.of()), blocks, device, hash);
        }
    }

    private static String block(int stage, int block) {
        return "layer" + (stage + 1) + "." + block;
    }

    /** The names and shapes of the network with these many blocks; its widths are the first convolution's, doubled. */
    private static Map<String, long[]> layout(Map<String, Tensor> weights, int... blocks) {
        long width = width(weights, "conv1.weight");
        Map<String, long[]> layout = new LinkedHashMap<>();
        addConvolution(layout, "", 1, CHANNELS, width);
        long from = width;
        for (int stage = 0; stage < STAGES; stage++) {
            long to = width << stage;
            for (int block = 0; block < Math.max(1, blocks[stage]); block++) {
                addConvolution(layout, block(stage, block) + ".", 1, from, to);
                addConvolution(layout, block(stage, block) + ".", 2, to, to);
                from = to;
            }
        }
        long classes = width(weights, "linear.bias");
        layout.put("linear.weight", new long[] {classes, from});
        layout.put("linear.bias", new long[] {classes});
        return layout;
    }

    private static long width(Map<String, Tensor> weights, String key) {
        Tensor tensor = weights.get(key);
        return tensor == null || tensor.dim() == 0 ? 0 : tensor.size(0);
    }

    private static void addConvolution(Map<String, long[]> layout, String prefix, int number, long from, long to) {
        layout.put(prefix + "conv" + number + ".weight", new long[] {to, from, KERNEL, KERNEL});
        for (String each : List.of("weight", "bias", "running_mean", "running_var")) {
            layout.put(prefix + "bn" + number + "." + each, new long[] {to});
        }
    }

    private static void check(Path file, Map<String, Tensor> weights, int... blocks) throws IOException {
        Map<String, long[]> layout = layout(weights, blocks);
        List<String> missing = new ArrayList<>(layout.keySet());
        missing.removeAll(weights.keySet());
        List<String> more = new ArrayList<>(weights.keySet());
        more.removeAll(layout.keySet());
        if (!missing.isEmpty() || !more.isEmpty()) {
            throw new UnreadableFileException(
                    file,
                    "has not the tensors of a ResNet for CIFAR-10 (names as in akamaster/pytorch_resnet_cifar10): "
                            + named("missing", missing)
                            + (missing.isEmpty() || more.isEmpty() ? "" : "; ")
                            + named("not known", more));
        }
        if (width(weights, "conv1.weight") % 2 != 0) { // half of a block's new channels lie before the old ones
            throw new UnreadableFileException(file, "conv1.weight has an odd number of channels");
        }
        for (Map.Entry<String, Tensor> each : weights.entrySet()) {
            long[] found = each.getValue().shape();
            long[] right = layout.getOrDefault(each.getKey(), found);
            if (!Arrays.equals(found, right)) {
                throw new UnreadableFileException(
                        file,
                        each.getKey() + " has the shape " + Arrays.toString(found) + "; a ResNet for CIFAR-10 has "
                                + Arrays.toString(right) + " there");
            }
        }
    }

    private static String named(String what, List<String> names) {
        return names.isEmpty()
                ? ""
                : what + " " + String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
                        + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "");
    }

    /** N(Wx) = γ(Wx − μ)/√(v + ε) + β as one convolution with a bias, computed in double. */
    private static Folded folded(Safetensors.Contents weights, String convolution, Device device) {
        String norm = convolution.replace("conv", "bn");
        Tensor weight = weights.tensor(convolution + ".weight").to(DType.DOUBLE);
        Tensor scale = weights.tensor(norm + ".weight")
                .to(DType.DOUBLE)
                .over(weights.tensor(norm + ".running_var")
                        .to(DType.DOUBLE)
                        .plus(EPSILON)
                        .sqrt());
        Tensor shift = weights.tensor(norm + ".running_mean").to(DType.DOUBLE).times(scale);
        return new Folded(
                kept(weight.times(scale.reshape(scale.size(0), 1, 1, 1)), device),
                kept(weights.tensor(norm + ".bias").to(DType.DOUBLE).minus(shift), device));
    }

    private static Tensor kept(Tensor tensor, Device device) {
        return Scope.detach(tensor.to(DType.FLOAT).to(device).copy());
    }

    /** Layers with weights. */
    private int depth() {
        return 2 + 2 * Arrays.stream(blocks).sum();
    }

    /** How many classes it tells apart. */
    public int classes() {
        return (int) bias.size(0);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean classifies() {
        return true;
    }

    /** Of images [n, 3, 32, 32] in [0, 1]. */
    @Override
    public Outputs outputs(Tensor images) {
        if (images.dim() != 4 || images.size(1) != CHANNELS || images.size(2) != SIZE || images.size(3) != SIZE) {
            throw new InvalidInputException(name + " takes images [n, 3, 32, 32] in [0, 1]; found " + images);
        }
        return Backend.repeatably(() -> of(images));
    }

    private Outputs of(Tensor images) {
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            Tensor h = first(images);
            for (int stage = 0; stage < STAGES; stage++) {
                for (int block = 0; block < blocks[stage]; block++) {
                    Tensor x = h;
                    h = block(block(stage, block), x, stage > 0 && block == 0);
                    x.close();
                }
            }
            Tensor features = h.mean(2L, 3L);
            Tensor logits = features.affine(linear, bias);
            return new Outputs(scope.keep(features), Optional.of(scope.keep(logits)));
        }
    }

    private Tensor first(Tensor images) {
        try (Scope scope = Scope.open()) {
            Tensor x = images.to(device).to(DType.FLOAT);
            Tensor mean = Tensors.like(x, MEAN, 1, CHANNELS, 1, 1);
            Tensor deviation = Tensors.like(x, DEVIATION, 1, CHANNELS, 1, 1);
            return scope.keep(
                    convolved("conv1", x.minus(mean).over(deviation), 1).relu());
        }
    }

    private Tensor block(String block, Tensor x, boolean halves) {
        try (Scope scope = Scope.open()) {
            Tensor inner = convolved(block + ".conv1", x, halves ? 2 : 1).relu();
            Tensor branch = convolved(block + ".conv2", inner, 1);
            return scope.keep(branch.plus(halves ? everySecondPixel(x) : x).relu());
        }
    }

    private Tensor convolved(String convolution, Tensor x, int stride) {
        Folded folded = Objects.requireNonNull(convolutions.get(convolution));
        return x.conv2d(folded.weight, folded.bias, stride, 1);
    }

    /** Half the size, twice the channels: the new ones are 0, half of them before the old ones and half after. */
    private static Tensor everySecondPixel(Tensor x) {
        long n = x.size(0);
        long channels = x.size(1);
        long half = x.size(2) / 2;
        Tensor picked = x.reshape(n, channels, half, 2, half, 2).select(5, 0).select(3, 0); // even columns of even rows
        Tensor zeros = Tensors.zeros(x.dtype(), x.device(), n, channels / 2, half, half);
        return Tensors.concat(1, zeros, picked, zeros);
    }

    @Override
    public void close() {
        convolutions.values().forEach(each -> {
            each.weight.close();
            each.bias.close();
        });
        linear.close();
        bias.close();
    }
}

package dev.kelvin.nn.conv;

import dev.kelvin.nn.ClassGains;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Modulated;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The network of improved contrastive divergence: towers see the image at full, half and quarter size, and their energies
 * are summed.
 *
 * <p>A tower is a 3×3 convolution to {@code filters} channels and φ, then {@code pairs} of blocks, a number for each
 * tower; then φ, the mean over all pixels, and a linear layer. A block is
 *
 * <pre>x ← x + φ(N₂(W₂φ(N₁(W₁x + b₁)) + b₂))</pre>
 *
 * with 3×3 convolutions whose weights are standardised (for each output (W − mean)/deviation, Qiao et al. 2019) and group
 * norms. The second block of a pair ends with x ← φ(pool(Dx + d)), D a 3×3 convolution that doubles the channels except in
 * the first pair. The full tower has {@link SelfAttention} after its second pair. With 4, 3 and 2 pairs sizes of 8 pixels or
 * more fit.
 *
 * <p>Source: Du et al. 2021 and its public code, with φ = silu and 32 groups. Differs from the public code: a block
 * has the skip that its name promises; norms are group norms throughout; pools are of 2×2 pixels, there of 3×3. The
 * conditional form is {@link ClassGains}.
 */
@Doc("improved contrastive divergence's network of several towers, each on a smaller image, with self-attention")
@Cites({"du2021", "wu2018", "qiao2019", "zhang2019"})
public record ImprovedCd(
        @Given("1") int channels,

        @Given("1024") int size,

        @Doc("the channels of the first layer") @Default("64")
        int filters,

        @Doc("the groups of its norms") @Default("32") int groups,

        @Doc("pairs of blocks of each tower, the full image's first") @Default("[4, 3, 2]")
        List<Integer> pairs,

        @Given("1") int outputs)
        implements Modulated, ImageNetwork<ImprovedCd> {
    private static final double EPSILON = 1e-5; // of the group norms, PyTorch's
    private static final double SMALLEST_VARIANCE = 1e-10; // of weights; those of a fresh network have 1e-4

    public ImprovedCd {
        List<Integer> copy = List.copyOf(pairs);
        Check.all(
                () -> Check.atLeast("filters", filters, 1),
                () -> Check.atLeast("groups", groups, 1),
                () -> Check.require(
                        groups < 1 || filters % groups == 0,
                        "groups",
                        "must divide filters, which is " + filters + ", found " + groups),
                () -> Check.notEmpty("pairs", copy),
                () -> Check.eachAtLeast("pairs", copy, 1),
                () -> Check.atLeast("outputs", outputs, 1));
        Check.atLeast("pairs.0", copy.get(0), 2); // attention follows the second
        for (int tower = 0; tower < copy.size(); tower++) {
            ImageNetwork.check(channels, size, tower + copy.get(tower) - 1);
        }
        pairs = copy;
    }

    @Override
    public ImprovedCd shaped(int channels, int size, int outputs) {
        return new ImprovedCd(channels, size, filters, groups, pairs, outputs);
    }

    @Override
    public String words() {
        return "a network of several towers, each on a smaller image, with self-attention";
    }

    /** A convolution with standardised weights, and its norm. */
    private record Layer(Convolution convolution, int groups) {
        static Layer of(String name, int width, int groups) {
            return new Layer(Convolution.small(name, width, width), groups);
        }

        void addTo(Layout.Builder builder) {
            convolution.addTo(builder);
            builder.add(norm("weight"), new Initialisation.Constant(1), (long) convolution.outputs())
                    .add(norm("bias"), Initialisation.zeros(), (long) convolution.outputs());
        }

        Tensor apply(Parameters parameters, Tensor x, Modulation modulation) {
            Tensor weights = parameters.has(ready()) ? parameters.get(ready()) : standardised(parameters);
            Tensor gain = parameters.get(norm("weight"));
            Tensor shift = parameters.get(norm("bias"));
            Tensor normed = convolution.apply(parameters, weights, x).groupNorm(groups, gain, shift, EPSILON);
            return modulation.of(convolution.name(), normed);
        }

        Tensor standardised(Parameters parameters) {
            Tensor weights = parameters.get(convolution.weight());
            try (Scope scope = Scope.open()) {
                Tensor rows = weights.reshape(weights.size(0), -1);
                Tensor centred = rows.minus(rows.mean(1L).unsqueeze(1));
                Tensor variance = centred.square().mean(1L).unsqueeze(1);
                return scope.keep(
                        centred.over(variance.plus(SMALLEST_VARIANCE).sqrt()).reshape(weights.shape()));
            }
        }

        String ready() {
            return convolution.weight() + ".standardised";
        }

        private String norm(String what) {
            return convolution.name() + ".norm." + what;
        }
    }

    private record Block(Layer first, Layer second) {
        static Block of(String name, int width, int groups) {
            return new Block(Layer.of(name + ".first", width, groups), Layer.of(name + ".second", width, groups));
        }

        List<Layer> layers() {
            return List.of(first, second);
        }

        Tensor apply(Parameters parameters, Tensor x, Modulation modulation) {
            return Scope.kept(() -> {
                Tensor inner = first.apply(parameters, x, modulation).silu();
                return second.apply(parameters, inner, modulation).silu().plus(x);
            });
        }
    }

    /** Two blocks of one width and what halves the image after them. */
    private record Pair(String name, int width, int outputs, int groups) {
        List<Block> blocks() {
            return List.of(Block.of(name + ".block0", width, groups), Block.of(name + ".block1", width, groups));
        }

        Convolution halving() {
            return Convolution.small(name + ".halving", width, outputs);
        }

        void addTo(Layout.Builder builder) {
            blocks().forEach(block -> block.layers().forEach(layer -> layer.addTo(builder)));
            halving().addTo(builder);
        }

        Tensor apply(Parameters parameters, Tensor x, Modulation modulation) {
            try (Scope scope = Scope.open()) {
                Tensor h = x;
                for (Block block : blocks()) {
                    h = block.apply(parameters, h, modulation);
                }
                return scope.keep(halving().apply(parameters, h).averagePool2().silu());
            }
        }
    }

    private Convolution in(int tower) {
        return Convolution.small(name(tower) + ".in", channels, filters);
    }

    private List<Pair> pairsOf(int tower) {
        List<Pair> all = new ArrayList<>();
        int width = filters;
        for (int pair = 0; pair < pairs.get(tower); pair++) {
            int to = pair == 0 ? width : 2 * width;
            all.add(new Pair(name(tower) + ".pair" + pair, width, to, groups));
            width = to;
        }
        return all;
    }

    /** In the full tower, after the second pair. */
    private SelfAttention attention() {
        return new SelfAttention(name(0) + ".attention", 2 * filters);
    }

    private int features(int tower) {
        return filters << (pairs.get(tower) - 1);
    }

    private static String name(int tower) {
        return "tower" + tower;
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder();
        for (int tower = 0; tower < pairs.size(); tower++) {
            in(tower).addTo(builder);
            pairsOf(tower).forEach(pair -> pair.addTo(builder));
            builder.linear(name(tower) + ".out", features(tower), outputs);
        }
        attention().addTo(builder);
        return builder.build();
    }

    @Override
    public Map<String, Integer> modulatedLayers() {
        Map<String, Integer> channels = new LinkedHashMap<>();
        layers().forEach(layer ->
                channels.put(layer.convolution().name(), layer.convolution().outputs()));
        return channels;
    }

    private Stream<Layer> layers() {
        return IntStream.range(0, pairs.size())
                .mapToObj(this::pairsOf)
                .flatMap(List::stream)
                .flatMap(pair -> pair.blocks().stream())
                .flatMap(block -> block.layers().stream());
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input, Modulation modulation) {
        try (Scope scope = Scope.open()) {
            Tensor image = images(input);
            Tensor sum = tower(parameters, 0, image, modulation);
            for (int tower = 1; tower < pairs.size(); tower++) {
                image = image.averagePool2();
                sum = sum.plus(tower(parameters, tower, image, modulation));
            }
            return scope.keep(sum);
        }
    }

    @Override
    public Parameters frozen(Parameters parameters) {
        Map<String, Tensor> made = new HashMap<>();
        layers().forEach(layer -> made.put(layer.ready(), layer.standardised(parameters)));
        return parameters.with(made);
    }

    private Tensor tower(Parameters parameters, int tower, Tensor image, Modulation modulation) {
        try (Scope scope = Scope.open()) {
            Tensor h = in(tower).apply(parameters, image).silu();
            List<Pair> all = pairsOf(tower);
            for (int pair = 0; pair < all.size(); pair++) {
                h = all.get(pair).apply(parameters, h, modulation);
                if (tower == 0 && pair == 1) {
                    h = attention().apply(parameters, h);
                }
            }
            Tensor features = h.silu().mean(2L, 3L);
            return scope.keep(parameters.linear(name(tower) + ".out", features));
        }
    }
}

package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.conv.NormLayer.Statistics;
import dev.kelvin.nn.conv.ResidualStack.Form;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * The wide residual network WRN-depth-width of JEM: a classifier whose logits are also an energy.
 *
 * <p>A 3×3 convolution to 16 channels; three stages of (depth − 4)/6 blocks with 16, 32 and 64 times {@code width} channels,
 * the second and third of which halve the image; norm, φ, the mean over all pixels, and a linear layer. A block is
 *
 * <pre>x ← W₂φ(N₂(W₁φ(N₁(x)) + b₁)) + b₂ + Sx</pre>
 *
 * with 3×3 convolutions, W₂ (not W₁) of stride 2 where the image is halved, as in JEM's code, and S a 1×1 convolution with
 * bias where size or channels change, else nothing. Every layer has a bias. Any size of 4 pixels or more fits.
 *
 * <p>With batch norm, what is trained ({@link #inTraining}) uses the batch's statistics, everything else the running ones,
 * which {@link #advance} moves by a forward pass of its own.
 *
 * <p>Source: Zagoruyko and Komodakis 2016; Grathwohl et al. 2020, without norm. φ is a leaky ReLU, there of slope 0.2.
 */
@Doc("a wide ResNet, for images")
@Cites("zagoruyko2016")
public record WideResnet(
        @Given("1") int channels,

        @Given("1024") int size,

        @Doc("the number of layers, 6n + 4") @Default("28") int depth,

        @Doc("the widening factor") @Default("10") int width,

        @Doc("the normalisation of the layers") @Default("none")
        Norm norm,

        @Given("1") int outputs,

        @Doc("the negative slope of leaky-relu") @Default("0.2")
        double slope)
        implements ImageNetwork<WideResnet> {
    private static final int FIRST = 16; // channels of the first convolution, and of the first stage at width 1
    private static final int STAGES = 3;
    private static final int OTHER_LAYERS = 4; // that WRN's depth counts: it is 6 for each block of a stage, and 4
    private static final int LAYERS_A_BLOCK = 2 * STAGES; // with one block for each stage

    public WideResnet {
        Check.all(
                () -> ImageNetwork.check(channels, size, STAGES - 1),
                () -> Check.require(
                        depth > OTHER_LAYERS && (depth - OTHER_LAYERS) % LAYERS_A_BLOCK == 0,
                        "depth",
                        "must be 10, 16, 22, 28 or another 6n + 4, found " + depth),
                () -> Check.atLeast("width", width, 1),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.within("slope", slope, 0, 1));
    }

    @Override
    public WideResnet shaped(int channels, int size, int outputs) {
        return new WideResnet(channels, size, depth, width, norm, outputs, slope);
    }

    @Override
    public boolean rowsAlone() {
        return norm != Norm.BATCH;
    }

    @Override
    public String words() {
        return "a wide residual network of " + depth + " layers, " + width + " times as wide"
                + (norm == Norm.NONE ? "" : ", with " + norm.word() + " norm");
    }

    private ResidualStack stack() {
        int blocks = (depth - OTHER_LAYERS) / LAYERS_A_BLOCK;
        List<Integer> widths = List.of(FIRST * width, 2 * FIRST * width, 4 * FIRST * width);
        return new ResidualStack(channels, FIRST, widths, blocks, Activation.LEAKY_RELU, slope, Form.WIDE, norm);
    }

    private NormLayer lastNorm() {
        return new NormLayer("out.norm", stack().outputs(), norm);
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = stack().addTo(new Layout.Builder());
        lastNorm().addTo(builder);
        return builder.linear("out", stack().outputs(), outputs).build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        return forward(parameters, input, Statistics.RUNNING);
    }

    @Override
    public Tensor inTraining(Parameters parameters, Tensor input) {
        return forward(parameters, input, Statistics.BATCH);
    }

    @Override
    public void advance(Parameters parameters, Tensor input) {
        if (norm == Norm.BATCH) {
            try (Scope scope = Scope.open();
                    NoGrad noGrad = NoGrad.open()) {
                forward(parameters, input, Statistics.MOVING);
            }
        }
    }

    /** On a GPU in bfloat16 both ways back are written out, which takes fewer passes over memory. */
    private boolean writtenOut(Tensor input) {
        return norm == Norm.NONE && input.device().cuda() && input.dtype() == DType.BFLOAT16;
    }

    @Override
    public Pullback pullback(Parameters parameters, Tensor input) {
        return writtenOut(input)
                ? passes(parameters, input).toParameters()
                : ImageNetwork.super.pullback(parameters, input);
    }

    @Override
    public Pullback inputPullback(Parameters parameters, Tensor input) {
        return writtenOut(input)
                ? passes(parameters, input).toInput()
                : ImageNetwork.super.inputPullback(parameters, input);
    }

    @Override
    public Parameters frozen(Parameters parameters) {
        return norm == Norm.NONE && parameters.flat().device().cuda()
                ? StackPullback.prepared(stack(), parameters)
                : parameters;
    }

    /** A pass without norms, to be taken back. */
    Passes passes(Parameters parameters, Tensor input) {
        StackPullback stack = new StackPullback(stack(), parameters, images(input));
        return new Passes(parameters, stack, stack.output().mean(2L, 3L));
    }

    /** The stack's pass and the mean features over all pixels. */
    record Passes(Parameters parameters, StackPullback stack, Tensor features) {
        private static final String HEAD = "out";

        Pullback toInput() {
            return new Pullback(output(), weights -> stack.inputGradient(atPixels(weights)));
        }

        Pullback toParameters() {
            return new Pullback(output(), weights -> {
                Map<String, Tensor> all = stack.parameterGradients(atPixels(weights));
                all.put(HEAD + ".weight", weights.transpose().matmul(features));
                all.put(HEAD + ".bias", weights.sum(0L));
                return parameters.flattened(all);
            });
        }

        private Tensor output() {
            return parameters.linear(HEAD, features);
        }

        /** The gradient at each pixel's features. */
        private Tensor atPixels(Tensor weights) {
            Tensor top = stack.output();
            long pixels = top.size(2) * top.size(3);
            Tensor mean = weights.matmul(parameters.get(HEAD + ".weight")).over((double) pixels);
            return mean.reshape(mean.size(0), mean.size(1), 1, 1)
                    .expand(top.shape())
                    .channelsLast();
        }
    }

    private Tensor forward(Parameters parameters, Tensor input, Statistics statistics) {
        try (Scope scope = Scope.open()) {
            Tensor h = stack().apply(parameters, images(input), statistics);
            Tensor top = lastNorm().apply(parameters, h, statistics).leakyRelu(slope);
            return scope.keep(parameters.linear("out", top.mean(2L, 3L)));
        }
    }
}

package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import org.junit.jupiter.api.Test;

/** The papers' numbers of parameters; where a paper gives none, layer by layer from its description. */
final class ParameterCountTest {

    /** A convolution with bias. */
    private static long conv(int kernel, int inputs, int outputs) {
        return (long) kernel * kernel * inputs * outputs + outputs;
    }

    @Test
    void shortRun() {
        assertThat(new ShortRun(3, 32, 64, 1, Activation.LEAKY_RELU, 0.2)
                        .layout()
                        .trainedCount())
                .isEqualTo(2_763_393);
    }

    /** The halvings follow from the size: 8 has one, 28 two before a 7×7 convolution, 64 four. */
    @Test
    void shortRunAtOtherSizes() {
        assertThat(new ShortRun(1, 8, 16, 1, Activation.LEAKY_RELU, 0.2)
                        .layout()
                        .count())
                .isEqualTo(conv(3, 1, 16) + conv(4, 16, 32) + conv(4, 32, 1));
        assertThat(new ShortRun(1, 28, 16, 2, Activation.LEAKY_RELU, 0.2)
                        .layout()
                        .count())
                .isEqualTo(conv(3, 1, 16) + conv(4, 16, 32) + conv(4, 32, 64) + conv(7, 64, 2));
        assertThat(new ShortRun(3, 64, 4, 1, Activation.LEAKY_RELU, 0.2)
                        .layout()
                        .count())
                .isEqualTo(conv(3, 3, 4)
                        + conv(4, 4, 8)
                        + conv(4, 8, 16)
                        + conv(4, 16, 32)
                        + conv(4, 32, 64)
                        + conv(4, 64, 1));
    }

    /** The vectors of the spectral norms, one number for each output of each convolution, come on top. */
    @Test
    void igebm() {
        Layout layout = new Igebm(3, 32, List.of(128, 256, 256), 1, 0.2, false).layout();
        assertThat(layout.trainedCount()).isEqualTo(5_134_593);
        long vectors = 128 + (3 * 128 + 2 * 128) + (3 * 256 + 2 * 256) + (3 * 256 + 2 * 256);
        assertThat(layout.count() - layout.trainedCount()).isEqualTo(vectors);
    }

    /** The figures of Hill et al. 2022's networks for CIFAR-10, layer by layer. */
    @Test
    void sngan() {
        long blocks = conv(3, 3, 256) + 7 * conv(3, 256, 256);
        long skips = conv(1, 3, 256) + conv(1, 256, 256);
        assertThat(blocks + skips + 256).isEqualTo(4_204_800);
        assertThat(new Sngan(3, 32, List.of(256, 256, 256, 256), 2, 1, Activation.RELU, 0.2)
                        .layout()
                        .count())
                .isEqualTo(4_204_800);
    }

    @Test
    void residualGenerator() {
        Layout layout = new ResidualGenerator(128, List.of(256, 256, 256, 256), 3, 32, Norm.BATCH, Activation.RELU, 0.2)
                .layout();
        long block = 2 * conv(3, 256, 256) + conv(1, 256, 256) + 2 * 2 * 256;
        assertThat(129 * 16 * 256 + 3 * block + 2 * 256 + conv(3, 256, 3)).isEqualTo(4_276_739);
        assertThat(layout.trainedCount()).isEqualTo(4_276_739);
        assertThat(layout.count() - layout.trainedCount()).isEqualTo(7 * 2 * 256); // running means and variances
    }

    @Test
    void wideResNet() {
        long first = conv(3, 3, 16);
        long stage1 = conv(3, 16, 160) + conv(3, 160, 160) + conv(1, 16, 160) + 3 * 2 * conv(3, 160, 160);
        long stage2 = conv(3, 160, 320) + conv(3, 320, 320) + conv(1, 160, 320) + 3 * 2 * conv(3, 320, 320);
        long stage3 = conv(3, 320, 640) + conv(3, 640, 640) + conv(1, 320, 640) + 3 * 2 * conv(3, 640, 640);
        long linear = 640 * 10 + 10;
        assertThat(first + stage1 + stage2 + stage3 + linear).isEqualTo(36_471_338);
        assertThat(wide(Norm.NONE).count()).isEqualTo(36_471_338);

        long normed = (16 + 160) + 3 * 2 * 160 + (160 + 320) + 3 * 2 * 320 + (320 + 640) + 3 * 2 * 640 + 640;
        assertThat(wide(Norm.GROUP).count()).isEqualTo(36_471_338 + 2 * normed);
        assertThat(wide(Norm.BATCH).trainedCount()).isEqualTo(36_471_338 + 2 * normed);
        assertThat(wide(Norm.BATCH).count()).isEqualTo(36_471_338 + 4 * normed);
    }

    private static Layout wide(Norm norm) {
        return new WideResnet(3, 32, 28, 10, norm, 10, 0.2).layout();
    }

    @Test
    void improvedContrastiveDivergence() {
        long first = conv(3, 3, 64);
        long block64 = 2 * conv(3, 64, 64) + 2 * 2 * 64;
        long block128 = 2 * conv(3, 128, 128) + 2 * 2 * 128;
        long block256 = 2 * conv(3, 256, 256) + 2 * 2 * 256;
        long pair1 = 2 * block64 + conv(3, 64, 64);
        long pair2 = 2 * block64 + conv(3, 64, 128);
        long pair3 = 2 * block128 + conv(3, 128, 256);
        long pair4 = 2 * block256 + conv(3, 256, 512);
        long attention = 2 * conv(1, 128, 16) + conv(1, 128, 128) + 1;
        long full = first + pair1 + pair2 + attention + pair3 + pair4 + 512 + 1;
        long half = first + pair1 + pair2 + pair3 + 256 + 1;
        long quarter = first + pair1 + pair2 + 128 + 1;
        assertThat(full + half + quarter).isEqualTo(6_564_196);
        Network network = new ImprovedCd(3, 32, 64, 32, List.of(4, 3, 2), 1);
        assertThat(network.layout().count()).isEqualTo(6_564_196);
    }

    /** A gain and a bias for each class and channel of the blocks' layers come on top, and nothing else. */
    @Test
    void classGains() {
        Igebm igebm = new Igebm(3, 32, List.of(128, 256, 256), 1, 0.2, false);
        long channels = 2 * (2 * 128 + 2 * 256 + 2 * 256);
        assertThat(new ClassGains(igebm, 10).layout().trainedCount()).isEqualTo(5_134_593 + 2 * 10 * channels);
        ImprovedCd towers = new ImprovedCd(3, 32, 64, 32, List.of(4, 3, 2), 1);
        long layers = 3 * 4 * 64 + 3 * 4 * 64 + 2 * 4 * 128 + 4 * 256;
        assertThat(new ClassGains(towers, 10).layout().count()).isEqualTo(6_564_196 + 2 * 10 * layers);
    }

    @Test
    void timeResNet() {
        long stage1 = 4 * conv(3, 64, 64);
        long stage2 = conv(3, 64, 128) + 3 * conv(3, 128, 128) + conv(1, 64, 128);
        long stage3 = conv(3, 128, 256) + 3 * conv(3, 256, 256) + conv(1, 128, 256);
        long stage4 = conv(3, 256, 512) + 3 * conv(3, 512, 512) + conv(1, 256, 512);
        long body = conv(3, 3, 64) + stage1 + stage2 + stage3 + stage4;
        assertThat(body).isEqualTo(11_164_032);
        Network network = new Resnet(3, 32, List.of(64, 128, 256, 512), 2, 1023, Activation.LEAKY_RELU, 0.2);
        assertThat(network.layout().count()).isEqualTo(body + 513 * 1023);
    }

    /** PyTorch's ResNet-18 has 11 689 512, with a gain and a bias for each of 4800 channels where here there is a bias. */
    @Test
    void timeResNetWithThePapersStem() {
        Network network =
                new Resnet(3, 32, List.of(64, 128, 256, 512), 2, 1000, Activation.LEAKY_RELU, 0.2, Stem.IMAGENET);
        assertThat(network.layout().count()).isEqualTo(11_689_512 - 4_800);
    }

    /** Flattened, the hidden layer sees what the strides leave: 28 pixels become 7. */
    @Test
    void preactivationResNet() {
        long stage1 = 4 * conv(3, 32, 32);
        long stage2 = conv(3, 32, 64) + 3 * conv(3, 64, 64) + conv(1, 32, 64);
        long stage3 = conv(3, 64, 128) + 3 * conv(3, 128, 128) + conv(1, 64, 128);
        long body = conv(3, 1, 32) + stage1 + stage2 + stage3;
        List<Integer> widths = List.of(32, 64, 128);
        Network flat = new PreactResnet(1, 28, widths, 2, false, 256, 31, Activation.SILU, 0.2, 1);
        assertThat(flat.layout().count()).isEqualTo(body + conv(1, 49 * 128, 256) + conv(1, 256, 31));
        Network pooled = new PreactResnet(1, 28, widths, 2, true, 256, 31, Activation.SILU, 0.2, 1);
        assertThat(pooled.layout().count()).isEqualTo(body + conv(1, 128, 256) + conv(1, 256, 31));
    }

    @Test
    void latentPriorAndGenerator() {
        assertThat(new Generator(100, List.of(512, 256, 128), 3, 32, Activation.LEAKY_RELU, 0.2)
                        .layout()
                        .count())
                .isEqualTo(3_447_683);
        assertThat(new Mlp(100, List.of(200, 200), 1, Activation.LEAKY_RELU, 0.05)
                        .layout()
                        .count())
                .isEqualTo(60_601);
    }

    @Test
    void toyNetworkOfPaper004() {
        assertThat(new Mlp(2, List.of(32, 64, 64, 64), 1, Activation.LEAKY_RELU, 0.05)
                        .layout()
                        .count())
                .isEqualTo(10_593);
    }
}

package dev.kelvin.nn.conv;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The convolutions of a residual block without norms: two of 3×3, and a skip where size or channels change. */
record ResidualBlock(String name, int inputs, int outputs, int stride) {
    /** So many blocks for each width; the first of every stage but the first halves the image. */
    static List<ResidualBlock> stages(List<Integer> widths, int blocks) {
        List<ResidualBlock> all = new ArrayList<>();
        int from = widths.get(0);
        for (int width : widths) {
            for (int block = 0; block < blocks; block++) {
                boolean halves = block == 0 && !all.isEmpty();
                all.add(new ResidualBlock("block" + all.size(), from, width, halves ? 2 : 1));
                from = width;
            }
        }
        return all;
    }

    Convolution first() {
        return Convolution.small(name + ".first", inputs, outputs, stride);
    }

    Convolution second() {
        return Convolution.small(name + ".second", outputs, outputs);
    }

    Convolution skip() {
        return Convolution.pixelwise(name + ".skip", inputs, outputs, stride, true);
    }

    boolean hasSkip() {
        return stride != 1 || inputs != outputs;
    }

    /** With the second convolution as usual at the start, or as is said. */
    void addTo(Layout.Builder builder, Optional<Initialisation> second) {
        first().addTo(builder);
        second.ifPresentOrElse(start -> second().addTo(builder, start), () -> second().addTo(builder));
        if (hasSkip()) {
            skip().addTo(builder);
        }
    }
}

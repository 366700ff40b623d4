package dev.kelvin.tensor;

import org.bytedeco.pytorch.global.torch.MemoryFormat;

/** How tensors lie in memory. */
public final class Layouts {
    private Layouts() {}

    public static boolean isChannelsLast(Tensor x) {
        return x.raw().is_contiguous(MemoryFormat.ChannelsLast);
    }

    /** The memory of a contiguous tensor on the CPU, in the machine's byte order. */
    public static byte[] bytes(Tensor x) {
        byte[] bytes = new byte[(int) (x.count() * x.dtype().bytes())];
        if (bytes.length > 0) {
            x.memory(0, bytes.length).get(bytes);
        }
        return bytes;
    }
}

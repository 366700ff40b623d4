package dev.kelvin.tensor;

import dev.kelvin.part.InvalidInputException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;

/** Where a tensor lives: the CPU or a CUDA GPU. */
public record Device(boolean cuda, int index) {
    /** The processor's memory. */
    public static final Device CPU = new Device(false, 0);

    private static final Pattern CUDA = Pattern.compile("cuda(:[0-9]{1,2})?");

    /** The GPU with this number; whether there is one is asked when something is made on it, or moved there. */
    public static Device cuda(int index) {
        return new Device(true, index);
    }

    /** Reads {@code cpu}, {@code cuda}, {@code cuda:1} or {@code auto} (the first GPU if there is one, else the CPU). */
    public static Device parse(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (word.equals("cpu")) {
            return CPU;
        }
        if (word.equals("auto")) {
            return cudaCount() > 0 ? cuda(0) : CPU;
        }
        if (!CUDA.matcher(word).matches()) {
            throw new InvalidInputException("there is no device '" + text + "' (cpu, cuda, cuda:N or auto)");
        }
        Device device = cuda(word.length() > 4 ? Integer.parseInt(word.substring(5)) : 0);
        device.requireThere();
        return device;
    }

    /** Counted once: a device is asked for with every tensor that is made on it. */
    private static final class Gpus {
        static final int COUNT = cudaCount();
    }

    private void requireThere() {
        if (cuda && (index < 0 || index >= Gpus.COUNT)) {
            throw new InvalidInputException("this machine or its libtorch has " + Gpus.COUNT
                    + " CUDA devices, so there is no " + this + " (set KELVIN_LIBTORCH to a CUDA build's lib folder)");
        }
    }

    /** How many CUDA devices libtorch can use here. */
    public static int cudaCount() {
        Backend.load();
        return torch.cuda_is_available() ? torch.cuda_device_count() : 0;
    }

    /** Waits until the device has finished what was asked of it; only needed around timings. */
    public void synchronize() {
        if (cuda) {
            // reading a number back waits for everything before it on the stream
            try (Tensor zero = Tensors.zeros(DType.FLOAT, this, 1)) {
                zero.item();
            }
        }
    }

    /** libtorch's own device; throws an {@link InvalidInputException} if there is none. */
    org.bytedeco.pytorch.Device raw() {
        requireThere();
        return cuda
                ? new org.bytedeco.pytorch.Device(DeviceType.CUDA, (byte) index)
                : new org.bytedeco.pytorch.Device(DeviceType.CPU);
    }

    @Override
    public String toString() {
        return cuda ? "cuda:" + index : "cpu";
    }
}

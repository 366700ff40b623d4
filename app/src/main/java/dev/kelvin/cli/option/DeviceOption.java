package dev.kelvin.cli.option;

import dev.kelvin.part.Words;
import dev.kelvin.tensor.Device;
import picocli.CommandLine.Option;

/** {@code --device}: where to compute. */
public final class DeviceOption {
    @Option(names = "--device", paramLabel = "DEVICE", description = "cpu, cuda, cuda:N or auto (default: cpu)")
    private String name = "cpu";

    /** The device that is named. */
    public Device device() {
        return Device.parse(name);
    }

    /** A command, as one types it, that goes on with this device; the processor is the default. */
    public static String command(Device device, Object... words) {
        return Words.command(words) + (device.cuda() ? " --device " + device : "");
    }
}

package dev.kelvin.cli;

import dev.kelvin.part.Words;
import dev.kelvin.tensor.Device;
import picocli.CommandLine.Option;

/** {@code --device}. */
final class DeviceOption {
    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "cpu, cuda, cuda:N or auto (default: ${DEFAULT-VALUE})",
            defaultValue = "cpu")
    private String name = "cpu";

    Device device() {
        return Device.parse(name);
    }

    /** A command as one types it to go on where this device was in use; the processor needs no word. */
    static String command(Device device, Object... words) {
        return Words.command(words) + (device.cuda() ? " --device " + device : "");
    }
}

package dev.kelvin.cli;

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
}

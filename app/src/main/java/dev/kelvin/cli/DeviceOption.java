package dev.kelvin.cli;

import dev.kelvin.Words;
import dev.kelvin.tensor.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    static String command(Device device, String... words) {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        if (device.cuda()) {
            all.add("--device");
            all.add(device.toString());
        }
        return Words.command(all);
    }
}

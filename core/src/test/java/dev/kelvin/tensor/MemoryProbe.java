package dev.kelvin.tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@link BackendProcessTest} runs under a small heap to see that native memory stays flat. */
final class MemoryProbe {
    private MemoryProbe() {}

    /** Prints by how many kB the process grew between the first tenth and the end of its steps. */
    public static void main(String... arguments) throws IOException {
        int steps = Integer.parseInt(arguments[0]);
        boolean leak = arguments.length > 1;
        Key key = Key.of(1);
        long early = 0;
        try (Tensor x = Tensors.normal(key.child(-1), 64, 2)) {
            for (int step = 0; step < steps; step++) {
                if (step == steps / 10) {
                    early = residentKilobytes();
                }
                try (Scope scope = Scope.open()) {
                    langevin(key.child(step), x);
                    if (leak) {
                        Scope.detach(x.copy()); // the power twin: one small tensor a step is forgotten
                    }
                }
            }
        }
        System.out.println("grew " + (residentKilobytes() - early));
    }

    /** A step on f(x) = -|x|^4/4, by automatic differentiation. */
    private static void langevin(Key key, Tensor x) {
        Tensor leaf = x.asLeaf();
        Tensor f = leaf.square().sumPerSample().square().times(-0.25);
        Tensor gradient = Gradients.of(f, leaf);
        x.addInPlace(gradient, 0.01).addInPlace(Tensors.normalLike(key, 0.1, x)).clampInPlace(-3, 3);
    }

    private static long residentKilobytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("/proc/self/status has no VmRSS");
    }
}

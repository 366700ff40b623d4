package dev.kelvin.tensor;

/** What {@link BackendProcessTest} runs under a small heap to see that native memory stays flat. */
final class MemoryProbe {
    private MemoryProbe() {}

    /** Prints by how many kB the process grew after the first tenth of its steps, by {@link Growth}. */
    public static void main(String... arguments) {
        int steps = Integer.parseInt(arguments[0]);
        boolean leak = arguments.length > 1;
        Key key = Key.of(1);
        Growth growth = new Growth(steps);
        try (Tensor x = Tensors.normal(key.child(-1), 64, 2)) {
            for (int step = 0; step < steps; step++) {
                try (Scope scope = Scope.open()) {
                    langevin(key.child(step), x);
                    if (leak) {
                        Scope.detach(x.copy()); // the power twin: one small tensor a step is forgotten
                    }
                }
                growth.after(step);
            }
        }
        System.out.println("grew " + growth.bytes() / 1024);
    }

    /** A step on f(x) = -|x|^4/4, by automatic differentiation. */
    private static void langevin(Key key, Tensor x) {
        Tensor leaf = x.asLeaf();
        Tensor f = leaf.square().sumPerSample().square().times(-0.25);
        Tensor gradient = Gradients.of(f, leaf);
        x.addInPlace(gradient, 0.01).addInPlace(Tensors.normalLike(key, 0.1, x)).clampInPlace(-3, 3);
    }
}

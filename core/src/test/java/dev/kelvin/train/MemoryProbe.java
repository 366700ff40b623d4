package dev.kelvin.train;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Parameters;
import dev.kelvin.sample.KernelCases;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Growth;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/** What {@link MemoryTest} runs under a small heap: prints by how many bytes the process grew after the first tenth, by {@link Growth}. */
final class MemoryProbe {
    private MemoryProbe() {}

    /** The loop's name, its number of steps, and perhaps {@code leak}. */
    public static void main(String... arguments) {
        int steps = Integer.parseInt(arguments[1]);
        boolean leak = arguments.length > 2;
        switch (arguments[0]) {
            case "langevin" -> langevin(steps, leak);
            case "training" -> training(steps, leak);
            case "kernels" -> KernelCases.KERNELS.forEach(named -> kernel(named, steps));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Of the process in a loop, which forgets a tensor a step if it leaks: the power twin. */
    private static final class Loop {
        private final Growth growth;
        private final boolean leak;

        Loop(int steps, boolean leak) {
            this.growth = new Growth(steps);
            this.leak = leak;
        }

        /** To be called after each step, counted from 0, with a tensor of it. */
        void after(int step, Tensor tensor) {
            if (leak) {
                Scope.detach(tensor.copy());
            }
            growth.after(step);
        }

        void print(String name) {
            System.out.println(name);
            System.out.println("grew " + growth.bytes());
        }
    }

    /** One walk of so many steps on the model. */
    private static void langevin(int steps, boolean leak) {
        try (Scope scope = Scope.open();
                Parameters parameters = TinyRun.MODEL.layout().init(Key.of(1), DType.FLOAT)) {
            LogDensity target = TinyRun.MODEL.density(parameters);
            Tensor x = Tensors.normal(Key.of(2), TinyRun.BATCH, 2);
            Loop loop = new Loop(steps, leak);
            ChainRun.run(
                    Key.of(3), Langevin.of(0.01), target, x, steps, (step, state) -> loop.after(step - 1, state.x()));
            loop.print("langevin");
        }
    }

    /** Persistent contrastive divergence with everything that a learner can have. */
    private static void training(int steps, boolean leak) {
        try (Learner learner = TinyRun.learner(TinyRun.Kind.PERSISTENT, Key.of(1), steps)) {
            Loop loop = new Loop(steps, leak);
            for (int step = 0; step < steps; step++) {
                try (Scope scope = Scope.open()) {
                    Tensor positives = TinyRun.DATA.draw(Key.of(2).child(step), TinyRun.BATCH);
                    learner.step(Key.of(3).child(step), step, Batch.of(positives));
                    loop.after(step, positives);
                }
            }
            loop.print("training");
        }
    }

    private static void kernel(KernelCases.Named named, int steps) {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(2), TinyRun.BATCH, 2);
            Loop loop = new Loop(steps, false);
            ChainRun.run(
                    Key.of(3),
                    named.kernel(),
                    KernelCases.WAVY,
                    x,
                    steps,
                    (step, state) -> loop.after(step - 1, state.x()));
            loop.print(named.name());
        }
    }
}

package dev.kelvin.bench;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.sample.Evaluated;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One step of 100 chains under the toy network, and what it is made of. */
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Dkelvin.threads=1",
            "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
            "-Dorg.bytedeco.javacpp.nopointergc=true"
        })
public class KernelBenchmark {
    private final LogDensity target;
    private final Langevin langevin = Langevin.of(0.0015);
    private final Langevin.State position;
    private final Mala mala = Mala.of(0.0015);
    private final Evaluated malaState;
    private long step;

    public KernelBenchmark() {
        Backend.threads(1);
        EnergyModel model = EnergyModel.plain(new Mlp(2, List.of(32, 64, 64, 64), 1, Activation.LEAKY_RELU, 0.05));
        target = model.density(model.layout().init(Key.of(0), DType.FLOAT));
        position = langevin.start(target, Tensors.normal(Key.of(1), 100, 2));
        malaState = mala.start(target, position.x());
    }

    @Benchmark
    public void gradient() {
        try (Scope scope = Scope.open()) {
            target.gradient(position.x());
        }
    }

    @Benchmark
    public void langevinStep() {
        try (Scope scope = Scope.open()) {
            langevin.step(Key.of(step++), target, position);
        }
    }

    @Benchmark
    public void malaStep() {
        try (Scope scope = Scope.open()) {
            mala.step(Key.of(step++), target, malaState);
        }
    }

    @Benchmark
    public void noise() {
        try (Scope scope = Scope.open()) {
            Tensors.normalLike(Key.of(step++), 1, position.x());
        }
    }
}

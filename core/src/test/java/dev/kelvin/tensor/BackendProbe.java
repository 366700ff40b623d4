package dev.kelvin.tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.bytedeco.openblas.global.openblas_nolapack;

/** What {@link BackendProcessTest} runs in a JVM of its own, where nothing of libtorch has been touched before. */
final class BackendProbe {
    private BackendProbe() {}

    public static void main(String... arguments) throws IOException {
        try (Scope outer = Scope.open();
                Scope inner = Scope.open()) {
            // the first touch of every class happens inside two scopes
            Tensor x = Tensors.of(new double[] {1});
            Tensor g = Tensors.of(new double[] {1});
            System.out.println("sum " + x.plus(g).item());
        }
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1});
            Tensor g = Tensors.of(new double[] {1});
            System.out.println("step " + x.addInPlace(g, -0.01).item());
        }
        System.out.println("blas " + openblas_nolapack.blas_get_num_threads());
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            maps.filter(line -> Stream.of("/libtorch_cpu", "/libc10", "/libopenblas.so")
                            .anyMatch(line::contains))
                    .map(line -> line.substring(line.indexOf('/')))
                    .distinct()
                    .forEach(file -> System.out.println("library " + file));
        }
    }
}

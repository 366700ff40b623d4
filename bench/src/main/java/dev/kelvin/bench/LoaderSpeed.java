package dev.kelvin.bench;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.augment.Crop;
import dev.kelvin.data.augment.Flip;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.Loader;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Images a second that the loader gives with crop and flip: 50 000 of CIFAR-10's shape, batches of 128. */
public final class LoaderSpeed {
    private static final int IMAGES = 50_000;
    private static final int BYTES = 3 * 32 * 32;
    private static final int BATCH = 128;
    private static final int BATCHES = 200;
    private static final int ROUNDS = 9;

    private LoaderSpeed() {}

    public static void main(String[] arguments) {
        Backend.threads(1); // the loader's thread is the second
        try (Scope scope = Scope.open()) {
            Tensor pixels = Tensors.bytes(IMAGES, 3, 32, 32);
            byte[] some = new byte[BYTES];
            Random random = new Random(0);
            for (int i = 0; i < IMAGES; i++) {
                random.nextBytes(some);
                pixels.memory((long) i * BYTES, BYTES).put(some);
            }
            Loader.Options options = new Loader.Options(
                    new PixelRange(-1, 1),
                    Optional.of(new Augmentation.InTurn(List.of(new Crop(4), new Flip(0.5)))),
                    Device.CPU,
                    true,
                    false);
            try (ImageSet set = new ImageSet("random", pixels, new int[0], List.of(), 255);
                    Loader loader = new Loader(Key.of(0), set, options)) {
                double[] rates = new double[ROUNDS];
                for (int round = 0; round < ROUNDS; round++) {
                    rates[round] = rate(loader, round);
                }
                Arrays.sort(rates);
                System.out.printf(
                        "crop and flip, images a second: %.0f (%.0f to %.0f, %d rounds)%n",
                        rates[ROUNDS / 2], rates[0], rates[ROUNDS - 1], ROUNDS);
            }
        }
    }

    private static double rate(Loader loader, int round) {
        long began = System.nanoTime();
        for (int i = 0; i < BATCHES; i++) {
            try (Scope scope = Scope.open()) {
                loader.batch((long) round * BATCHES + i, BATCH);
            }
        }
        return 1e9 * BATCHES * BATCH / (System.nanoTime() - began);
    }
}

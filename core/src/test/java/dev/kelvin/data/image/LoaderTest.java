package dev.kelvin.data.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.augment.Crop;
import dev.kelvin.data.augment.Dequantisation;
import dev.kelvin.data.augment.Flip;
import dev.kelvin.data.augment.GaussianNoise;
import dev.kelvin.data.image.Loader.Options;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LoaderTest {
    private static final Augmentation SHAKEN = new Augmentation.InTurn(
            List.of(new Crop(2), new Flip(0.5), new GaussianNoise(0.1), new Dequantisation(16)));

    private static ImageSet digits;

    @BeforeAll
    static void load() {
        digits = Digits.load();
    }

    @AfterAll
    static void close() {
        digits.close();
    }

    private static float[] batch(Loader loader, long step, int size) {
        try (Scope scope = Scope.open()) {
            return loader.batch(step, size).toFloats();
        }
    }

    @Test
    void everyEpochShowsEveryImageOnceAcrossBatches() {
        try (ImageSet set = ImageSetTest.numbered(10);
                Loader loader = new Loader(
                        Key.of(4), set, new Options(PixelRange.UNIT, Optional.empty(), Device.CPU, true, false))) {
            List<Long> seen = new ArrayList<>();
            for (int step = 0; step < 15; step++) { // 6 epochs of 10 in batches of 4
                Arrays.stream(loader.indices(step, 4)).forEach(seen::add);
            }
            List<List<Long>> epochs = new ArrayList<>();
            for (int epoch = 0; epoch < 6; epoch++) {
                epochs.add(seen.subList(10 * epoch, 10 * epoch + 10));
            }
            assertThat(epochs)
                    .allSatisfy(epoch -> assertThat(epoch)
                            .containsExactlyInAnyOrderElementsOf(
                                    LongStream.range(0, 10).boxed().toList()));
            assertThat(epochs).doesNotHaveDuplicates();
        }
    }

    @Test
    void batchesHoldTheImagesThatTheIndicesName() {
        try (ImageSet set = ImageSetTest.numbered(200);
                Loader loader = new Loader(
                        Key.of(4), set, new Options(new PixelRange(-1, 1), Optional.empty(), Device.CPU, true, false));
                Scope scope = Scope.open()) {
            float[] values = loader.batch(7, 150).toFloats();
            long[] indices = loader.indices(7, 150);
            for (int i = 0; i < values.length; i++) {
                assertThat(values[i]).isEqualTo(indices[i] / 255f * 2 - 1);
            }
            assertThat(loader.labels(7, 150)).isEqualTo(indices);
        }
    }

    @Test
    void aBatchMayBeLargerThanTheSet() {
        try (ImageSet set = ImageSetTest.numbered(3);
                Loader loader = new Loader(
                        Key.of(4), set, new Options(PixelRange.UNIT, Optional.empty(), Device.CPU, true, false))) {
            assertThat(batch(loader, 5, 10)).hasSize(10);
            assertThat(Arrays.stream(loader.indices(0, 9)).sum()).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStepIsTheSameWhateverWasAskedBefore(boolean prefetch) {
        Options options = new Options(PixelRange.UNIT, Optional.of(SHAKEN), Device.CPU, prefetch, false);
        try (Loader straight = new Loader(Key.of(9), digits, options);
                Loader resumed = new Loader(Key.of(9), digits, options);
                Loader other = new Loader(Key.of(10), digits, options)) {
            List<float[]> batches = new ArrayList<>();
            for (int step = 0; step < 60; step++) { // crosses the end of an epoch at step 56
                batches.add(batch(straight, step, 32));
            }
            for (int step : new int[] {57, 3, 4, 5, 56, 0, 59}) {
                assertThat(batch(resumed, step, 32)).isEqualTo(batches.get(step));
            }
            assertThat(batch(resumed, 1, 16)).isNotEqualTo(Arrays.copyOf(batches.get(1), 16 * 64));
            assertThat(batch(other, 3, 32)).isNotEqualTo(batches.get(3));
        }
    }

    @Test
    void prefetchingAndKeepingTheSetChangeNoNumber() {
        PixelRange range = new PixelRange(-0.5, 0.5);
        Options plain = new Options(range, Optional.of(SHAKEN), Device.CPU, false, false);
        try (Loader alone = new Loader(Key.of(9), digits, plain);
                Loader ahead = new Loader(
                        Key.of(9), digits, new Options(range, Optional.of(SHAKEN), Device.CPU, true, false));
                Loader resident = new Loader(
                        Key.of(9), digits, new Options(range, Optional.of(SHAKEN), Device.CPU, false, true))) {
            for (int step = 0; step < 10; step++) {
                float[] expected = batch(alone, step, 32);
                assertThat(batch(ahead, step, 32)).isEqualTo(expected);
                assertThat(batch(resident, step, 32)).isEqualTo(expected);
            }
        }
    }

    @Test
    void anyThreadGetsTheSame() throws InterruptedException {
        try (Loader loader = new Loader(
                Key.of(9), digits, new Options(PixelRange.UNIT, Optional.of(SHAKEN), Device.CPU, true, false))) {
            float[][] found = new float[8][];
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < found.length; i++) {
                int mine = i;
                threads.add(new Thread(() -> found[mine] = batch(loader, mine / 2, 16)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            for (int i = 0; i < found.length; i += 2) {
                assertThat(found[i]).isEqualTo(found[i + 1]).isEqualTo(batch(loader, i / 2, 16));
            }
        }
    }

    @Test
    void batchesBelongToTheCallersScopeAndTheThreadEnds() throws InterruptedException {
        List<Thread> others = loaderThreads();
        Loader loader =
                new Loader(Key.of(9), digits, new Options(PixelRange.UNIT, Optional.empty(), Device.CPU, true, false));
        Tensor inside;
        try (Scope scope = Scope.open()) {
            inside = loader.batch(0, 4);
            loader.batch(1, 4); // made on the other thread
        }
        assertThatThrownBy(inside::shape).isInstanceOf(IllegalStateException.class);
        List<Thread> own = loaderThreads();
        try (Tensor mine = loader.batch(2, 4)) {
            own.removeAll(others);
            assertThat(own).hasSize(1);
            loader.close();
            assertThat(mine.shape()).containsExactly(4, 1, 8, 8);
        }
        loader.close();
        assertThatThrownBy(() -> loader.batch(3, 4)).hasMessage("this loader was closed");
        own.get(0).join(TimeUnit.MINUTES.toMillis(10));
        assertThat(own.get(0).isAlive()).isFalse();
    }

    private static List<Thread> loaderThreads() {
        return new ArrayList<>(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("kelvin-loader"))
                .toList());
    }

    @Test
    void whatAugmentationRefusesIsToldToWhoeverAsks() {
        try (Loader loader = new Loader(
                Key.of(9), digits, new Options(PixelRange.UNIT, Optional.of(new Crop(8)), Device.CPU, true, false))) {
            assertThatThrownBy(() -> loader.batch(0, 4))
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("padding");
            assertThatThrownBy(() -> loader.batch(-1, 4)).isInstanceOf(SettingException.class);
            assertThatThrownBy(() -> loader.batch(0, 0)).isInstanceOf(SettingException.class);
        }
    }

    /** One that has the images from another gives what it would of its own, and leaves them when it is closed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void mayHaveTheImagesFromAnother(boolean otherKeepsThem) {
        Options kept = new Options(PixelRange.UNIT, Optional.of(SHAKEN), Device.CPU, true, true);
        Options plain = new Options(PixelRange.UNIT, Optional.empty(), Device.CPU, true, otherKeepsThem);
        try (Loader own = new Loader(Key.of(5), digits, kept);
                Loader first = new Loader(Key.of(4), digits, plain)) {
            float[] before = batch(first, 3, 32);
            try (Loader second = new Loader(Key.of(5), first, kept)) {
                for (int step = 0; step < 3; step++) {
                    assertThat(batch(second, step, 32)).isEqualTo(batch(own, step, 32));
                }
            }
            assertThat(batch(first, 3, 32)).isEqualTo(before);
        }
    }
}

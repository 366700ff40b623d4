package dev.kelvin.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all shards make together is the same to the bit however many ranks have them. */
class ShardsTest {
    /** Their sum depends on the order: 1 is lost in 1e8 as a float. */
    private static final float[] VALUES = {1e8f, 1, -1e8f, 1, 3e-8f, 1e-8f, 1, 0.1f};

    private static <T> List<T> on(int size, Function<Ranks, T> work) {
        return ThreadRanks.of(size).stream()
                .map(ranks -> CompletableFuture.supplyAsync(() -> work.apply(ranks), task -> new Thread(task).start()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static double sum(Ranks ranks) {
        Shards shards = new Shards(VALUES.length, ranks);
        try (Scope scope = Scope.open()) {
            return shards.sum(shards.own()
                            .mapToObj(shard -> Tensors.of(new float[] {VALUES[shard]}))
                            .toList())
                    .item();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void sumsAreTakenInOneTree(int ranks) {
        float tree = ((VALUES[0] + VALUES[1]) + (VALUES[2] + VALUES[3]))
                + ((VALUES[4] + VALUES[5]) + (VALUES[6] + VALUES[7]));
        assertThat(on(ranks, ShardsTest::sum)).hasSize(ranks).containsOnly((double) tree);
        assertThat(sum(Ranks.ALONE)).isEqualTo(tree);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void numbersComeInTheOrderOfTheShards(int size) {
        List<List<Double>> all = on(size, ranks -> {
            Shards shards = new Shards(8, ranks);
            List<double[]> gathered = shards.gather(shards.own()
                    .mapToObj(shard -> new double[] {shard, Double.NaN})
                    .toList());
            return gathered.stream().map(each -> each[0]).toList();
        });
        assertThat(all)
                .hasSize(size)
                .containsOnly(IntStream.range(0, 8).mapToObj(i -> (double) i).toList());
    }

    @Test
    void meansAreOfAllShards() {
        List<Map<String, Double>> all = on(2, ranks -> {
            Shards shards = new Shards(4, ranks);
            return shards.means(shards.own()
                    .mapToObj(shard -> Map.of("a", (double) shard, "b", 1.0))
                    .toList());
        });
        assertThat(all).hasSize(2).containsOnly(Map.of("a", 1.5, "b", 1.0));
    }

    @Test
    void bytesMayHaveAnyLength() {
        List<List<String>> all = on(3, ranks -> {
            byte[][] bytes = ranks.gatherBytes("x".repeat(2 * ranks.rank()).getBytes());
            List<String> words = new ArrayList<>();
            for (byte[] each : bytes) {
                words.add(new String(each));
            }
            return words;
        });
        assertThat(all).containsOnly(List.of("", "xx", "xxxx"));
        assertThat(on(2, ranks -> ranks.gatherBytes(new byte[0])[1].length)).containsOnly(0);
    }

    @Test
    void oneYesIsEnough() {
        assertThat(on(3, ranks -> ranks.any(ranks.rank() == 2))).containsOnly(true);
        assertThat(on(3, ranks -> ranks.any(false))).containsOnly(false);
    }

    @Test
    void whoHasLeftIsMissed() {
        List<String> ends = on(3, ranks -> {
            if (ranks.rank() == 1) {
                ranks.close();
                return "left";
            }
            try {
                ranks.any(true);
                return "met";
            } catch (LostRankException e) {
                return String.valueOf(e.getMessage());
            }
        });
        assertThat(ends)
                .containsExactly("rank 1 has ended before the others", "left", "rank 1 has ended before the others");
    }

    @Test
    void shardsAreAPowerOfTwoThatRanksDivide() {
        assertThatThrownBy(() -> new Shards(6, Ranks.ALONE))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("power of two");
        assertThatThrownBy(() -> new Shards(4, ThreadRanks.of(3).get(0)))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("multiple of the number of ranks, 3");
    }
}

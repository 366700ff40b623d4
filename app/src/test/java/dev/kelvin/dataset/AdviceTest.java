package dev.kelvin.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.model.TableProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdviceTest {
    private static final List<String> ALL = List.of("model", "negatives", "optimiser", "train");

    @Test
    void saysWhatAndWhy() {
        TableDataset.Advice few = new TableDataset.Advice(TableProfile.of(700, 12, true), "a.csv", true);
        assertThat(few.words(ALL))
                .isEqualTo(
                        "a.csv: 700 rows of 12 columns to train on: two hidden layers of 128 units, 128 chains that take 4"
                                + " steps each, a learning rate of 0.002, 5000 iterations, and the best of 10 checkpoints by the"
                                + " likelihood of held-out rows. Columns become normal scores, because some have heavy tails,"
                                + " skewness or repeated values.");
        TableDataset.Advice wide = new TableDataset.Advice(TableProfile.of(9000, 50, true), "a.csv", true);
        assertThat(wide.words(ALL)).contains("because chains mix the more slowly");
        assertThat(wide.words(List.of("model"))).doesNotContain("iterations", "chains");
        assertThat(wide.words(List.of()))
                .isEqualTo("a.csv: the recipe leaves nothing open to be chosen by the table's size");
    }
}

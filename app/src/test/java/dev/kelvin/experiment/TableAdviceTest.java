package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What is chosen for tables of all sizes. */
class TableAdviceTest {
    @Test
    void goesBySize() {
        TableAdvice few = TableAdvice.of(700, 12);
        TableAdvice many = TableAdvice.of(6000, 12);
        assertThat(few.iterations()).isLessThan(many.iterations());
        assertThat(few.weightDecay()).isGreaterThan(many.weightDecay());
        assertThat(TableAdvice.of(6000, 60).steps()).isGreaterThan(many.steps());
    }

    @Test
    void makesSenseFromTheSmallestTableToTheLargest() {
        for (int rows : new int[] {40, 200, 1999, 2000, 1_000_000}) {
            for (int columns : new int[] {1, 2, 29, 30, 100}) {
                TableAdvice advice = TableAdvice.of(rows, columns);
                assertThat(advice.heldOut()).isBetween(20, Math.min(2000, rows / 2));
                assertThat(advice.iterations() % advice.scoreEvery()).isZero();
                // a score's evaluations of f, as a share of the training's between two of them
                double score = (double) advice.scoreChains() * advice.scoreDensities();
                double training = (double) advice.scoreEvery() * advice.chains() * (advice.steps() + 2);
                assertThat(score / training).isLessThan(0.05);
            }
        }
    }

    @Test
    void saysWhatAndWhy() {
        assertThat(TableAdvice.of(700, 12).words())
                .startsWith(
                        "700 rows of 12 columns: two hidden layers of 128 units, 2500 iterations and a weight decay of 0.05,"
                                + " because more would learn so few rows by heart, 128 chains that take 8 steps each; 70 rows");
        assertThat(TableAdvice.of(9000, 50).words()).contains("because chains mix the more slowly");
        assertThatThrownBy(() -> TableAdvice.of(39, 2)).hasMessageContaining("rows must be at least 40");
    }
}

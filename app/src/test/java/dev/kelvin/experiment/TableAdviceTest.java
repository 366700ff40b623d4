package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What is chosen for tables of all sizes. */
class TableAdviceTest {
    @Test
    void goesBySize() {
        TableAdvice few = TableAdvice.of(700, 12, false);
        TableAdvice many = TableAdvice.of(6000, 12, false);
        assertThat(few.iterations()).isLessThan(many.iterations());
        assertThat(TableAdvice.of(6000, 60, false).steps()).isGreaterThan(many.steps());
        assertThat(TableAdvice.of(6000, 12, true).learningRate()).isGreaterThan(many.learningRate());
    }

    @Test
    void makesSenseFromTheSmallestTableToTheLargest() {
        for (int rows : new int[] {40, 200, 1999, 2000, 1_000_000}) {
            for (int columns : new int[] {1, 2, 29, 30, 100}) {
                TableAdvice advice = TableAdvice.of(rows, columns, columns % 2 == 0);
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
        assertThat(TableAdvice.of(700, 12, true).words())
                .startsWith(
                        "700 rows of 12 columns: two hidden layers of 128 units, 5000 iterations, of which the last may learn so"
                                + " few rows by heart, 128 chains that take 4 steps each; 70 rows");
        assertThat(TableAdvice.of(9000, 50, true).words()).contains("because chains mix the more slowly");
        assertThatThrownBy(() -> TableAdvice.of(39, 2, true)).hasMessageContaining("rows must be at least 40");
    }
}

package dev.kelvin.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What is chosen for tables of all sizes. */
class TableProfileTest {
    @Test
    void goesBySize() {
        TableProfile few = TableProfile.of(700, 12, false);
        TableProfile many = TableProfile.of(6000, 12, false);
        assertThat(few.iterations()).isLessThan(many.iterations());
        assertThat(TableProfile.of(6000, 60, false).steps()).isGreaterThan(many.steps());
        assertThat(TableProfile.of(6000, 60, false).isWide()).isTrue();
        assertThat(TableProfile.of(6000, 12, true).learningRate()).isGreaterThan(many.learningRate());
        assertThat(TableProfile.heldOut(1999)).isLessThan(TableProfile.heldOut(2000));
    }

    @Test
    void checkpointsAreComparedTenTimes() {
        for (int rows : new int[] {1, 40, 1999, 2000, 1_000_000}) {
            for (int columns : new int[] {1, 2, 29, 30, 100}) {
                TableProfile profile = TableProfile.of(rows, columns, columns % 2 == 0);
                assertThat(profile.iterations()).isEqualTo(10 * profile.checkpointEvery());
            }
        }
    }

    @Test
    void aTableHasRowsAndColumns() {
        assertThatThrownBy(() -> TableProfile.of(0, 1, false)).hasMessageContaining("rows must be at least 1");
        assertThatThrownBy(() -> TableProfile.of(1, 0, false)).hasMessageContaining("columns must be at least 1");
    }
}

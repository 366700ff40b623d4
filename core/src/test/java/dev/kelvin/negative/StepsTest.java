package dev.kelvin.negative;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.Mistakes;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepsTest {
    @ParameterizedTest
    @CsvSource({"0, 10", "100, 10", "125, 15", "150, 20", "151, 20", "199, 30", "200, 30", "100000, 30"})
    void growAlongALine(long iteration, int steps) {
        assertThat(new Steps(10, OptionalInt.of(30), 100, 100).at(iteration)).isEqualTo(steps);
    }

    @Test
    void mayFallToo() {
        Steps falling = new Steps(30, OptionalInt.of(10), 0, 10);
        assertThat(falling.at(0)).isEqualTo(30);
        assertThat(falling.at(5)).isEqualTo(20);
        assertThat(falling.at(10)).isEqualTo(10);
        assertThat(falling.last()).isEqualTo(10);
    }

    @Test
    void mayChangeAtOnce() {
        Steps jump = new Steps(1, OptionalInt.of(9), 50, 1);
        assertThat(jump.at(50)).isEqualTo(1);
        assertThat(jump.at(51)).isEqualTo(9);
    }

    @Test
    void aNumberAloneStays() {
        Steps same = Steps.of(7);
        assertThat(same.at(0)).isEqualTo(7);
        assertThat(same.at(1_000_000)).isEqualTo(7);
        assertThat(same.last()).isEqualTo(7);
        assertThat(same.words()).isEqualTo("7");
        assertThat(new Steps(10, OptionalInt.of(30), 0, 1).words()).isEqualTo("10 and in the end 30");
    }

    @Test
    void allMistakesAreNamedTogether() {
        assertThat(Mistakes.of(() -> new Steps(-1, OptionalInt.of(-2), -3, 0)))
                .containsExactly(
                        "from must be at least 0, found -1",
                        "to must be at least 0, found -2",
                        "after must be at least 0, found -3",
                        "over must be at least 1, found 0");
    }
}

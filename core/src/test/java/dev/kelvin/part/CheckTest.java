package dev.kelvin.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class CheckTest {
    @Test
    void goodValuesComeBack() {
        assertThat(Check.positive("a", 0.5)).isEqualTo(0.5);
        assertThat(Check.notNegative("a", 0)).isZero();
        assertThat(Check.finite("a", -3)).isEqualTo(-3);
        assertThat(Check.within("a", 1, 0, 1)).isEqualTo(1);
        assertThat(Check.atLeast("a", 2, 2)).isEqualTo(2);
        Check.notEmpty("a", List.of(1));
    }

    @Test
    void badValuesAreNamedAndShown() {
        assertRefused(() -> Check.positive("a", 0), "a must be above 0, found 0");
        assertRefused(() -> Check.positive("a", Double.NaN), "a must be above 0, found NaN");
        assertRefused(() -> Check.positive("a", Double.POSITIVE_INFINITY), "a must be above 0, found Infinity");
        assertRefused(() -> Check.notNegative("a", -0.25), "a must be 0 or more, found -0.25");
        assertRefused(() -> Check.finite("a", Double.NaN), "a must be a finite number, found NaN");
        assertRefused(() -> Check.within("a", Double.NaN, 0, 1), "a must lie between 0 and 1, found NaN");
        assertRefused(() -> Check.within("a", 1.5, 0, 0.5), "a must lie between 0 and 0.5, found 1.5");
        assertRefused(() -> Check.atLeast("a", 1, 2), "a must be at least 2, found 1");
        assertRefused(() -> Check.notEmpty("a", List.of()), "a must not be empty");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(SettingException.class)
                .hasMessage(message)
                .satisfies(e -> assertThat(((SettingException) e).setting()).isEqualTo("a"));
    }
}

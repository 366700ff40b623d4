package dev.kelvin.train.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.part.SettingException;
import dev.kelvin.train.StepReport;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {
    private static Guard guard() {
        return new Guard(new Guard.Settings(10, 3, 2));
    }

    private static StepReport gap(double gap) {
        return new StepReport(Map.of("gap", gap));
    }

    @Test
    void goodNumbersPass() {
        Guard guard = guard();
        for (int i = 0; i < 100; i++) {
            assertThat(guard.check(1, gap(i % 2 == 0 ? 10 : -10), false)).isEmpty();
            assertThat(guard.calm()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void aNumberThatIsNoneBreaksAtOnce(double value) {
        String what = Double.isNaN(value) ? "NaN" : "infinite";
        for (String name : new String[] {"loss", "gap", "f_negative", "acceptance", "anything"}) {
            Map<String, Double> values = new LinkedHashMap<>(Map.of("gap", 1.0));
            values.put(name, value);
            assertThat(guard().check(1, new StepReport(values), false)).contains(name + " is " + what);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {10.001, -10.001, 1e300})
    void theBoundHasPatience(double beyond) {
        Guard guard = guard();
        for (int i = 0; i < 2; i++) {
            assertThat(guard.check(1, gap(beyond), false)).isEmpty();
            assertThat(guard.calm()).isFalse();
        }
        assertThat(guard.check(1, gap(beyond), false).orElseThrow())
                .startsWith("f of the positives minus f of the negatives is ")
                .endsWith(", beyond 10.00 for 3 steps");
    }

    @Test
    void oneGoodStepStartsTheCountAgain() {
        Guard guard = guard();
        for (int i = 0; i < 20; i++) {
            assertThat(guard.check(1, gap(i % 3 == 2 ? 0 : 11), false)).isEmpty();
            assertThat(guard.calm()).isEqualTo(i % 3 == 2);
        }
    }

    @Test
    void goingBackForgets() {
        Guard guard = guard();
        assertThat(guard.check(1, gap(11), false)).isEmpty();
        assertThat(guard.check(1, gap(11), false)).isEmpty();
        guard.reset();
        assertThat(guard.calm()).isTrue();
        assertThat(guard.check(1, gap(11), false)).isEmpty();
        assertThat(guard.check(1, gap(11), false)).isEmpty();
        assertThat(guard.check(1, gap(11), false)).isPresent();
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> new Guard.Settings(0, 1, 0))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("bound must be above 0");
        assertThatThrownBy(() -> new Guard.Settings(Double.NaN, 1, 0)).hasMessageContaining("bound must be above 0");
        assertThatThrownBy(() -> new Guard.Settings(1, 0, 0)).hasMessageContaining("patience must be at least 1");
        assertThatThrownBy(() -> new Guard.Settings(1, 1, -1)).hasMessageContaining("retries must be at least 0");
    }

    @Test
    void theLastStepHasNoPatience() {
        assertThat(guard().check(1, gap(10), true)).isEmpty();
        assertThat(guard().check(1, gap(11), true)).isPresent();
    }

    @Test
    void saysWhenAcceptanceHadFallen() {
        Guard guard = guard();
        assertThat(guard.check(1, accepting(0.5, 0), false)).isEmpty();
        assertThat(guard.check(2, accepting(0.01, 0), false)).isEmpty();
        assertThat(guard.check(3, accepting(0.3, 0), false)).isEmpty(); // and so it begins again
        assertThat(guard.check(4, accepting(0.09, 0), false)).isEmpty();
        assertThat(guard.check(5, accepting(0.002, 0), false)).isEmpty();
        assertThat(guard.check(6, accepting(Double.NaN, Double.NaN), false).orElseThrow())
                .endsWith(
                        " is NaN; acceptance had fallen below 10 % at step 4 (0.20 % at the last): the chains stood still");
        guard.reset();
        assertThat(guard.check(7, accepting(0.5, Double.NaN), false)).contains("gap is NaN");
    }

    private static StepReport accepting(double rate, double gap) {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("gap", gap);
        values.put(StepReport.ACCEPTANCE, rate);
        return new StepReport(values);
    }
}

package dev.kelvin.metric.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.metric.OutOfDistribution;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlarmTest {
    private static final double[] USUAL =
            IntStream.rangeClosed(1, 19).mapToDouble(i -> i).toArray();

    /** By hand: 19 usual rows, k = ⌊0.1 · 20⌋ = 2, so that f below 2 is an alarm: one usual row, and two of the others. */
    @Test
    void anAlarmAtARateIsAtQuantilesUpToIt() {
        Optional<Alarm> alarm = Alarm.at(0.1, USUAL, new double[] {-3, 1.5, 7, 30});
        assertThat(alarm).contains(new Alarm(2, 1.0 / 19, 0.5, 2.0 / 3));
    }

    @Test
    void tooFewUsualRowsHaveNoAlarm() {
        assertThat(Alarm.at(0.05, USUAL, new double[] {0})).isPresent();
        assertThat(Alarm.at(0.049, USUAL, new double[] {0})).isEmpty();
        assertThat(Alarm.rowsFor(0.05)).isEqualTo(19);
        assertThat(Alarm.rowsFor(0.001)).isEqualTo(999);
    }

    @Test
    void aRateThatIsNotExactInBinaryStillCounts() {
        double[] nine = IntStream.rangeClosed(1, 9).mapToDouble(i -> i).toArray();
        assertThat(Alarm.at(0.1, nine, new double[] {0}).orElseThrow().threshold())
                .isEqualTo(1);
        assertThat(Alarm.at(0.1, nine, new double[] {0}).orElseThrow().falseRate())
                .isZero();
    }

    /** The area under the steps, ties as diagonals, is the AUROC of {@link OutOfDistribution}. */
    @Test
    void theAreaUnderAllAlarmsIsTheAuroc() {
        double[] usual = {3, 1, 4, 1, 5, 9, 2, 6};
        double[] others = {2, 7, 1, 0, -1, 3};
        List<Alarm> all = Alarm.all(usual, others);
        double area = 0;
        for (int i = 1; i < all.size(); i++) {
            Alarm a = all.get(i - 1);
            Alarm b = all.get(i);
            area += (b.falseRate() - a.falseRate()) * (a.found() + b.found()) / 2;
        }
        assertThat(area).isCloseTo(OutOfDistribution.of(usual, others).auroc(), within(1e-12));
        assertThat(all.get(0).found()).isZero();
        assertThat(all.get(all.size() - 1)).isEqualTo(new Alarm(Double.POSITIVE_INFINITY, 1, 1, 6.0 / 14));
    }

    @Test
    void whatIsNoNumberIsNoAlarm() {
        List<Alarm> all = Alarm.all(new double[] {1, Double.NaN}, new double[] {0, Double.NaN});
        Alarm last = all.get(all.size() - 1);
        assertThat(last.falseRate()).isEqualTo(0.5);
        assertThat(last.found()).isEqualTo(0.5);
    }
}

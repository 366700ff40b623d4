package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.experiment.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final Study STUDY = Study.named("001-toy");

    private static Ledger.Verdict verdict(double... ratios) {
        List<Map<String, Double>> seeds = new ArrayList<>();
        for (double ratio : ratios) {
            seeds.add(Map.of("gd.rhat", ratio, "sgld.rhat", 1.0));
        }
        return new Ledger.Figures(STUDY, seeds).verdict(STUDY.claims().get(0)); // gd.rhat / sgld.rhat >= 10
    }

    @Test
    void aClaimHoldsIfItDoesWithEverySeed() {
        assertThat(verdict(10, 20, Double.POSITIVE_INFINITY)).isEqualTo(Ledger.Verdict.HOLDS);
        assertThat(verdict(9, 1, 0.5)).isEqualTo(Ledger.Verdict.DOES_NOT_HOLD);
        assertThat(verdict(9, 11, 12)).isEqualTo(Ledger.Verdict.UNDECIDED);
        assertThat(verdict(12, Double.NaN, 12)).isEqualTo(Ledger.Verdict.UNDECIDED);
    }

    @Test
    void aFigureThatWasNotMeasuredLeavesItUndecided() {
        assertThat(new Ledger.Figures(STUDY, List.of(Map.of()))
                        .verdict(STUDY.claims().get(0)))
                .isEqualTo(Ledger.Verdict.UNDECIDED);
    }
}

package dev.kelvin.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Values by R 4.2.2's package posterior 1.4.0, and by R's qbeta, to 1e-10 relative. */
class SummaryGoldenTest {
    private static void same(double found, double golden) {
        assertThat(found).isCloseTo(golden, within(1e-10 * Math.abs(golden)));
    }

    /** 4 chains of 51: v ← ¾v + s − 50 with s ← (37 s + 11) mod 101 from s = 7c + 3, v = 0. */
    private static double[][] chains() {
        double[][] chains = new double[4][51];
        for (int c = 0; c < 4; c++) {
            int s = 7 * c + 3;
            double v = 0;
            for (int t = 0; t < 51; t++) {
                s = (37 * s + 11) % 101;
                v = 0.75 * v + (s - 50);
                chains[c][t] = v;
            }
        }
        return chains;
    }

    @Test
    void sizesAndErrors() {
        double[][] x = chains();
        same(EffectiveSampleSize.standardDeviation(x), 81.1746444232122);
        same(MonteCarloError.ofStandardDeviation(x), 3.416962810837368);
        same(EffectiveSampleSize.median(x), 31.14966322145589);
        same(MonteCarloError.ofMedian(x), 11.585743779051123);
        same(MonteCarloError.ofQuantile(x, 0.05), 24.639882495935254);
        same(MonteCarloError.ofQuantile(x, 0.95), 3.1911192864183917);
    }

    @Test
    void theTable() {
        double[][] x = chains();
        double[][] still = new double[4][51];
        Summary summary = Summary.of(List.of("v", "a,b"), i -> i == 0 ? x : still);
        Summary.Row row = summary.row("v");
        same(row.sd(), 46.51111994138557);
        same(row.mcse(), 11.998340499561895);
        same(row.q5(), -74.11359316164395);
        same(row.median(), 5.861012328561218);
        same(row.q95(), 74.87234159883542);
        same(row.essBulk(), 15.138452049023984);
        same(row.rhat(), 1.2307847782634063);
        assertThat(summary.toString().lines().toList())
                .hasSize(3)
                .first()
                .asString()
                .contains("mcse_sd");
        assertThat(summary.toString()).contains(" 1.2308").contains("NaN");
        assertThat(summary.csv().lines().toList())
                .hasSize(3)
                .startsWith("name,mean,sd,mcse,mcse_sd,q5,median,q95,ess_bulk,ess_tail,rhat")
                .last()
                .asString()
                .startsWith("\"a,b\",0.0,0.0,NaN");
        assertThat(summary.json())
                .contains("\"rhat\":1.23078")
                .contains("\"mcse\":null")
                .startsWith("[{\"name\":\"v\"");
        assertThat(summary.worstRhat()).isNaN();
        assertThatThrownBy(() -> summary.row("w")).hasMessage("the summary has no quantity 'w'; it has v, a,b");
    }
}

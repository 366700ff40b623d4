package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.recipe.Study;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.run.StudyRunner;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClaimTableTest {
    private static String words(String rule) {
        return ClaimTable.words(new Study.Claim("i", "", "", rule, Optional.empty(), Optional.empty()).parsed());
    }

    @ParameterizedTest
    @CsvSource({
        "gd.rhat / sgld.rhat >= 10, R-hat of gd ÷ R-hat of sgld is at least 10",
        "a-b.fid < mean(c.fid), FID of a-b is below the mean over the seeds of FID of c",
        "a.acceptance - 0.5 * sd(b.kl) > 0, Acceptance rate of a − 0.5 × the deviation over the seeds of KL(data‖model) of b is above 0",
        "'max(a.fid, b.fid) < (c.fid + 1) / 2', the greatest of (FID of a; FID of b) is below (FID of c + 1) ÷ 2",
        "a.acceptance@start > 0.7, Acceptance rate of a in the first tenth of training is above 0.7",
        "a.accuracy_linf_0.5 <= 1, 'Accuracy under an L∞ attack, ε = 0.5 of a is at most 1'"
    })
    void aRuleIsASentence(String rule, String sentence) {
        assertThat(words(rule)).isEqualTo(sentence);
    }

    /** No figure of a shipped study is told by its name in JSON alone. */
    @ParameterizedTest
    @MethodSource("dev.kelvin.recipe.Study#names")
    void everyRuleOfAShippedStudyHasWords(String study) {
        for (Study.Claim claim : Study.named(study).claims()) {
            assertThat(words(claim.rule())).doesNotContain("_").contains(" is ");
        }
    }

    @Test
    void verdictsHaveTheirColours() {
        assertThat(ClaimTable.verdict(StudyRunner.Verdict.HOLDS)).isEqualTo(Cell.toned(Verdict.GOOD, "✓ holds"));
        assertThat(ClaimTable.verdict(StudyRunner.Verdict.DOES_NOT_HOLD))
                .isEqualTo(Cell.toned(Verdict.POOR, "✕ does not hold"));
        assertThat(ClaimTable.verdict(StudyRunner.Verdict.UNDECIDED))
                .isEqualTo(Cell.toned(Verdict.FAIR, "? undecided"));
    }

    @Test
    void seedsThatAgreeHaveNoRange() {
        double infinite = Double.POSITIVE_INFINITY;
        assertThat(StudyReport.spread(new double[] {infinite, infinite, infinite}))
                .isEqualTo("∞");
        assertThat(StudyReport.spread(new double[] {3, infinite, 1})).isEqualTo("3 (1 to ∞)");
        assertThat(StudyReport.spread(new double[] {2, 2})).isEqualTo("2");
        assertThat(StudyReport.spread(new double[] {2, Double.NaN, 4})).isEqualTo("3 (2 to 4; 1 of 3 not known)");
        assertThat(StudyReport.spread(new double[] {1.0001, 1.0002})).isEqualTo("1.00");
        assertThat(StudyReport.spread(new double[] {Double.NaN})).isEqualTo("not known");
    }
}

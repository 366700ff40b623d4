package dev.kelvin.metric.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.SampleDistance;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.objective.Robust;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FigureTest {
    /** Every name in evaluation.json, in the files of chains and in metrics.jsonl. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kl tv shift_x shift_y sample_shift_x sample_shift_y shift_radius edge_mass",
                "log_likelihood log_likelihood_error true_log_likelihood",
                "sample_tv sample_tv_floor training_tv training_tv_floor long_sample_tv long_sample_tv_floor mmd2 stein",
                "log_z_lower log_z_upper log_z_gap log_z_max log_z_last kl_mean step_ratio step_misfit",
                "fid fid_gaussian fid_share fid_training fid_buffer fid_infinity kid kid_spread kid_infinity is is_data n n_buffer",
                "is_buffer buffer_unlikely",
                "accuracy nll brier ece sample_accuracy temperature",
                "f_training f_held_out f_samples f_noise f_svhn",
                "auroc auroc_noise aupr_noise fpr95_noise auroc_SVHN aupr_SVHN fpr95_SVHN auroc_test_train",
                "rhat rhat_low rhat_high rank_rhat classic_rhat ess ess_bulk ess_tail",
                "acceptance energy_error swap_rates step_size ess_per_second gradients_per_effective_draw",
                "gradients seconds diverged diverged_at steps_trained",
                "loss gap f_positive f_negative l2 cross_entropy beta gradient_norm learning_rate",
                "grad_scale w_positive effective_negatives lighter_half",
                Robust.GRAD_SCALE + " " + Robust.POSITIVE_WEIGHT + " " + Robust.EFFECTIVE_NEGATIVES,
                Robust.LIGHTER_HALF + " " + Robust.BETA + " " + "cross_entropy"
            })
    void whatIsWrittenIsDeclared(String names) {
        for (String name : names.split(" ", -1)) {
            assertThat(Figure.find(name)).as(name).isPresent();
            assertThat(Figure.named(name).name()).isEqualTo(name);
        }
    }

    @Test
    void namesAndTitlesAreUniqueAndMeaningsAreSentences() {
        HashSet<String> names = new HashSet<>();
        HashSet<String> titles = new HashSet<>();
        for (Figure figure : Figure.all()) {
            assertThat(names.add(figure.name())).as(figure.name()).isTrue();
            assertThat(titles.add(figure.title())).as(figure.title()).isTrue();
            assertThat(figure.meaning()).as(figure.name()).endsWith(".");
            figure.companion()
                    .ifPresent(other -> assertThat(Figure.find(other.name())).isPresent());
        }
    }

    /** Where a figure stops being good, and where it starts being poor. */
    @ParameterizedTest
    @CsvSource({
        "kl, 0.099, GOOD",
        "kl, 0.1, FAIR",
        "kl, 0.499, FAIR",
        "kl, 0.5, POOR",
        "kl, Infinity, POOR",
        "kl, NaN, POOR",
        "kl_mean, 0.099, GOOD",
        "kl_mean, 0.499, FAIR",
        "kl_mean, 0.5, POOR",
        "tv, 0.099, GOOD",
        "tv, 0.299, FAIR",
        "tv, 0.3, POOR",
        "log_z_max, 0.099, GOOD",
        "log_z_max, 0.499, FAIR",
        "log_z_max, 0.5, POOR",
        "log_z_gap, 0.099, GOOD",
        "log_z_gap, 0.99, FAIR",
        "log_z_gap, 1, POOR",
        "acceptance, 0.149, POOR",
        "acceptance, 0.25, FAIR",
        "acceptance, 0.6, GOOD",
        "acceptance, 0.9, GOOD",
        "acceptance, 0.97, FAIR",
        "acceptance, 0.971, POOR",
        "ece, 0.049, GOOD",
        "ece, 0.149, FAIR",
        "ece, 0.69, POOR",
        "acceptance, NaN, POOR",
        "edge_mass, 0.0099, NONE",
        "edge_mass, 0.011, POOR",
        "auroc_noise, 0.951, GOOD",
        "auroc_svhn, 0.949, FAIR",
        "auroc_svhn, 0.701, FAIR",
        "auroc_svhn, 0.699, POOR",
        "auroc_test_train, 0.6, NONE",
        "lighter_half, 0.019, POOR",
        "lighter_half, 0.02, NONE",
        "grad_scale, 0.049, POOR",
        "grad_scale, 0.05, NONE",
        "rhat, 1.009, GOOD",
        "rhat, 1.01, FAIR",
        "rhat, 1.1, POOR",
        "rhat, NaN, POOR",
        "ess_bulk, 400, GOOD",
        "ess_bulk, 399, POOR",
        "ess_tail, 399, POOR",
        "energy_error, 0.99, GOOD",
        "energy_error, 1, POOR",
        "swap_rates, 0.09, POOR",
        "swap_rates, 0.1, NONE",
        "mmd2, 3, NONE",
        "mmd2, NaN, NONE",
        "fid, 1, NONE",
        "sample_tv, 0.01, NONE",
        "n, 5, NONE",
    })
    void thresholds(String name, double value, Verdict expected) {
        assertThat(Figure.named(name).verdict(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "sample_tv, 0.14, sample_tv_floor, 0.1, GOOD",
        "sample_tv, 0.16, sample_tv_floor, 0.1, FAIR",
        "sample_tv, 0.26, sample_tv_floor, 0.1, POOR",
        "sample_tv, NaN, sample_tv_floor, 0.1, POOR",
        "long_sample_tv, 0.16, long_sample_tv_floor, 0.1, FAIR",
        "fid, 49, fid_gaussian, 100, GOOD",
        "fid, 51, fid_gaussian, 100, FAIR",
        "fid, 101, fid_gaussian, 100, POOR",
        "fid, 49, fid_gaussian, NaN, NONE",
        "fid_buffer, 49, fid_gaussian, 100, GOOD",
        "log_likelihood, -2, log_likelihood_error, 0.1, NONE",
    })
    void someAreJudgedByTheirCompanion(String name, double value, String other, double found, Verdict expected) {
        Map<String, Double> figures = Map.of(name, value, other, found);
        assertThat(Figure.named(name).verdict(figures)).isEqualTo(expected);
    }

    @Test
    void theNumberThatIsJudged() {
        Map<String, Double> figures =
                Map.of("sample_tv", 0.5, "sample_tv_floor", 0.25, "fid", 3.0, "fid_gaussian", 4.0);
        assertThat(SampleDistance.SAMPLE_TV.judged(figures)).hasValue(0.25);
        assertThat(FrechetDistance.FID.judged(figures)).hasValue(0.75);
        assertThat(GridDensity.KL.judged(figures)).isEmpty();
        assertThat(FrechetDistance.FID.judged(Map.of("fid", 3.0))).isEmpty();
        assertThat(HeldOut.LOG_LIKELIHOOD.judged(Map.of("log_likelihood", -2.0, "log_likelihood_error", 0.1)))
                .hasValue(-2);
    }

    @Test
    void aFamilysMemberHasItsNameInItsWords() {
        Figure figure = Figure.named("auroc_street_view");
        assertThat(figure.name()).isEqualTo("auroc_street_view");
        assertThat(figure.title()).isEqualTo("AUROC against street view");
        assertThat(figure.meaning()).contains("than at one of street view;");
        assertThat(figure.good()).isEqualTo(0.95);
        assertThat(Figure.named("auroc_test_train")).isEqualTo(OutOfDistribution.AUROC_TEST_TRAIN);
        assertThat(Figure.named("f_positive")).isEqualTo(TrainingFigures.POSITIVE);
        assertThat(Figure.find("auroc_")).isEmpty();
    }

    @Test
    void anUndeclaredNameIsItsOwnTitle() {
        assertThat(Figure.find("from-the-future")).isEmpty();
        Figure figure = Figure.named("from-the-future");
        assertThat(figure.title()).isEqualTo("from-the-future");
        assertThat(figure.verdict(1)).isEqualTo(Verdict.NONE);
        assertThat(figure.best(1, 2)).isEmpty();
    }

    @Test
    void theBestOfSeveral() {
        assertThat(GridDensity.KL.best(0.3, Double.NaN, 0.1)).hasValue(0.1);
        assertThat(GridDensity.KL.best(Double.POSITIVE_INFINITY, 0.1)).hasValue(0.1);
        assertThat(HeldOut.LOG_LIKELIHOOD.best(-3, -1, -2)).hasValue(-1);
        assertThat(GridDensity.SHIFT_X.best(-0.1, 0.2)).hasValue(-0.1);
        assertThat(ChainFigures.ACCEPTANCE.best(0.1, 0.99, 0.9)).hasValue(0.9);
        for (OptionalDouble none : List.of(
                ChainFigures.ACCEPTANCE.best(0.4, 0.9),
                ModelFigures.SAMPLES.best(1, 2),
                GridDensity.KL.best(0.1, 0.1),
                GridDensity.KL.best(0.1, Double.NaN),
                GridDensity.KL.best())) {
            assertThat(none).isEmpty();
        }
    }

    @Test
    void orderedAsDeclared() {
        Map<String, Double> figures = new HashMap<>();
        for (String name : List.of("n", "from-the-future", "fid", "auroc_noise", "tv", "kl")) {
            figures.put(name, 1.0);
        }
        assertThat(Figure.ordered(figures.keySet()))
                .extracting(Figure::name)
                .containsExactly("kl", "tv", "fid", "auroc_noise", "n", "from-the-future");
        assertThat(Figure.ordered(List.of("auroc_b", "auroc_a", "auroc_b")))
                .extracting(Figure::name)
                .containsExactly("auroc_b", "auroc_a");
    }

    @Test
    void aNameThatFilesCouldNotHoldIsRefused() {
        for (String name : List.of("", "K L", "kl*", "1st", "*")) {
            assertThatThrownBy(() -> Figure.of(name, "t").meaning("m."))
                    .hasMessageContaining("lower-case letters, digits and underscores")
                    .hasMessageContaining("'" + name + "'");
        }
    }
}

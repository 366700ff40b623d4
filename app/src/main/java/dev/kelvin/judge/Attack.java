package dev.kelvin.judge;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.ProjectedGradient;
import dev.kelvin.metric.ProjectedGradient.Norm;
import dev.kelvin.metric.Scores;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Accuracy of a model's own p(y|x) on held-out images under attack, and after their refinement by some steps of the recipe's
 * kernel on f.
 *
 * @param epsilons radii in units of the range from black to white, so that they mean the same for every recipe; none:
 *     the usual ones of each norm
 * @param refine steps of the kernel before an image is classified; 0: none
 * @param images how many, at most
 */
public record Attack(List<Norm> norms, List<Double> epsilons, int refine, int images) {
    private static final Key KEY = KeyDomain.ATTACK.key();
    private static final int BATCH = 128;
    private static final Map<Norm, List<Double>> USUAL =
            Map.of(Norm.LINF, List.of(0.01, 0.03, 0.1), Norm.L2, List.of(0.1, 0.3, 1.0));

    /** Checks the numbers. */
    public Attack {
        norms = List.copyOf(norms);
        epsilons = List.copyOf(epsilons);
        epsilons.forEach(epsilon -> Check.notNegative("--epsilon", epsilon));
        Check.atLeast("--refine", refine, 0);
        Check.atLeast("-n", images, 1);
    }

    /** With 0, where the curves begin. */
    private List<Double> radii(Norm norm) {
        List<Double> wanted = epsilons.isEmpty() ? USUAL.getOrDefault(norm, List.of()) : epsilons;
        return Stream.concat(Stream.of(0.0), wanted.stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** The accuracies by their figures' names. */
    public Map<String, Double> figures(Experiment experiment, ImageDataset data, WorkListener listener) {
        if (!experiment.recipe().form().hasLabels()) {
            throw new UserException("--attack and --refine are about p(y|x), and the model of "
                    + experiment.recipe().name() + " knows no classes; train one with 'classes: head'");
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        long[] rows = ImageDataset.rows(KEY.child(0), data.test(), images);
        int all = norms.stream().mapToInt(norm -> radii(norm).size()).sum();
        for (Norm norm : norms) {
            for (double epsilon : radii(norm)) {
                listener.at("attacks", figures.size() / (refine > 0 ? 2 : 1), all);
                double[] found = accuracies(experiment, data, rows, Optional.of(norm), epsilon);
                String text = BigDecimal.valueOf(epsilon).stripTrailingZeros().toPlainString();
                figures.put(ProjectedGradient.name(norm, false, text), found[0]);
                if (refine > 0) {
                    figures.put(ProjectedGradient.name(norm, true, text), found[1]);
                }
            }
        }
        if (refine > 0) {
            double[] found = accuracies(experiment, data, rows, Optional.empty(), 0);
            figures.put(Calibration.ACCURACY_REFINED.name(), found[1]);
        }
        return figures;
    }

    /** What it was, in words. */
    String words(ImageDataset data) {
        return Math.min(images, data.test().count()) + " held-out images; "
                + (norms.isEmpty()
                        ? "no attack"
                        : ProjectedGradient.STEPS
                                + " steps of projected gradients from a random start, ε in units of the pixels' range")
                + (refine > 0 ? "; refined by " + refine + " steps of the recipe's kernel on f" : "");
    }

    /** As attacked, and after the refinement. */
    private double[] accuracies(
            Experiment experiment, ImageDataset data, long[] rows, Optional<Norm> norm, double epsilon) {
        PixelRange range = data.range().orElseThrow();
        double[] right = new double[2];
        for (int from = 0; from < rows.length; from += BATCH) {
            try (Scope scope = Scope.open()) {
                long[] some = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + BATCH));
                long[] labels = Arrays.stream(some).map(data.test()::label).toArray();
                JointDensity joint = experiment.model().joint();
                Tensor x = data.learnt(data.test().images(some));
                if (norm.isPresent() && epsilon > 0) {
                    double radius = epsilon * (range.high() - range.low());
                    x = new ProjectedGradient(norm.get(), radius, ProjectedGradient.STEPS, range.low(), range.high())
                            .attack(KEY.child(1).child(from), joint.logOdds(labels), x);
                }
                right[0] += right(joint, x, labels);
                if (refine > 0) {
                    Key key = KEY.child(2).child(from);
                    right[1] += right(joint, experiment.drawn(SampleRequest.refined(key, x, refine)), labels);
                }
            }
        }
        return new double[] {right[0] / rows.length, right[1] / rows.length};
    }

    private static long right(JointDensity joint, Tensor x, long... labels) {
        Scores scores = Scores.of(joint, x, OodScore.F);
        return IntStream.range(0, labels.length)
                .filter(i -> scores.predicted(i) == labels[i])
                .count();
    }
}

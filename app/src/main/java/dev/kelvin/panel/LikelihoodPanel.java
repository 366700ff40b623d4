package dev.kelvin.panel;

import dev.kelvin.judge.Evaluation;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.sample.anneal.PartitionFunction;
import java.util.ArrayList;
import java.util.List;

/** How likely held-out rows are: the model's likelihood with its bounds, whether to believe it, and a Gaussian's beside it. */
record LikelihoodPanel(Evaluation evaluation) {
    static final String NOT_KNOWN = "not known";

    private static final Cell NONE = Cell.words("–");

    Section section() {
        List<List<Cell>> rows = new ArrayList<>();
        double known = evaluation.value(HeldOut.LOG_LIKELIHOOD);
        double lower = evaluation.value(TableFigures.LOWER);
        double upper = evaluation.value(TableFigures.UPPER);
        rows.add(List.of(
                Cell.words("The model", "log Z by annealed importance sampling, forwards and backwards"),
                Double.isNaN(known) ? Cell.marked(NOT_KNOWN, apart(upper - lower)) : value(known),
                value(lower),
                value(upper)));
        evaluation.figure(ModelFigures.LEARNT_LOG_LIKELIHOOD).ifPresent(learnt -> {
            rows.add(List.of(
                    Cell.words(
                            "The model, by its learnt normaliser",
                            "by the normaliser that a time-joint model learns; log Z, which should be 0, says how far that is"
                                    + " off"),
                    value(learnt),
                    NONE,
                    NONE));
        });
        rows.add(List.of(
                Cell.words("A fitted Gaussian", "with the mean and the covariance of the training rows"),
                value(evaluation.value(TableFigures.OF_GAUSSIAN)),
                NONE,
                NONE));
        return new Section(
                "How likely are held-out rows?",
                new Paragraphs(sentences(known, lower, upper)),
                new TableBlock(
                        "Mean log-likelihood of held-out rows, in nats and in the table's units",
                        List.of("By", "Mean log-likelihood", "Lower bound", "Upper bound"),
                        rows));
    }

    private static Cell value(double value) {
        return Double.isFinite(value) ? Cell.words(number(value)) : NONE;
    }

    /** To a hundredth of a nat, however large. */
    private static String number(double value) {
        return Words.say("%.2f", value).replace('-', '−');
    }

    private static String apart(double gap) {
        return Double.isNaN(gap)
                ? "log Z was not measured"
                : gap < 0
                        ? "the bounds contradict each other by " + number(-gap) + " nats"
                        : "the bounds lie " + number(gap) + " nats apart";
    }

    private List<String> sentences(double known, double lower, double upper) {
        List<String> sentences = new ArrayList<>();
        double gap = upper - lower;
        double gaussian = evaluation.value(TableFigures.OF_GAUSSIAN);
        if (!Double.isNaN(known)) {
            sentences.add((PartitionFunction.verdict(gap) == PartitionFunction.Verdict.KNOWN
                            ? "The likelihood is known: "
                            : "The likelihood is roughly known: ")
                    + "the true one lies between the bounds, which are " + number(gap) + " nats apart"
                    + (evaluation.figure(ModelFigures.LOG_Z_UPPER).isPresent()
                            ? ", if the samples that the upper bound of log Z starts from are the model's."
                            : "."));
            double more = known - gaussian;
            sentences.add(
                    more >= 0
                            ? "A held-out row is likelier under the model than under the Gaussian by " + number(more)
                                    + " nats in the mean."
                            : "A held-out row is less likely under the model than under the Gaussian, by "
                                    + number(-more)
                                    + " nats in the mean: the model adds nothing to it, or overfits the training rows.");
        } else {
            sentences.add(
                    "The likelihood is not known: " + apart(gap)
                            + ", and any number between would be a guess. f still ranks rows, and quantiles and alarms hold; log p is not given.");
            if (gap >= 0 && lower > gaussian) {
                sentences.add("Even its lower bound is above the Gaussian's.");
            }
        }
        evaluation
                .figure(TableFigures.EFFECTIVE)
                .ifPresent(effective -> sentences.add(Words.say(
                        "log Z lies between %s and %s in the model's coordinates; the effective sample size of %d chains is %.1f.",
                        number(evaluation.value(ModelFigures.LOG_Z_LOWER)),
                        number(evaluation.value(ModelFigures.LOG_Z_UPPER)),
                        PartitionFunction.Settings.USUAL.chains(),
                        effective)));
        return sentences;
    }
}

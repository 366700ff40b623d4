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
import java.util.OptionalDouble;

/** How likely held-out rows are: the model's likelihood with its bounds, whether to believe it, and a Gaussian's beside it. */
final class LikelihoodPanel {
    static final String NOT_KNOWN = "not known";

    private static final Cell NONE = Cell.words("–");

    private final Evaluation evaluation;

    LikelihoodPanel(Evaluation evaluation) {
        this.evaluation = evaluation;
    }

    Section section() {
        List<List<Cell>> rows = new ArrayList<>();
        OptionalDouble known = figure(HeldOut.LOG_LIKELIHOOD.name());
        OptionalDouble lower = figure(TableFigures.LOWER.name());
        OptionalDouble upper = figure(TableFigures.UPPER.name());
        rows.add(List.of(
                Cell.words("The model", "log Z by annealed importance sampling, forwards and backwards"),
                known.isPresent() ? value(known) : Cell.marked(NOT_KNOWN, apart(lower, upper)),
                value(lower),
                value(upper)));
        OptionalDouble learnt = figure(ModelFigures.LEARNT_LOG_LIKELIHOOD.name());
        if (learnt.isPresent()) {
            rows.add(List.of(
                    Cell.words(
                            "The model, by its learnt normaliser",
                            "by the normaliser that a time-joint model learns; log Z, which should be 0, says how far that is"
                                    + " off"),
                    value(learnt),
                    NONE,
                    NONE));
        }
        rows.add(List.of(
                Cell.words("A fitted Gaussian", "with the mean and the covariance of the training rows"),
                value(figure(TableFigures.OF_GAUSSIAN.name())),
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

    private OptionalDouble figure(String name) {
        return evaluation.figure(name);
    }

    private static Cell value(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble())
                ? Cell.words(number(value.getAsDouble()))
                : NONE;
    }

    /** To a hundredth of a nat, however large. */
    private static String number(double value) {
        return Words.say("%.2f", value).replace('-', '−');
    }

    private static String apart(OptionalDouble lower, OptionalDouble upper) {
        double gap = upper.orElse(Double.NaN) - lower.orElse(Double.NaN);
        return Double.isNaN(gap)
                ? "log Z was not measured"
                : gap < 0
                        ? "the bounds contradict each other by " + number(-gap) + " nats"
                        : "the bounds lie " + number(gap) + " nats apart";
    }

    private List<String> sentences(OptionalDouble known, OptionalDouble lower, OptionalDouble upper) {
        List<String> sentences = new ArrayList<>();
        double gap = upper.orElse(Double.NaN) - lower.orElse(Double.NaN);
        OptionalDouble gaussian = figure(TableFigures.OF_GAUSSIAN.name());
        if (known.isPresent()) {
            sentences.add((PartitionFunction.verdict(gap) == PartitionFunction.Verdict.KNOWN
                            ? "The likelihood is known: "
                            : "The likelihood is roughly known: ")
                    + "the true one lies between the bounds, which are " + number(gap) + " nats apart"
                    + (figure(ModelFigures.LOG_Z_UPPER.name()).isPresent()
                            ? ", if the samples that the upper bound of log Z starts from are the model's."
                            : "."));
            double more = known.getAsDouble() - gaussian.orElse(Double.NaN);
            sentences.add(
                    more >= 0
                            ? "A held-out row is likelier under the model than under the Gaussian by " + number(more)
                                    + " nats in the mean."
                            : "A held-out row is less likely under the model than under the Gaussian, by "
                                    + number(-more)
                                    + " nats in the mean: the model adds nothing to it, or overfits the training rows.");
        } else {
            sentences.add(
                    "The likelihood is not known: " + apart(lower, upper)
                            + ", and any number between would be a guess. f still ranks rows, and quantiles and alarms hold; log p is not given.");
            if (gap >= 0 && lower.orElse(Double.NaN) > gaussian.orElse(Double.NaN)) {
                sentences.add("Even its lower bound is above the Gaussian's.");
            }
        }
        figure(TableFigures.EFFECTIVE.name())
                .ifPresent(effective -> sentences.add(Words.say(
                        "log Z lies between %s and %s in the model's coordinates; the effective sample size of %d chains is %.1f.",
                        number(figure(ModelFigures.LOG_Z_LOWER.name()).orElse(Double.NaN)),
                        number(figure(ModelFigures.LOG_Z_UPPER.name()).orElse(Double.NaN)),
                        PartitionFunction.Settings.USUAL.chains(),
                        effective)));
        return sentences;
    }
}

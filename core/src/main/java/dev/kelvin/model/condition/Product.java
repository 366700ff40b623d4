package dev.kelvin.model.condition;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.model.Model;
import dev.kelvin.model.Precision;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Backend;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Trained models multiplied: the density exp(Σᵢ wᵢ fᵢ/Tᵢ), each model with the temperature that its own chains sample at. One
 * model alone is the product of one.
 *
 * @param first the model whose sampler is used; its weight is 1
 */
public record Product(Model first, List<Factor> others) {
    /** A further model. */
    public record Factor(String name, Model model, double weight) {}

    public Product {
        others = List.copyOf(others);
        for (Factor other : others) {
            requireFit(first, other);
        }
    }

    /** One model alone. */
    public static Product of(Model only) {
        return new Product(only, List.of());
    }

    private static void requireFit(Model first, Factor other) {
        String why = misfit(first, other.model);
        if (!why.isEmpty()) {
            throw new InvalidInputException("--with " + other.name + " cannot be combined with the run: " + why);
        }
    }

    /** Why two models cannot be multiplied; empty where they can. */
    private static String misfit(Model first, Model second) {
        if (second.latent().isPresent()) {
            return "its chains run on latent vectors, and it has no density of images";
        }
        if (!first.shape().equals(second.shape())) {
            return "its samples have the shape " + second.shape() + ", those of the first model " + first.shape();
        }
        if (!scaling(first).equals(scaling(second))) {
            return "its table has other columns, or scales them otherwise, so that the same numbers are other rows";
        }
        if (!first.range().equals(second.range())) {
            return "black and white are " + range(second) + " there, and " + range(first) + " in the first model";
        }
        if (!first.chainSettings().hasTemperature() || !second.chainSettings().hasTemperature()) {
            return "the chains of one of the two have no noise, so that its density exp(f/T) has no temperature";
        }
        return first.timeline()
                .filter(times -> !path(first).equals(path(second)))
                .map(times -> second.timeline().isEmpty()
                        ? "the first model's chains are annealed through its times, and this one has none; name this one first"
                        : "its times, or the noise at the first of them, are others than the first model's")
                .orElse("");
    }

    /** The columns of a model of a table, and how they are scaled. */
    private static Optional<List<Object>> scaling(Model model) {
        return model.card().samples().rows().map(rows -> List.of(rows.schema(), rows.scaling()));
    }

    private static String range(Model model) {
        return model.range()
                .map(range -> Words.number(range.low()) + " and " + Words.number(range.high()))
                .orElse("nothing");
    }

    private Stream<Model> all() {
        return Stream.concat(Stream.of(first), others.stream().map(Factor::model));
    }

    /**
     * Sees to it that f has the digits that chains need: those of a GPU's convolutions are rounded only where all models were
     * trained so, and there is no accept/reject step.
     */
    public void requireDigits(Optional<Kernel<?>> other) {
        boolean adjusted =
                other.orElseGet(() -> first.chainSettings().kernel()).traits().adjusted();
        for (Model model : all().toList()) {
            if (adjusted && model.card().precision() == Precision.BFLOAT16) {
                throw new InvalidInputException("a kernel with an accept/reject step cannot sample " + model.name()
                        + ", whose f has three digits (train.precision: bfloat16), which decide nothing; name one without,"
                        + " such as langevin");
            }
        }
        Backend.roundConvolutions(
                !adjusted && all().allMatch(each -> each.card().precision() == Precision.TF32));
    }

    /** What the noise at each time is. */
    private static Optional<List<Object>> path(Model model) {
        return model.timeline().map(times -> List.of(times.times(), times.mean(), times.std(), times.mixing()));
    }

    /** What a kernel walks on to sample the product: a factor on the first f, and the temperature of the kernel's target. */
    private record Scale(double first, double temperature) {}

    /** The recipe's kernel walks on f; another at T = 1 on f/T, any other on f, as in training. */
    private Scale scale(Optional<Kernel<?>> other) {
        if (other.isEmpty()) {
            return new Scale(1, first.temperature());
        }
        OptionalDouble own = other.get().traits().temperature();
        return own.equals(OptionalDouble.of(1))
                ? new Scale(1 / first.temperature(), 1)
                : new Scale(1, own.orElseGet(first::temperature));
    }

    /** What the first model is multiplied with, in words that follow its own. */
    public String words() {
        return others.stream()
                .map(other -> " times that of " + other.name
                        + (other.weight == 1 ? "" : " to the power " + Words.number(other.weight)))
                .collect(Collectors.joining());
    }

    /** T of the density exp(·/T) that a kernel samples: what is added to a density for it must be times that. */
    double temperature(Optional<Kernel<?>> other) {
        return scale(other).temperature;
    }

    /** The sum of the models' parts: such as each one's density of the data. */
    private LogDensity sum(Optional<Kernel<?>> other, Function<Model, LogDensity> part) {
        Scale scale = scale(other);
        LogDensity sum = part.apply(first).scaled(scale.first);
        for (Factor factor : others) {
            double share = factor.weight * scale.temperature / factor.model.temperature();
            sum = sum.plus(part.apply(factor.model).scaled(share));
        }
        return sum;
    }

    /** For a kernel, the recipe's where none is named, the density of so many samples, all of a class where one is wanted. */
    public LogDensity density(Optional<Kernel<?>> kernel, Optional<String> wanted, int rows) {
        return sum(
                kernel,
                model -> wanted.filter(name -> model.hasClasses())
                        .map(name -> model.given(labels(model, name, rows)))
                        .orElseGet(model::logDensity));
    }

    /** The same at a time, of time-joint models. */
    LogDensity at(Optional<Kernel<?>> kernel, int t) {
        return sum(
                kernel,
                model -> model.joint().mixture(model.timeline().orElseThrow().at(t)));
    }

    private static long[] labels(Model model, String name, int rows) {
        long label = model.classNamed(name);
        return LongStream.generate(() -> label).limit(rows).toArray();
    }

    /** Refuses a class that one of the models with classes does not know, or where none has any. */
    void requireClass(String name) {
        List<Model> asked = all().filter(model -> model.hasClasses()).toList();
        (asked.isEmpty() ? List.of(first) : asked).forEach(model -> labels(model, name, 0));
    }

    /** The components by which the first model's step sizes are adapted. */
    long[] components(Optional<String> wanted, int rows) {
        return wanted.filter(name -> first.hasClasses())
                .map(name -> labels(first, name, rows))
                .orElseGet(() -> new long[rows]);
    }
}

package dev.kelvin.cli.option;

import dev.kelvin.model.Model;
import dev.kelvin.model.condition.Product;
import dev.kelvin.part.Check;
import dev.kelvin.run.RunFolder;
import dev.kelvin.sample.Kernel;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** {@code --with RUN[*WEIGHT]}: other runs' models, with which the run's model is multiplied. */
public final class Factors {
    @Option(
            names = "--with",
            paramLabel = "RUN[*WEIGHT]",
            description = "multiply by another model's density to the power of a weight (default: 1); repeatable")
    private List<String> with = List.of();

    /** Whether there are other models. */
    public boolean given() {
        return !with.isEmpty();
    }

    /** The words of a command that multiplies with the same models. */
    public List<String> words() {
        return with.stream().flatMap(each -> Stream.of("--with", each)).toList();
    }

    /**
     * A model times the others.
     *
     * @param product of all models
     */
    public record Multiplied(Product product) implements AutoCloseable {
        /** Closes the others; the first model is its owner's. */
        @Override
        public void close() {
            product.others().forEach(factor -> factor.model().close());
        }
    }

    /**
     * Loads the other models, of the checkpoints that are judged, and multiplies a model with them.
     *
     * @param kernel a kernel to be used in the place of the model's own
     */
    public Multiplied times(Model first, Optional<Kernel<?>> kernel) throws IOException {
        if (given()) {
            requireDensity(first);
        }
        List<Product.Factor> factors = new ArrayList<>();
        try {
            for (String text : with) {
                int star = text.lastIndexOf('*');
                String path = star < 0 ? text : text.substring(0, star);
                double weight = star < 0 ? 1 : weight(text.substring(star + 1));
                RunFolder folder = RunFolder.open(Path.of(path));
                Model model = Model.load(folder.path(), folder.card().judged(), first.device());
                factors.add(new Product.Factor(path, model, weight));
                folder.requireSettings(model, false);
            }
            Product product = new Product(first, factors);
            product.requireDigits(kernel);
            return new Multiplied(product);
        } catch (IOException | RuntimeException e) {
            factors.forEach(factor -> factor.model().close());
            throw e;
        }
    }

    /** Refuses a latent model: its images come from the generator, and chains have no density of images to run on. */
    public static void requireDensity(Model model) {
        if (model.latent().isPresent()) {
            throw new UserException("this needs a density of images, and the chains of " + model.name()
                    + " run on latent vectors; 'kelvin sample' without --with draws images of it");
        }
    }

    private static double weight(String text) {
        try {
            return Check.finite("--with", Double.parseDouble(text));
        } catch (NumberFormatException e) {
            throw new UserException(
                    "--with takes RUN or RUN*WEIGHT, such as runs/digits*0.5; found the weight '" + text + "'");
        }
    }
}

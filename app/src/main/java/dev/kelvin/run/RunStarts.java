package dev.kelvin.run;

import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.GaussianFile;
import dev.kelvin.dataset.ImageSettings;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Start;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Device;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The beginnings of a run's chains where they start at its data, which are opened for that and stay open.
 *
 * @param moved the recipe with its data where they lie now
 * @param accept whether other data than those of the run are accepted, and written down, rather than refused
 */
public record RunStarts(RunFolder folder, UnaryOperator<Recipe> moved, ModelCard card, Device device, boolean accept)
        implements Model.DataStarts {
    @Override
    public SampleSource of(Start start) {
        Recipe recipe = moved.apply(folder.recipe(List.of()));
        if (start instanceof Start.ClassGaussianStart && recipe.data() instanceof ImageSettings images) {
            List<String> classes = card.components() instanceof ComponentKind.Classes kinds ? kinds.names() : List.of();
            Optional<GaussianFile> fitted = Optional.of(folder.provenance())
                    .filter(Files::exists)
                    .flatMap(file -> Provenance.read(file).unchangedData())
                    .map(hash -> new GaussianFile(GaussianFile.path(images.set(), hash, !classes.isEmpty()), hash));
            if (fitted.filter(GaussianFile::isThere).isPresent()) {
                int each = Math.max(1, classes.size());
                return fitted.get().draws(card.samples().images().orElseThrow(), each, device);
            }
        }
        folder.requireData(recipe);
        try {
            Data data = Experiment.open(recipe, device);
            new Runner(folder, device).requireData(recipe, data, accept);
            return Experiment.starts(recipe, data, start, device);
        } catch (IOException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }
}

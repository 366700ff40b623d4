package dev.kelvin.experiment;

import dev.kelvin.data.table.scale.TableUnits;
import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.TableSettings;
import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.ModelCard;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.recipe.Buffer;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a run's folder has for those who load its model without its recipe: see {@link dev.kelvin.model.Model}. */
public record ModelFiles(Experiment experiment) {
    /** The names of these files, of a run of this recipe. */
    public static List<String> names(Recipe recipe) {
        return recipe.data() instanceof TableSettings
                ? List.of(TableUnits.FILE, ModelCard.FILE, ChainSettings.FILE)
                : List.of(ModelCard.FILE, ChainSettings.FILE);
    }

    /** Writes all of it. */
    public void write(Path run) throws IOException {
        Optional<TableUnits> table = experiment.data().table();
        if (table.isPresent()) {
            table.get().write(run);
        }
        card().write(run);
        chains().write(run);
    }

    private ModelCard card() {
        Data data = experiment.data();
        Recipe recipe = experiment.recipe();
        return new ModelCard(
                data.shape(),
                data.range(),
                recipe.classes().isPresent() ? data.classes() : List.of(),
                recipe.negatives().temperature());
    }

    /** The chains of samples as the command line draws them: the replay buffer's only where those walked on f itself. */
    private ChainSettings chains() {
        Negatives negatives = experiment.recipe().negatives();
        boolean fresh = experiment.sampler().negativesDiffer()
                || negatives.sampleSteps().isPresent();
        return new ChainSettings(
                negatives.start(),
                negatives.kernel(),
                negatives.freshSteps(),
                fresh ? 0 : negatives.buffer().map(Buffer::size).orElse(0),
                negatives.adapt(),
                experiment.recipe().classes().isPresent()
                        && experiment.recipe().objective().compares() == ContrastedDensity.GIVEN);
    }
}

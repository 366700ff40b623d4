package dev.kelvin.run;

import dev.kelvin.dataset.ImageSettings;
import dev.kelvin.experiment.Components;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.ModelCard;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The card of a run's model; of a run of the last version made from what that kept of it: {@code model.json} without a format,
 * {@code table.json}, {@code chains.json}, {@code reference.json}, facts in {@code provenance.json}, and the recipe.
 */
public final class SavedCard {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String TABLE = "table.json";
    private static final String CHAINS = "chains.json";
    private static final String REFERENCE = "reference.json";

    /** The files of the last version that are in the card now. */
    static final List<String> OLD = List.of(TABLE, CHAINS, REFERENCE);

    private final Path run;

    private SavedCard(Path run) {
        this.run = run;
    }

    /** The card of a run, converted if the last version wrote it. */
    public static ModelCard of(Path run) throws IOException {
        convert(run);
        return ModelCard.read(run);
    }

    /** What a run's model is compared with, where that is known; a damaged card is about to be written again. */
    static Optional<HeldOutReference> reference(Path run) throws IOException {
        try {
            return of(run).reference();
        } catch (UnreadableFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Converts a run of the last version; the card is written before older files are removed, and no other file is touched.
     *
     * @return whether there was anything to convert
     */
    public static boolean convert(Path run) throws IOException {
        if (!Files.isDirectory(run)) {
            throw new UserException("there is no run at " + run);
        }
        SavedCard saved = new SavedCard(run);
        boolean old = !ModelCard.isIn(run) || !saved.tree(ModelCard.FILE).has("format");
        if (old) {
            saved.write();
        }
        for (String file : OLD) {
            Files.deleteIfExists(run.resolve(file));
        }
        return old;
    }

    private void write() throws IOException {
        Path recipe = run.resolve(RunFolder.RECIPE);
        if (Files.exists(recipe)) {
            card(RunFolder.open(run).recipe(List.of())).write(run);
        } else if (Files.exists(run.resolve(CHAINS))) {
            AtomicFile.write(run.resolve(ModelCard.FILE), JSON.writeValueAsString(javas()));
        } else {
            throw new UserException(run + " is not a run: it has no " + RunFolder.RECIPE);
        }
    }

    /** Of a run with a recipe. */
    private ModelCard card(Recipe recipe) throws IOException {
        ObjectNode whole = whole(recipe.name(), recipe.train().seed(), samples(recipe), 1);
        ModelCard read = JsonFile.read(
                run.resolve(ModelCard.FILE), remedy(), text -> ModelCard.parse(JSON.writeValueAsString(whole)));
        List<String> classes = tree(ModelCard.FILE)
                .path("classes")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        ComponentKind kind = Components.of(recipe, classes).kind(read.samples().shape());
        return Experiment.card(recipe, read.samples(), kind).withReference(read.reference());
    }

    /** Of a run of {@code ModelTraining}, which has no recipe. */
    private ObjectNode javas() throws IOException {
        long seed = new Checkpoints(run.resolve("checkpoints"))
                .newest()
                .map(Checkpoints.Header::seed)
                .orElse(0L);
        ObjectNode chains = (ObjectNode) tree(CHAINS);
        chains.remove("byColumn");
        chains.put("byComponent", false).put("together", 1).put("samplingScale", 1);
        double temperature = tree(ModelCard.FILE).path("temperature").asDouble(1);
        ObjectNode whole = whole("ModelTraining", seed, samples(), temperature);
        whole.set("chains", chains);
        return whole;
    }

    /** A card without chains, of a model with one component. */
    private ObjectNode whole(String name, long seed, ObjectNode samples, double temperature) throws IOException {
        ObjectNode whole = JSON.createObjectNode();
        whole.put("format", ModelCard.FORMAT).put("name", name).put("seed", seed);
        whole.set("samples", samples);
        whole.set("components", JSON.createObjectNode().put("kind", "none"));
        whole.put("temperature", temperature).put("precision", "FLOAT").put("best", false);
        whole.set("reference", Files.exists(run.resolve(REFERENCE)) ? tree(REFERENCE) : JSON.nullNode());
        return whole;
    }

    private ObjectNode samples(Recipe recipe) throws IOException {
        ObjectNode samples = samples();
        Path provenance = run.resolve(RunFolder.PROVENANCE);
        Map<String, String> facts =
                Files.exists(provenance) ? Provenance.read(provenance).facts() : Map.of();
        if (recipe.data() instanceof ImageSettings images && images.dequantise()) {
            samples.put("shades", Integer.parseInt(facts.getOrDefault("dataMaximum", "255")));
        }
        if (facts.containsKey("dataColumns")) {
            samples.set("usual", JSON.readTree(facts.get("dataColumns")));
        }
        recipe.data().normalLabel().ifPresent(label -> samples.put("normal", label));
        return samples;
    }

    private ObjectNode samples() throws IOException {
        ObjectNode samples = JSON.createObjectNode();
        if (Files.exists(run.resolve(TABLE))) {
            JsonNode table = tree(TABLE);
            samples.put("kind", "rows");
            samples.set("schema", table.path("schema"));
            samples.set("scaling", table.path("scaling"));
            return samples;
        }
        if (!ModelCard.isIn(run)) {
            throw new UnreadableFileException(run.resolve(ModelCard.FILE), "is not there; " + remedy());
        }
        JsonNode model = tree(ModelCard.FILE);
        boolean images = model.path("range").isObject();
        samples.put("kind", images ? "images" : "points");
        samples.set("shape", model.path("shape"));
        if (images) {
            samples.set("range", model.path("range"));
            samples.put("shades", 0);
        }
        return samples;
    }

    private JsonNode tree(String file) throws IOException {
        return JsonFile.read(run.resolve(file), remedy(), JSON::readTree);
    }

    private String remedy() {
        return "write it again by: " + Words.command("evaluate", run);
    }
}

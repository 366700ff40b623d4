package dev.kelvin.recipe;

import dev.kelvin.model.TableProfile;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.Steps;
import dev.kelvin.yaml.RecipeText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The parts that a recipe of a table may leave out, where it says {@code advise}: they follow from the table's size. */
final class TableParts {
    private static final String ADVISE = "data.table.advise";
    private static final String MODEL = "model";
    private static final String NEGATIVES = "negatives";
    private static final String OPTIMISER = "optimiser";
    private static final String TRAIN = "train";

    private TableParts() {}

    /** The parts that a text leaves open. */
    static List<String> open(RecipeText<Recipe> text) {
        return text.says(ADVISE, "true")
                ? Stream.of(MODEL, NEGATIVES, OPTIMISER, TRAIN)
                        .filter(part -> !text.gives(part))
                        .toList()
                : List.of();
    }

    /** The text with the parts that it leaves open. */
    static RecipeText<Recipe> filled(RecipeText<Recipe> text, TableProfile profile) {
        Map<String, Object> parts = Map.of(
                MODEL, profile.network(),
                NEGATIVES, negatives(profile),
                OPTIMISER, profile.optimiser(),
                TRAIN, train(profile));
        RecipeText<Recipe> filled = text;
        for (String part : open(text)) {
            filled = filled.with(part, Objects.requireNonNull(parts.get(part)));
        }
        return filled;
    }

    private static Negatives negatives(TableProfile profile) {
        Buffer buffer = new Buffer(TableProfile.BATCH, ReplayBuffer.Entry.FIFO, false, 0, List.of(), false, false);
        return new Negatives(
                profile.start(),
                profile.kernel(),
                Steps.of(profile.steps()),
                Optional.of(buffer),
                OptionalInt.of(TableProfile.BATCH),
                Optional.of(profile.adapt()),
                OptionalInt.of(TableProfile.SAMPLE_STEPS),
                List.of());
    }

    private static Training train(TableProfile profile) {
        return Training.ofBest(profile.iterations(), TableProfile.BATCH, TableProfile.EMA, profile.checkpointEvery());
    }
}

package dev.kelvin.dataset;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import java.util.List;
import java.util.stream.Collectors;

/** The label term's own batches: the same set in another order, with changes of its own. Source: Shah 2024, dual loaders. */
@Doc("batches of their own for the cross-entropy (dual loaders): as large, in a random order of their own")
@Cites({"shah2024", "yang2023"})
public record LabelledImageSettings(
        @Doc(
                "random augmentations of the images that the cross-entropy sees, applied in this order, such as [flip, {crop: {padding: 4}}]")
        @Default("[]")
        List<Augmentation> augment) {
    public LabelledImageSettings {
        augment = List.copyOf(augment);
    }

    String words() {
        String changed = augment.isEmpty()
                ? ""
                : ", augmented: " + augment.stream().map(Augmentation::words).collect(Collectors.joining(", "));
        return " The cross-entropy has batches of its own" + changed + ".";
    }
}

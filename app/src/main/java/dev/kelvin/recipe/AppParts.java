package dev.kelvin.recipe;

import dev.kelvin.dataset.ImageSettings;
import dev.kelvin.dataset.TableSettings;
import dev.kelvin.dataset.ToySettings;
import dev.kelvin.part.PartProvider;
import java.util.List;

/** The kinds of data that recipes know. */
public final class AppParts implements PartProvider {
    @Override
    public List<?> parts() {
        return List.of(ToySettings.class, ImageSettings.class, TableSettings.class);
    }
}

package dev.kelvin.experiment;

import dev.kelvin.PartProvider;
import java.util.List;

/** The kinds of data that recipes know. */
public final class AppParts implements PartProvider {
    @Override
    public List<?> parts() {
        return List.of(Toy.class, Images.class, DataTable.class);
    }
}

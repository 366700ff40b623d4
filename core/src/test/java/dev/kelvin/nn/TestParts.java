package dev.kelvin.nn;

import dev.kelvin.part.PartProvider;
import java.util.List;

/** A user's parts, registered as a user would. */
public final class TestParts implements PartProvider {
    @Override
    public List<?> parts() {
        return List.of(Bowl.class);
    }
}

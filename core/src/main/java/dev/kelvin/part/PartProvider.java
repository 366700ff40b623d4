package dev.kelvin.part;

import java.util.List;

/**
 * Registers parts: kernels, networks, objectives, starts, data and whatever else is an open {@link Kind}. Kelvin's own are
 * registered this way, and so are a user's: name the provider's class in {@code
 * META-INF/services/dev.kelvin.part.PartProvider}, and every part that it lists can be named in a recipe, trained, saved and
 * loaded.
 */
public interface PartProvider {
    /** The parts: a class for one that has settings or a constructor without any, an instance for one that has neither. */
    List<?> parts();
}

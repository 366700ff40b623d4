package com.example.kelvin;

import dev.kelvin.part.PartProvider;
import java.util.List;

/** One line for each part; {@code META-INF/services/dev.kelvin.part.PartProvider} names this class. */
public final class OwnParts implements PartProvider {
    @Override
    public List<?> parts() {
        return List.of(
                RadialBasis.class,
                RandomWalk.class,
                Logistic.class,
                GradientPenalty.class,
                NearestNeighbour.class,
                HexImages.class);
    }
}

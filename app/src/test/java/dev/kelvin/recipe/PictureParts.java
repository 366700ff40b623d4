package dev.kelvin.recipe;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.part.Kind;
import dev.kelvin.part.Named;
import dev.kelvin.part.NamedPart;
import dev.kelvin.part.PartProvider;
import dev.kelvin.part.Shorthand;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Parts of kinds that only the tests have: as a user's, they are known by being registered. */
public final class PictureParts implements PartProvider {
    @Override
    public List<?> parts() {
        return List.of(
                Circle.class,
                Dot.class,
                Rectangle.class,
                Group.class,
                Turned.class,
                new Shade("red"),
                new Shade("green"),
                Transparent.class);
    }

    /** A generic kind, as kernels are. */
    @Kind("shape")
    interface Shape<S> {}

    @Doc("all points at a distance")
    record Circle(
            @Doc("the distance") double radius,

            @Doc("whether the points within belong to it") @Default("false")
            boolean filled,

            @Given("[0, 0]") List<Double> centre)
            implements Shape<Double> {
        public Circle {
            centre = List.copyOf(centre);
            Check.positive("radius", radius);
        }
    }

    @Doc("a point")
    record Dot() implements Shape<Integer> {}

    @Named("box")
    @Doc("four corners")
    record Rectangle(
            @Doc("from left to right") double width,

            @Doc(value = "from top to bottom", otherwise = "the width")
            OptionalDouble height)
            implements Shape<Double> {}

    @Doc("several at once")
    record Group(@Doc("which") List<Shape<?>> shapes) implements Shape<Object> {
        public Group {
            shapes = List.copyOf(shapes);
            if (shapes.isEmpty()) {
                throw new IllegalArgumentException("a group needs a shape");
            }
        }
    }

    /** Registered, but without {@link Doc}: not for recipes. */
    record Turned(Shape<?> inner) implements Shape<Object> {}

    /** A kind whose parts have no settings, as toy sets are. */
    @Kind("colour")
    interface Colour {}

    record Shade(String name) implements Colour, NamedPart {}

    static final class Transparent implements Colour {}

    @Doc("what surfaces look like")
    record Paint(@Doc("the colour") Colour colour) {}

    @Shorthand("from")
    @Doc("a number that grows")
    record Count(
            @Doc("at first") int from,

            @Doc("at most") @Default("100") int most,

            @Doc(value = "the growth", otherwise = "it does not grow")
            OptionalDouble rise) {
        public Count {
            Check.atLeast("from", from, 1);
        }
    }

    @Doc("a picture")
    record Picture(
            @Doc("what it shows") Shape<?> shape,

            @Doc("what else") @Default("[]") List<Shape<?>> others,

            @Doc(value = "what is around it", otherwise = "nothing")
            Optional<Shape<?>> frame,

            @Doc("how it is painted") @Default("red") Paint paint,

            @Doc("the background") @Default("transparent") Colour ground,

            @Doc("the number of copies") @Default("5") Count copies) {
        public Picture {
            others = List.copyOf(others);
        }
    }
}

package dev.kelvin.part;

/** A part that knows its own name: one of several registered instances of a class, which the class's name can't tell. */
public interface NamedPart {
    /** The word for it in a recipe. */
    String name();
}

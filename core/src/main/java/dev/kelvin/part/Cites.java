package dev.kelvin.part;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The works that a part is from, by their keys in {@code META-INF/kelvin/references.bib}: {@code kelvin cite} prints them for
 * every run with the part. On a setting they are cited where it is on: true, present, not empty or not 0. A part of a user's
 * own carries its works in a BibTeX file of that path in its own jar.
 *
 * @see Citing for works that depend on more than that
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Cites {
    /** The keys. */
    String[] value();
}

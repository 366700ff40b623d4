package dev.kelvin.part;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An open kind of part: a setting of this type is a choice among the parts of the kind that are registered (see {@link
 * PartProvider}). The value is the word for one of them, such as "kernel".
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Kind {
    /** What such a part is called. */
    String value();
}

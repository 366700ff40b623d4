package dev.kelvin.part;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** One phrase on a setting or a choice, for the reference page and for messages. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
public @interface Doc {
    /** The documentation, in one phrase. */
    String value();

    /** What a setting without a {@link Default} stands for when it is left out; empty for one that must be given. */
    String otherwise() default "";
}

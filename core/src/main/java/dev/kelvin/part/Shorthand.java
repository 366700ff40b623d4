package dev.kelvin.part;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A record that may be written as the value of one of its settings alone, the others taking their defaults: {@code steps:
 * 5} for {@code steps: {from: 5}}. The value names that setting.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Shorthand {
    /** The setting that a value alone is for. */
    String value();
}

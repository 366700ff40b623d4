package dev.kelvin.part;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name of a part where it is not that of its class: {@code GradientDescent} is {@code gradient-descent} by itself. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Named {
    /** The name in recipes. */
    String value();
}

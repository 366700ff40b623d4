package dev.kelvin.part;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component that is no setting: what the part is built for decides it, such as the data's shape. Until that is known,
 * the value, as YAML, stands for it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Given {
    /** What it is until the data are known. */
    String value();
}

package dev.kelvin.cli.option;

import dev.kelvin.part.Words;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One of several values by its name on the command line: picocli's own message would list Java's constants.
 *
 * @param <T> the values
 */
public abstract class Choice<T> implements ITypeConverter<T> {
    private final List<T> values;
    private final Function<T, String> name;

    /** A choice between values, each of which has a name. */
    protected Choice(List<T> values, Function<T, String> name) {
        this.values = values;
        this.name = name;
    }

    @Override
    public final T convert(String text) {
        return values.stream()
                .filter(value -> name.apply(value).equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("takes "
                        + String.join(", ", values.stream().map(name).toList()) + "; found " + Words.quote(text)));
    }
}

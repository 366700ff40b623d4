package dev.kelvin.cli.option;

import dev.kelvin.part.Words;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A seed: picocli's own message would speak of Java's types. */
public final class WholeNumber implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("takes a whole number such as 0 or 42, found " + Words.quote(text));
        }
    }
}

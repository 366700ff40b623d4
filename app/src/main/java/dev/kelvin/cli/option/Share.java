package dev.kelvin.cli.option;

import dev.kelvin.part.Words;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One of several equal shares of some work, such as {@code 2/8}: of a list every eighth piece from the second on.
 *
 * @param number from 1
 */
public record Share(int number, int of) {
    /** All of it. */
    public static final Share ALL = new Share(1, 1);

    /** What is in this share: the shares of all numbers hold each item once. */
    public <T> List<T> of(List<T> items) {
        return IntStream.range(0, items.size())
                .filter(i -> i % of == number - 1)
                .mapToObj(items::get)
                .toList();
    }

    @Override
    public String toString() {
        return number + "/" + of;
    }

    /** Reads it. */
    public static final class Converter implements ITypeConverter<Share> {
        @Override
        public Share convert(String text) {
            String[] parts = text.split("/", -1);
            if (parts.length == 2 && parts[0].matches("[0-9]{1,6}") && parts[1].matches("[0-9]{1,6}")) {
                Share share = new Share(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
                if (share.number >= 1 && share.number <= share.of) {
                    return share;
                }
            }
            throw new TypeConversionException(
                    "takes the number of a share, from 1 on, and how many there are, such as 2/8; found "
                            + Words.quote(text));
        }
    }
}

package dev.kelvin.data.format;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What people call the classes of the usual sets, whose files hold only numbers. */
public final class ClassNames {
    public static final List<String> CIFAR_10 =
            List.of("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");

    private static final List<String> FASHION = List.of(
            "T-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot");

    private static final List<String> KUZUSHIJI = List.of("o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo");

    private ClassNames() {}

    /** The names of a set that is called so and has these labels: as many as the largest label says. */
    public static List<String> of(String set, int... labels) {
        int count = IntStream.of(labels).max().orElse(-1) + 1;
        String known = set.toLowerCase(Locale.ROOT);
        if (count == 10 && known.contains("fashion")) {
            return FASHION;
        }
        if (count == 10 && (known.contains("kmnist") || known.contains("kuzushiji"))) {
            return KUZUSHIJI;
        }
        return numbers(count);
    }

    /** "0", "1", ... for classes without names. */
    public static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }
}

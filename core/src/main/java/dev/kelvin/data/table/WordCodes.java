package dev.kelvin.data.table;

import dev.kelvin.data.table.file.TableSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Words by number, in the order in which they came: a label's classes, or a text column's categories. */
final class WordCodes {
    /** A row without a label. */
    static final int NONE = -1;

    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> words = new ArrayList<>();

    /** A label as it is kept: 1, 1.0 and " 1" are the same. */
    static String word(String cell) {
        String word = cell.strip();
        double number = TableSource.number(word);
        boolean whole = number == Math.rint(number) && Math.abs(number) < 1L << 53;
        return whole ? Long.toString((long) number) : word;
    }

    /** The word's number, which is new where the word is. */
    int code(String word) {
        return codes.computeIfAbsent(word, each -> {
            words.add(each);
            return words.size() - 1;
        });
    }

    int size() {
        return words.size();
    }

    String word(int code) {
        return words.get(code);
    }

    /** The words in their own order: numbers by size, before other words by the alphabet. */
    List<String> sorted() {
        return words.stream()
                .sorted(Comparator.comparingDouble(WordCodes::order).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static double order(String word) {
        double number = TableSource.number(word);
        return Double.isNaN(number) ? Double.POSITIVE_INFINITY : number;
    }

    /** For each number that was given, the word's place among the sorted. */
    int[] places() {
        List<String> sorted = sorted();
        return words.stream().mapToInt(sorted::indexOf).toArray();
    }
}

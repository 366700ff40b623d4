package dev.kelvin.part;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The words of recipes: how Java's names are written there, how found ones are quoted, and which is nearest. */
public final class Words {
    /** Enough to recognise what was written. */
    private static final int QUOTED = 40;

    private Words() {}

    /** {@code GradientDescent} and {@code GRADIENT_DESCENT} are both written {@code gradient-descent}. */
    public static String kebab(String javaName) {
        return javaName.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                .replace('_', '-')
                .toLowerCase(Locale.ROOT);
    }

    /** The shortest text that Java reads back as the same number: 1, 0.05, 1e-4. */
    public static String number(double value) {
        return Double.toString(value).replace("E", "e").replaceFirst("\\.0(?=e|$)", "");
    }

    /** A sentence with numbers in it, written alike in every country. */
    public static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** What a user wrote, in quotation marks, shortened where it is long. */
    public static String quote(String found) {
        return "'" + (found.length() > QUOTED ? oneLine(found.substring(0, QUOTED)) + "..." : oneLine(found)) + "'";
    }

    /** A text without line breaks. */
    public static String oneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cs}\\u0085\\u2028\\u2029]", " ");
    }

    /** A command of ours as one types it: what a shell would take apart is quoted. */
    public static String command(Collection<?> words) {
        return words.stream()
                .map(String::valueOf)
                .map(word -> word.matches("[\\p{L}\\p{N}_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" ", "kelvin ", ""));
    }

    /** A command of ours as one types it, of any words: what a shell would take apart is quoted. */
    public static String command(Object... words) {
        return command(List.of(words));
    }

    /** What was not found, the nearest right word if one is near, and all of them. */
    public static String unknown(String owner, String kind, String found, String list, Collection<String> known) {
        String hint = nearest(found, known)
                .map(word -> "; did you mean '" + word + "'?")
                .orElse("");
        return owner + " has no " + kind + quote(found) + hint
                + (known.isEmpty() ? "" : " (" + list + " " + String.join(", ", known) + ")");
    }

    /** The word most like the one found: the same but for capitals and dashes, or at most a third of its letters away. */
    public static Optional<String> nearest(String found, Collection<String> known) {
        if (found.length() > QUOTED) {
            return Optional.empty();
        }
        String letters = letters(found);
        int near = Math.max(1, letters.length() / 3);
        return known.stream()
                .filter(word -> distance(letters, letters(word)) <= near)
                .min(Comparator.comparingInt(word -> distance(letters, letters(word))));
    }

    private static String letters(String word) {
        return word.replaceAll("[-_ ]", "").toLowerCase(Locale.ROOT);
    }

    /** Letters inserted, left out, replaced, or swapped with their neighbour (Damerau-Levenshtein, one edit a letter). */
    public static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(replaced, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}

package dev.kelvin.sweep;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Splits {@code 1, 2}, {@code [64, 64],[128]} or {@code {mala: {stepSize: 0.1}},'a, b'} into its values: at commas that stand in no
 * bracket and in no quotes, which are YAML's.
 */
final class ValueList {
    private static final String OPENING = "[{";
    private static final String CLOSING = "]}";

    private final String text;
    private final List<String> values = new ArrayList<>();
    private final Deque<Character> open = new ArrayDeque<>();
    private int start;

    private ValueList(String text) {
        this.text = text;
    }

    /** The values, without the spaces around them. */
    static List<String> of(String text) {
        return new ValueList(text).split();
    }

    private List<String> split() {
        boolean begins = true; // whether a quote would open here, as it does where a value or a word begins
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (begins && (c == '"' || c == '\'')) {
                i = closing(i, c);
                begins = false;
            } else if (c == ',' && open.isEmpty()) {
                add(i);
                begins = true;
            } else {
                bracket(c);
                begins = c == '[' || c == '{' || c == ',' || c == ':' || (begins && Character.isWhitespace(c));
            }
        }
        if (!open.isEmpty()) {
            throw new IllegalArgumentException("lacks a '" + open.pop() + "'");
        }
        add(text.length());
        return List.copyOf(values);
    }

    private void bracket(char c) {
        int opens = OPENING.indexOf(c);
        if (opens >= 0) {
            open.push(CLOSING.charAt(opens));
        } else if (CLOSING.indexOf(c) >= 0 && (open.isEmpty() || open.pop() != c)) {
            throw new IllegalArgumentException("has a '" + c + "' that nothing opens");
        }
    }

    /** Where a quotation ends: after a backslash in double quotes, and twice in single ones, its mark is a letter of it. */
    private int closing(int from, char quote) {
        for (int i = from + 1; i < text.length(); i++) {
            boolean doubled = quote == '\'' && i + 1 < text.length() && text.charAt(i + 1) == quote;
            if (text.charAt(i) == quote && !doubled) {
                return i;
            }
            if ((quote == '"' && text.charAt(i) == '\\') || (text.charAt(i) == quote && doubled)) {
                i++;
            }
        }
        throw new IllegalArgumentException("has a quotation that does not end");
    }

    private void add(int end) {
        String value = text.substring(start, end).strip();
        if (value.isEmpty()) {
            throw new IllegalArgumentException("has an empty value; write null for nothing");
        }
        values.add(value);
        start = end + 1;
    }
}

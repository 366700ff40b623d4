package dev.kelvin.data.table;

import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which columns of a table are learnt from, and what becomes of cells that are no numbers. A table without names has x1, x2, ...
 *
 * @param columns to learn from; none takes all but the label
 * @param exclude what is not read; only where {@code columns} has none
 * @param label which is never learnt from; without one, an npz file's array y
 * @param trainOn the label of the rows that are learnt from; without one, all are
 */
public record TableColumns(
        List<String> columns,
        List<String> exclude,
        Optional<String> label,
        Optional<String> trainOn,
        Missing missing,
        Text text,
        UnknownWord unknownWord,
        Header header) {
    /** What becomes of a missing value. In a column of text a filled cell is the most frequent word. */
    public enum Missing {
        REFUSE,
        MEAN,
        MEDIAN
    }

    /** What becomes of a column of text. */
    public enum Text {
        REFUSE,
        ONE_HOT
    }

    /** What becomes of a word that is met for the first time after training. */
    public enum UnknownWord {
        REFUSE,
        ZEROS
    }

    /** Whether the first row has the columns' names. */
    public enum Header {
        AUTO,
        PRESENT,
        ABSENT
    }

    public TableColumns {
        columns = List.copyOf(columns);
        exclude = List.copyOf(exclude);
        trainOn = trainOn.map(WordCodes::word);
        List<String> used = columns;
        List<String> left = exclude;
        Optional<String> given = label;
        Optional<String> only = trainOn;
        Check.all(
                () -> requireOnce("columns", used),
                () -> requireOnce("exclude", left),
                () -> Check.require(
                        used.isEmpty() || left.isEmpty(),
                        "exclude",
                        "cannot be combined with columns, which says already what is read"),
                () -> given.ifPresent(name -> requireApart("columns", used, name)),
                () -> given.ifPresent(name -> requireApart("exclude", left, name)),
                () -> Check.require(
                        only.isEmpty() || given.isPresent(),
                        "trainOn",
                        "needs label, the column that it is a value of"));
    }

    /** All columns, all of numbers, none missing. */
    public static TableColumns all() {
        return new TableColumns(
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Missing.REFUSE,
                Text.REFUSE,
                UnknownWord.REFUSE,
                Header.AUTO);
    }

    private static void requireOnce(String setting, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            Check.require(seen.add(name), setting, "names " + Words.quote(name) + " twice");
        }
    }

    private static void requireApart(String setting, List<String> names, String label) {
        if (names.contains(label)) {
            throw new SettingException(
                    setting,
                    "names " + Words.quote(label)
                            + ", which is the label: that column is never learnt from; take it out");
        }
    }
}

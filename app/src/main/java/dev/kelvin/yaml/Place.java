package dev.kelvin.yaml;

/**
 * Where something of a recipe was written: a file with a line and a column, both counted from 1, or something without
 * lines, such as {@code --set train.batch=0}; the line is then 0 and the column the rank among its like.
 */
public record Place(String where, int line, int column) {
    /** Enough for every list of what there is; what a file holds may be far longer. */
    private static final int LONGEST = 2000;

    Problem problem(String message) {
        String shown = message.length() > LONGEST ? message.substring(0, LONGEST) + "..." : message;
        return new Problem(this, shown);
    }

    /** The place that is reached from this one by going over the text. */
    public Place after(String text) {
        String[] lines = text.split("\\R", -1);
        String last = lines[lines.length - 1];
        int from = lines.length == 1 ? column : 1;
        return new Place(where, line + lines.length - 1, from + last.codePointCount(0, last.length()));
    }

    @Override
    public String toString() {
        return line == 0 ? where : where + ":" + line + ":" + column;
    }
}

package dev.kelvin.recipe;

/** Where something of a recipe was written; line 0 if that has no lines (see {@link Problem}). */
record Place(String where, int line, int column) {
    Problem problem(String message) {
        return new Problem(where, line, column, message);
    }

    /** The place that is reached from this one by going over the text. */
    Place after(String text) {
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

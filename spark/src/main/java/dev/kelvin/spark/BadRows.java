package dev.kelvin.spark;

/** What becomes of rows that cannot be scored, such as one with a missing value. */
public enum BadRows {
    /** The job fails with a sentence that names the row, the column and what is wrong. */
    FAIL,
    /** They stay, without scores, and a column {@code problem} says what is wrong with each. */
    NULL
}

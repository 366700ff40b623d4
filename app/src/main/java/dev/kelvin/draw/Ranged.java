package dev.kelvin.draw;

/** What an axis shows: where a value lies on it, and which round numbers it is marked with. */
interface Ranged {
    /** Where a value lies, 0 at the low end and 1 at the high one. */
    double place(double value);

    /** Round numbers in the range: about as many as parts. */
    double[] ticks(int parts);
}

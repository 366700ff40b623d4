package dev.kelvin.cli.terminal;

/** What the process ends with. */
public final class ExitCode {
    /** All went well. */
    public static final int OK = 0;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** A recipe, data, files or the machine are not as they must be. */
    public static final int RECIPE = 3;

    /** A run has diverged. */
    public static final int DIVERGED = 4;

    /** The user has interrupted it. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}

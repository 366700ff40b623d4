package dev.kelvin.cli;

import dev.kelvin.tensor.Backend;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A verb of the command line. */
abstract class Verb implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Where progress, warnings and complaints go. */
    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** The refusal of options that are wrong. */
    final ParameterException usage(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    /**
     * Sets how many threads an operation on tensors uses, before a command's work begins: one for points, whose operations
     * are too small to share; half of the processors for images, because chains are moved in two halves at once. {@code
     * -Dkelvin.threads} has the last word.
     */
    static void chooseThreads(boolean images) {
        chooseThreads(images, 1);
    }

    /** The same for work in shards, however many ranks compute them: some sums depend on the number of threads. */
    static void chooseThreads(boolean images, int shards) {
        if (System.getProperty("kelvin.threads") == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            Backend.threads(images ? Math.max(1, processors / 2 / shards) : 1);
        }
    }

    /**
     * Gives each of several runs one thread, however many are trained at once and however many cores there are: convolutions
     * sum up in an order that depends on their threads. {@code -Dkelvin.threads} has the last word.
     */
    static void oneThreadEach() {
        if (System.getProperty("kelvin.threads") == null) {
            Backend.threads(1);
        }
    }
}

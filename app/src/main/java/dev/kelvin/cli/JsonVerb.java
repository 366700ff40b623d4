package dev.kelvin.cli;

import dev.kelvin.cli.terminal.Output;
import dev.kelvin.cli.terminal.Results;
import java.util.Map;
import picocli.CommandLine.Option;

/** A verb whose results are lines for people or, with {@code --json}, one object for programs. */
abstract class JsonVerb extends Verb {
    @Option(names = "--json", description = "print one JSON object at the end, and nothing else to stdout")
    boolean json;

    /** Prints the results. */
    final void print(Map<String, Object> results) {
        Output.print(out(), json, results);
    }

    /** Prints what came of a run, for programs with more. */
    final void print(Results results, Map<String, Object> more) {
        if (json) {
            Map<String, Object> all = results.forPrograms();
            all.putAll(more);
            print(all);
        } else {
            results.print(spec);
        }
    }

    /** Prints that the command was stopped, where a program reads it. */
    final void printStopped() {
        if (json) {
            print(Map.of("ended", "stopped"));
        }
    }
}

package dev.kelvin.cli;

import java.io.PrintWriter;
import sun.misc.Signal;

/** The first Ctrl-C, or a polite kill, asks the run to save and stop; the second ends the process at once. */
final class StopSignal {
    private static final int SIGNAL_BASE = 128;

    private volatile int exitCode;

    private StopSignal() {}

    /** Listens from now on. */
    static StopSignal install(PrintWriter err) {
        StopSignal stop = new StopSignal();
        for (String name : new String[] {"INT", "TERM"}) {
            Signal.handle(new Signal(name), signal -> stop.received(signal, err));
        }
        return stop;
    }

    private void received(Signal signal, PrintWriter err) {
        if (exitCode != 0) {
            Runtime.getRuntime().halt(exitCode);
        }
        exitCode = SIGNAL_BASE + signal.getNumber();
        err.println();
        err.println("kelvin: saving and stopping (once more kills at once)");
        err.flush();
    }

    boolean requested() {
        return exitCode != 0;
    }

    /** 130 after Ctrl-C, 143 after a kill. */
    int exitCode() {
        return exitCode;
    }
}

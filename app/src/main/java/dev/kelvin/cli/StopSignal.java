package dev.kelvin.cli;

import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.util.Map;

/** The first Ctrl-C, or a polite kill, asks the run to save and stop; the second ends the process at once. */
final class StopSignal {
    /** Signals with the exit codes that shells give them, 128 + number. */
    private static final Map<String, Integer> EXIT_CODES = Map.of("INT", Main.INTERRUPTED, "TERM", 143);

    private final PrintWriter err;
    private volatile int exitCode;

    private StopSignal(PrintWriter err) {
        this.err = err;
    }

    /** Listens from now on; on a Java without signals nothing listens, and Ctrl-C ends the process as usual. */
    static StopSignal install(PrintWriter err) {
        StopSignal stop = new StopSignal(err);
        EXIT_CODES.forEach(stop::listen);
        return stop;
    }

    /** sun.misc.Signal is in every JDK, but javac warns of it without a way to say that it is meant: hence by name. */
    private void listen(String signal, int code) {
        try {
            Class<?> signals = Class.forName("sun.misc.Signal");
            Class<?> handlers = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    handlers.getClassLoader(), new Class<?>[] {handlers}, (proxy, method, arguments) -> {
                        received(code);
                        return null;
                    });
            signals.getMethod("handle", signals, handlers)
                    .invoke(null, signals.getConstructor(String.class).newInstance(signal), handler);
        } catch (ReflectiveOperationException e) {
            err.println("kelvin: this Java has no signals; Ctrl-C won't save");
        }
    }

    private void received(int code) {
        if (exitCode != 0) {
            Runtime.getRuntime().halt(exitCode);
        }
        exitCode = code;
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

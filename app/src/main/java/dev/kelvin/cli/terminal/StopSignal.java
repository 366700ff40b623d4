package dev.kelvin.cli.terminal;

import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;

/**
 * The first Ctrl-C, a polite kill, or a terminal that was closed asks the run to save and stop. A second Ctrl-C or kill ends
 * the process at once; a second hang-up does not, because a terminal that closes may send several.
 */
public final class StopSignal {
    private static final int HUNG_UP = 129;

    /** Signals with the exit codes that shells give them, 128 + number. */
    private static final Map<String, Integer> EXIT_CODES =
            Map.of("HUP", HUNG_UP, "INT", ExitCode.INTERRUPTED, "TERM", 143);

    private final PrintWriter err;
    private final String words;
    private volatile int exitCode;
    private boolean mayKill;
    private boolean over;
    private Optional<Runnable> last = Optional.empty();

    private StopSignal(PrintWriter err, String words) {
        this.err = err;
        this.words = words;
    }

    /**
     * Listens from now on; the words say what a signal leads to. On a Java without signals nothing listens, and Ctrl-C ends
     * the process as usual.
     */
    public static StopSignal install(PrintWriter err, String words) {
        StopSignal stop = new StopSignal(err, words);
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

    private synchronized void received(int code) {
        if (over) {
            return;
        }
        if (mayKill && code != HUNG_UP) {
            Runtime.getRuntime().halt(code);
        }
        mayKill |= code != HUNG_UP;
        if (exitCode != 0) {
            return;
        }
        exitCode = code;
        err.println();
        if (last.isPresent()) {
            last.get().run();
            Runtime.getRuntime().halt(code);
        }
        err.println("kelvin: " + words + " (once more kills at once)");
        err.flush();
    }

    /** Whether a signal came. */
    public boolean requested() {
        return exitCode != 0;
    }

    /** Nothing is left to save: a signal from now on ends the process at once, after this work. False if one came before. */
    public synchronized boolean endAtOnce(Runnable words) {
        last = Optional.of(words);
        return exitCode == 0;
    }

    /** All is done: a signal from now on comes too late. */
    public synchronized void ignore() {
        over = true;
    }

    /** 130 after Ctrl-C, 143 after a kill, 129 after a hang-up. */
    public int exitCode() {
        return exitCode;
    }
}

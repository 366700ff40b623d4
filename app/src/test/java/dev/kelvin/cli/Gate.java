package dev.kelvin.cli;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Term;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import dev.kelvin.part.PartProvider;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds a training process at a step, so that a test can send a signal to it then, however slow the machine: a term of the loss
 * that adds nothing, and waits while the file {@code gate} in the working folder holds the number of steps that this process may
 * take. Only processes started by {@link Kelvin#startGated} know it.
 */
public final class Gate implements PartProvider {
    private static final Path FILE = Path.of("gate");
    private static final AtomicLong STEPS = new AtomicLong();

    @Override
    public List<?> parts() {
        return List.of(GateTerm.class);
    }

    /** Lets the next process in this folder take so many steps. */
    static void close(Path folder, int steps) {
        try {
            Path written = Files.writeString(folder.resolve("gate.new"), Integer.toString(steps));
            Files.move(written, folder.resolve(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the process that waits, and all that come, go on. */
    static void open(Path folder) {
        try {
            Files.delete(folder.resolve(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Comes once a step, before the parameters move. */
    @Named("gate")
    @Doc("waits while a file says so")
    record GateTerm() implements Term {
        @Override
        public Value of(Key key, EnergyModel model, Parameters parameters, Batch positives, DrawnNegatives negatives) {
            long taken = STEPS.getAndIncrement();
            while (taken >= allowed()) {
                pause();
            }
            return new Value(0, Tensors.zerosLike(parameters.flat()));
        }

        private static long allowed() {
            try {
                return Long.parseLong(Files.readString(FILE, StandardCharsets.US_ASCII));
            } catch (NoSuchFileException e) {
                return Long.MAX_VALUE;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void pause() {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}

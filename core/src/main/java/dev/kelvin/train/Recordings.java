package dev.kelvin.train;

import dev.kelvin.tensor.TensorException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recordings on a GPU, by what they are of: made when it comes a second time, the last few kept. Where one cannot be made there
 * are none from then on, and a warning says so.
 */
public final class Recordings<K, R> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recordings.class);

    private final String work;
    private final int most;
    private final Consumer<R> free;
    private final Map<K, R> made = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<K> seen = new LinkedHashSet<>();
    private boolean possible = true;

    /** Keeps the last {@code most}, and closes each by {@code free}; a warning calls what they are of {@code work}. */
    public Recordings(String work, int most, Consumer<R> free) {
        this.work = work;
        this.most = most;
        this.free = free;
    }

    /** The recording of this, made now if it comes the second time; nothing at the first, or where it cannot be recorded. */
    public Optional<R> of(K what, Supplier<R> recording) {
        if (!possible) {
            return Optional.empty();
        }
        R found = made.get(what);
        if (found == null && !seen.add(what)) {
            try {
                found = recording.get();
                made.put(what, found);
            } catch (TensorException | LinkageError e) {
                LOG.warn("{} run step by step, because they cannot be recorded: {}", work, e.getMessage());
                possible = false;
            }
        }
        forgetOld();
        return Optional.ofNullable(found);
    }

    private void forgetOld() {
        Iterator<R> eldest = made.values().iterator();
        while (made.size() > most) {
            free.accept(eldest.next());
            eldest.remove();
        }
        Iterator<K> first = seen.iterator();
        while (seen.size() > most) {
            first.next();
            first.remove();
        }
    }

    @Override
    public void close() {
        made.values().forEach(free);
        made.clear();
    }
}

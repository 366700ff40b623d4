package dev.kelvin.distributed;

import dev.kelvin.part.InvalidInputException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where processes find each other that train together: a file that all can write, or a port of the first one's machine.
 *
 * <p>Prefer the file. A port is open on all of the machine's interfaces, and whoever reaches it can read and write there without a
 * password.
 *
 * @param store {@code file:///path} of a file that no earlier start has used, or {@code tcp://host:port} of the first rank
 * @param timeout how long one waits for the others: more than the first takes to score a checkpoint
 * @param address of this machine, by which the others reach it, where it is not that of its name
 */
public record Rendezvous(URI store, Duration timeout, Optional<String> address) {
    private static final int LARGEST_PORT = 65_535;

    public Rendezvous {
        boolean file = "file".equals(store.getScheme()) && store.getPath() != null && store.getAuthority() == null;
        boolean port = "tcp".equals(store.getScheme())
                && store.getHost() != null
                && store.getPort() > 0
                && store.getPort() <= LARGEST_PORT;
        if (!file && !port) {
            throw new InvalidInputException(
                    "a store is file:///path, of a file that all processes can write, or tcp://host:port, found "
                            + store);
        }
    }

    /** A store by its URL. */
    public static Rendezvous at(String url, Duration timeout, Optional<String> address) {
        try {
            return new Rendezvous(new URI(url), timeout, address);
        } catch (URISyntaxException e) {
            throw new InvalidInputException("a store is file:///path or tcp://host:port, found " + url);
        }
    }

    /** The file, where it is one. */
    Optional<Path> file() {
        return "file".equals(store.getScheme()) ? Optional.of(Path.of(store)) : Optional.empty();
    }
}

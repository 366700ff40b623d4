package dev.kelvin.cli.option;

import dev.kelvin.distributed.Rendezvous;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Device;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --ranks} and what belongs to it: by how many threads or processes a run is trained, and which one this is. */
public final class RanksOption {
    private static final long MOST = 4096;
    private static final long LONGEST = 1_000_000;
    private static final long TIMEOUT = 1800; // seconds: scoring a checkpoint, for which all wait, may take minutes

    @Option(
            names = "--ranks",
            paramLabel = "N",
            converter = WholeNumber.class,
            description = "train by N ranks, which share out the recipe's train.shards: threads of this process"
                    + " (default: 1)")
    private @Nullable Long ranks;

    @Option(
            names = "--devices",
            paramLabel = "D,D,...",
            split = ",",
            description = "a device for each of them, such as cuda:0,cuda:1")
    private List<String> devices = List.of();

    @Option(
            names = "--processes",
            description = "with --ranks: processes of this machine, which are started, not threads")
    private boolean processes;

    @Option(
            names = "--rank",
            paramLabel = "I",
            converter = WholeNumber.class,
            description = "with --ranks and --store: this process is rank I of N, from 0; start the others too")
    private @Nullable Long rank;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description =
                    "where they meet: file:///path of a file that no earlier start has used, or tcp://host:port of"
                            + " rank 0, which whoever reaches it can read and write")
    private Optional<String> store = Optional.empty();

    @Option(
            names = "--address",
            paramLabel = "HOST",
            description = "this machine's name or address for the others (default: that of its host name)")
    private Optional<String> address = Optional.empty();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = WholeNumber.class,
            description = "how long a process waits for the others: more than rank 0 takes to score (default: 1800)")
    private @Nullable Long timeout;

    /** What is wrong with the options, if anything is. */
    public Optional<String> problem(boolean dryRun) {
        return Stream.of(badNumber(), badPart(), badStart(dryRun))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> badNumber() {
        if (ranks != null && (ranks < 1 || ranks > MOST)) {
            return Optional.of("--ranks takes a number from 1 to " + MOST + ", found " + ranks);
        }
        if (timeout != null && (timeout < 1 || timeout > LONGEST)) {
            return Optional.of("--timeout takes 1 to " + LONGEST + " seconds, found " + timeout);
        }
        return ranks != null && !devices.isEmpty() && devices.size() != ranks
                ? Optional.of("--devices names a device for each of " + ranks + " ranks, found " + devices.size())
                : Optional.empty();
    }

    /** Of a process that is one of several. */
    private Optional<String> badPart() {
        if ((rank == null) != store.isEmpty() || (rank != null && ranks == null)) {
            return Optional.of("a process that is one of several takes --ranks, --rank and --store");
        }
        if (rank != null && (rank < 0 || rank >= count())) {
            return Optional.of(
                    "--rank is a number from 0 to " + (count() - 1) + " with --ranks " + count() + ", found " + rank);
        }
        if (rank == null && address.isPresent()) {
            return Optional.of("--address goes with --rank");
        }
        try {
            store.ifPresent(url -> Rendezvous.at(url, timeout(), address));
            return Optional.empty();
        } catch (InvalidInputException e) {
            return Optional.of("--store: " + e.getMessage());
        }
    }

    private Optional<String> badStart(boolean dryRun) {
        if (processes && rank != null) {
            return Optional.of("--processes starts the others and --rank says that they are started: give one of them");
        }
        if (processes && ranks == null) {
            return Optional.of("--processes takes --ranks N");
        }
        if ((rank != null || processes) && !devices.isEmpty()) {
            return Optional.of("--devices are for the threads of one process; give a process its --device");
        }
        if (rank == null && !processes && timeout != null) {
            return Optional.of("--timeout goes with --rank or --processes");
        }
        return dryRun && count() > 1
                ? Optional.of("--dry-run tries steps on one rank; leave out --ranks and --devices")
                : Optional.empty();
    }

    /** How many ranks there are. */
    public int count() {
        return ranks == null ? Math.max(1, devices.size()) : ranks.intValue();
    }

    /** Whether the others are threads of this process. */
    public boolean threads() {
        return count() > 1 && !processes && rank == null;
    }

    /** Whether the ranks are processes. */
    public boolean processes() {
        return count() > 1 && !threads();
    }

    /** Whether this process starts the others. */
    public boolean starts() {
        return processes && count() > 1;
    }

    /** Which one this process is, where it is one of several. */
    public OptionalInt rank() {
        return rank == null ? OptionalInt.empty() : OptionalInt.of(rank.intValue());
    }

    /** Whether this process is one of several that is not the first. */
    public boolean follows() {
        return rank != null && rank > 0;
    }

    /** The device of each thread; that of {@code --device} for all where none are named. */
    public List<Device> devices(DeviceOption one) {
        return devices.isEmpty()
                ? Collections.nCopies(threads() ? count() : 1, one.device())
                : devices.stream().map(Device::parse).toList();
    }

    /** Where this process meets the others. */
    public Rendezvous rendezvous() {
        return Rendezvous.at(store.orElseThrow(), timeout(), address);
    }

    /** How long a process waits for the others. */
    public Duration timeout() {
        return Duration.ofSeconds(timeout == null ? TIMEOUT : timeout);
    }
}

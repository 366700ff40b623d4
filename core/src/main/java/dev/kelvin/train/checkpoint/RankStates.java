package dev.kelvin.train.checkpoint;

import dev.kelvin.distributed.Ranks;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Learner;
import dev.kelvin.train.StepReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What several ranks save together: the first keeps it, the others give it what they alone have, their shards, and get what is
 * loaded. The whole is in the order of the shards, the same however many ranks there are.
 *
 * @param kept where the first rank keeps it; nothing at the others
 */
public record RankStates(Optional<SavedStates> kept, Ranks ranks) implements SavedStates {
    private static final String TENSOR = "tensor";
    private static final String NUMBER = "number";

    @Override
    public Optional<Checkpoints.Position> restore(Learner learner, boolean regular) throws IOException {
        if (kept.isEmpty()) {
            return received(learner);
        }
        boolean[] loaded = {false};
        Optional<Checkpoints.Position> at = kept.get()
                .restore(
                        new With(learner, state -> learner.save(state), state -> {
                            learner.load(state);
                            together(state, true);
                            loaded[0] = true;
                        }),
                        regular);
        if (!loaded[0]) {
            together(State.empty(), true);
        }
        ranks.gatherBytes(at.map(RankStates::text).orElse("").getBytes(StandardCharsets.UTF_8));
        return at;
    }

    private Optional<Checkpoints.Position> received(Learner learner) {
        try (Scope scope = Scope.open()) {
            State state = together(State.empty(), true);
            String at = new String(ranks.gatherBytes(new byte[0])[0], StandardCharsets.UTF_8);
            if (at.isEmpty()) {
                return Optional.empty();
            }
            learner.load(state);
            List<String> words = List.of(at.split(" "));
            return Optional.of(new Checkpoints.Position(
                    Long.parseLong(words.get(0)), Integer.parseInt(words.get(1)), Long.parseLong(words.get(2))));
        }
    }

    private static String text(Checkpoints.Position at) {
        return at.step() + " " + at.retries() + " " + at.seed();
    }

    @Override
    public void save(Checkpoints.Position at, Learner learner, OptionalDouble score, boolean regular)
            throws IOException {
        try (Scope scope = Scope.open()) {
            State own = State.empty();
            learner.save(own);
            State whole = together(own, false);
            if (kept.isPresent()) {
                kept.get()
                        .save(
                                at,
                                new With(
                                        learner,
                                        state -> {
                                            whole.tensors().forEach(state::put);
                                            whole.numbers().forEach(state::put);
                                        },
                                        learner::load),
                                score,
                                regular);
            }
        }
    }

    @Override
    public void tidy() throws IOException {
        if (kept.isPresent()) {
            kept.get().tidy();
        }
    }

    @Override
    public void dropBetween() throws IOException {
        if (kept.isPresent()) {
            kept.get().dropBetween();
        }
    }

    /**
     * All that is in any rank's state, that of the lowest rank that has it; at ranks that keep nothing, of others' only what is
     * loaded.
     *
     * @param load whether all want it, from the first; otherwise the first wants it, from the others
     */
    private State together(State own, boolean load) {
        byte[][] headers = ranks.gatherBytes(header(own).getBytes(StandardCharsets.UTF_8));
        State all = State.empty();
        for (int rank = 0; rank < headers.length; rank++) {
            boolean sent = load || rank > 0;
            for (String line :
                    new String(headers[rank], StandardCharsets.UTF_8).lines().toList()) {
                List<String> words = List.of(line.split("\t"));
                String name = words.get(1);
                if (words.get(0).equals(NUMBER)) {
                    all.numbers().putIfAbsent(name, Long.parseLong(words.get(2)));
                } else if (!all.has(name)) {
                    all.put(name, sent ? passed(rank, own, words, load) : mine(own, name, words));
                }
            }
        }
        return all;
    }

    /** A tensor of a rank's, which it sends to all. */
    private Tensor passed(int rank, State own, List<String> words, boolean load) {
        try (Scope scope = Scope.open()) {
            Tensor tensor = rank == ranks.rank()
                    ? Objects.requireNonNull(own.tensors().get(words.get(1)))
                            .to(Device.CPU)
                            .contiguous()
                    : Tensors.empty(DType.valueOf(words.get(2)), Device.CPU, shape(words));
            ranks.broadcast(rank, tensor);
            return load || kept.isPresent() ? scope.keep(tensor) : scope.keep(Tensors.bytes(0));
        }
    }

    private static Tensor mine(State own, String name, List<String> words) {
        Tensor tensor = own.tensors().get(name);
        return tensor == null ? Tensors.empty(DType.valueOf(words.get(2)), Device.CPU, 0) : tensor;
    }

    private static long[] shape(List<String> words) {
        return words.stream().skip(3).mapToLong(Long::parseLong).toArray();
    }

    private static String header(State state) {
        Stream<String> tensors = state.tensors().entrySet().stream()
                .map(each -> String.join(
                                "\t",
                                TENSOR,
                                each.getKey(),
                                each.getValue().dtype().name())
                        + Arrays.stream(each.getValue().shape())
                                .mapToObj(size -> "\t" + size)
                                .collect(Collectors.joining()));
        Stream<String> numbers = state.numbers().entrySet().stream()
                .map(each -> String.join("\t", NUMBER, each.getKey(), Long.toString(each.getValue())));
        return Stream.concat(tensors, numbers).collect(Collectors.joining("\n"));
    }

    /** A learner that is saved and loaded in another way. */
    private record With(Learner learner, Consumer<State> saved, Consumer<State> loaded) implements Learner {
        @Override
        public StepReport step(Key key, long step, Batch positives) {
            return learner.step(key, step, positives);
        }

        @Override
        public EnergyModel model() {
            return learner.model();
        }

        @Override
        public Parameters averaged() {
            return learner.averaged();
        }

        @Override
        public void save(State state) {
            saved.accept(state);
        }

        @Override
        public void load(State state) {
            loaded.accept(state);
        }

        @Override
        public void close() {}
    }
}

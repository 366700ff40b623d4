package dev.kelvin.negative;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Chains that go on from a {@link ReplayBuffer}: persistent contrastive divergence (Tieleman 2008; the replay buffer of
 * IGEBM and JEM). A few steps a draw add up to long chains while the model changes slowly.
 */
public record PersistentChains(Start start, Kernel<?> kernel, int steps, ReplayBuffer buffer)
        implements NegativeSource {
    public PersistentChains {
        Check.atLeast("steps", steps, 0);
    }

    @Override
    public DrawnNegatives draw(Key key, LogDensity target, long[] labels) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(4);
            int[] slots = buffer.draw(keys[0].stream(), labels);
            Tensor x = beginnings(keys[2], slots, labels);
            Walk walk = Walk.inHalves(keys[1], kernel, target.given(labels), x, steps);
            buffer.write(keys[3].stream(), slots, labels, walk.x());
            return new DrawnNegatives(scope.keep(walk.x()), walk.acceptance());
        }
    }

    /** The drawn slots' chains; new ones for the rows without a slot. */
    private Tensor beginnings(Key key, int[] slots, long[] labels) {
        long[] rows = new long[slots.length];
        List<Long> fresh = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] == ReplayBuffer.NONE) {
                fresh.add((long) i); // its row is overwritten below
            } else {
                rows[i] = slots[i];
            }
        }
        Tensor x = buffer.chains().rows(rows);
        if (!fresh.isEmpty()) {
            long[] indices = fresh.stream().mapToLong(Long::longValue).toArray();
            long[] theirs =
                    fresh.stream().mapToLong(row -> labels[row.intValue()]).toArray();
            x.putRowsInPlace(indices, start.drawGiven(key, theirs));
        }
        return x;
    }

    @Override
    public void save(State state) {
        buffer.save(state);
    }

    @Override
    public void load(State state) {
        buffer.load(state);
    }

    @Override
    public void close() {
        buffer.close();
    }
}

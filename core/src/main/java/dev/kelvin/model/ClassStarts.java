package dev.kelvin.model;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where chains of one class start, of a model whose chains of training walk on all classes together: at chains of the replay
 * buffer that the model itself assigns to the class, and afresh where there is none left. From fresh starts alone a model with
 * a buffer is seldom reached by a short chain.
 */
record ClassStarts(Model model, ReplayBuffer buffer) {
    private static final int BATCH = 256;

    /** Starts for these classes. */
    Tensor draw(Key key, long... k) {
        Key[] keys = key.split(2);
        List<List<Long>> slots = byClass(keys[0]);
        int[] given = new int[slots.size()];
        List<Long> rows = new ArrayList<>();
        List<Integer> from = new ArrayList<>(); // where in what was asked for they go
        for (int i = 0; i < k.length; i++) {
            List<Long> own = slots.get((int) k[i]);
            int next = given[(int) k[i]]++;
            if (next < own.size()) {
                rows.add(own.get(next));
                from.add(i);
            }
        }
        try (Scope scope = Scope.open()) {
            if (rows.size() == k.length) {
                return scope.keep(buffer.chainsAt(longs(rows)));
            }
            Tensor starts = model.starts().drawGiven(keys[1], k);
            if (rows.isEmpty()) {
                return scope.keep(starts);
            }
            long[] places = from.stream().mapToLong(Integer::longValue).toArray();
            return scope.keep(starts.copy().putRowsInPlace(places, buffer.chainsAt(longs(rows))));
        }
    }

    private static long[] longs(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    /** The slots that the model assigns to each class, in random order. */
    private List<List<Long>> byClass(Key key) {
        List<List<Long>> slots = new ArrayList<>();
        for (int k = 0; k < model.classes().size(); k++) {
            slots.add(new ArrayList<>());
        }
        long[] order = key.permutation(buffer.size());
        try (Scope scope = Scope.open()) {
            JointDensity joint = model.joint();
            for (int at = 0; at < order.length; at += BATCH) {
                try (Scope batch = Scope.open()) {
                    long[] some = Arrays.copyOfRange(order, at, Math.min(order.length, at + BATCH));
                    Scores scores = Scores.of(joint, buffer.chainsAt(some), OodScore.F);
                    for (int i = 0; i < some.length; i++) {
                        slots.get(scores.predicted(i)).add(some[i]);
                    }
                }
            }
        }
        return slots;
    }
}

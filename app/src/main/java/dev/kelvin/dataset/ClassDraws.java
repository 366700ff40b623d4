package dev.kelvin.dataset;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Draws of classes that are asked for: one at random among the class's rows, or images, that are learnt from. */
final class ClassDraws {
    private final List<long[]> rowsOf = new ArrayList<>();

    /**
     * Refuses a class without rows.
     *
     * @param labels of all rows
     * @param without the message about a class without rows
     */
    ClassDraws(long[] labels, int classes, IntFunction<String> without) {
        for (int k = 0; k < classes; k++) {
            int label = k;
            rowsOf.add(IntStream.range(0, labels.length)
                    .filter(row -> labels[row] == label)
                    .asLongStream()
                    .toArray());
            if (rowsOf.get(k).length == 0) {
                throw new UserException(without.apply(k));
            }
        }
    }

    /** Makes samples of rows, by what is left of the keys. */
    interface Drawer {
        Tensor draw(Key[] keys, long... rows);
    }

    /** A sample for each label; the first of the keys decides the rows. */
    Tensor draw(Key[] keys, Drawer drawer, long... labels) {
        try (Scope scope = Scope.open()) {
            RandomGenerator random = keys[0].stream();
            long[] rows = Arrays.stream(labels)
                    .mapToObj(label -> rowsOf.get((int) label))
                    .mapToLong(its -> its[random.nextInt(its.length)])
                    .toArray();
            return scope.keep(drawer.draw(keys, rows));
        }
    }
}

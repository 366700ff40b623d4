package dev.kelvin.tensor;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What must survive: named tensors and whole numbers that a part puts in when a run is saved and takes out when it is
 * resumed. {@link #at} gives each part a corner of its own.
 */
public final class State {
    private final String prefix;
    private final Map<String, Tensor> tensors;
    private final Map<String, Long> numbers;

    private State(String prefix, Map<String, Tensor> tensors, Map<String, Long> numbers) {
        this.prefix = prefix;
        this.tensors = tensors;
        this.numbers = numbers;
    }

    /** An empty one, to save into. */
    public static State empty() {
        return new State("", new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** One that was saved. */
    public static State of(Map<String, Tensor> tensors, Map<String, Long> numbers) {
        return new State("", tensors, numbers);
    }

    /** This state as a part with this name sees it. */
    public State at(String part) {
        return new State(prefix + part + ".", tensors, numbers);
    }

    /** Puts a tensor in; it is not copied. */
    public void put(String name, Tensor tensor) {
        tensors.put(prefix + name, tensor);
    }

    /** Puts a whole number in. */
    public void put(String name, long number) {
        numbers.put(prefix + name, number);
    }

    /** Whether there is a tensor with this name. */
    public boolean has(String name) {
        return tensors.containsKey(prefix + name);
    }

    /** Copies a saved tensor's numbers into one of the same shape. */
    public void restore(String name, Tensor into) {
        Tensor saved = saved(tensors, name);
        if (!java.util.Arrays.equals(saved.shape(), into.shape()) || saved.dtype() != into.dtype()) {
            throw new CheckpointMismatchException(
                    "the saved " + prefix + name + " is " + saved + ", here it should be " + into);
        }
        into.copyInPlace(saved);
    }

    /** A saved whole number. */
    public long number(String name) {
        return saved(numbers, name);
    }

    /** All tensors by their names. */
    public Map<String, Tensor> tensors() {
        return tensors;
    }

    /** All whole numbers by their names. */
    public Map<String, Long> numbers() {
        return numbers;
    }

    private <T> T saved(Map<String, T> all, String name) {
        T saved = all.get(prefix + name);
        if (saved == null) {
            throw new CheckpointMismatchException("the saved state has no " + prefix + name);
        }
        return saved;
    }
}

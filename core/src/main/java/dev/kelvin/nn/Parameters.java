package dev.kelvin.nn;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A network's parameters: one contiguous vector with named views into it. An optimiser's step, an average, a checkpoint
 * is so a handful of operations on one tensor, whatever the network.
 *
 * <p>Parameters own their memory, outside of any scope, until they are closed.
 */
public final class Parameters implements AutoCloseable {
    private final Layout layout;
    private final Tensor flat;
    private final Map<String, Tensor> views = new LinkedHashMap<>();
    private final Map<String, Tensor> transposes = new LinkedHashMap<>();

    /** Takes over the vector. */
    public Parameters(Layout layout, Tensor flat) {
        if (flat.dim() != 1 || flat.count() != layout.count()) {
            throw new IllegalArgumentException(
                    "this network has " + layout.count() + " parameters, the vector is " + flat);
        }
        this.layout = layout;
        this.flat = Scope.detach(flat);
        long offset = 0;
        for (Layout.Entry entry : layout.entries()) {
            try (Scope scope = Scope.open()) {
                Tensor view = flat.narrow(0, offset, entry.count()).reshape(entry.sizes());
                views.put(entry.name(), Scope.detach(view));
                if (view.dim() == 2) {
                    transposes.put(entry.name(), Scope.detach(view.transpose()));
                }
            }
            offset += entry.count();
        }
    }

    private Parameters(Layout layout, Tensor flat, Map<String, Tensor> views) {
        this.layout = layout;
        this.flat = flat;
        this.views.putAll(views);
        views.forEach((name, view) -> {
            if (view.dim() == 2) {
                transposes.put(name, view.transpose());
            }
        });
    }

    /** The view with this name; writing to it writes to the vector. */
    public Tensor get(String name) {
        return named(name, views);
    }

    /** Whether there is one with this name. */
    public boolean has(String name) {
        return views.containsKey(name);
    }

    /** These, and tensors made of them once for many calls; owned by the current scope. */
    public Parameters with(Map<String, Tensor> made) {
        Map<String, Tensor> all = new LinkedHashMap<>(views);
        all.putAll(made);
        return new Parameters(layout, flat, all);
    }

    /** A matrix, turned: the same memory, made once because layers ask for it all the time. */
    public Tensor transposed(String name) {
        return named(name, transposes);
    }

    /** The linear layer {@code name} of x: x·weightᵀ + bias, [n, inputs] → [n, outputs]. */
    public Tensor linear(String name, Tensor x) {
        return x.affine(transposed(name + ".weight"), get(name + ".bias"));
    }

    private static Tensor named(String name, Map<String, Tensor> views) {
        Tensor view = views.get(name);
        if (view == null) {
            throw new IllegalArgumentException(
                    "there is no parameter '" + name + "' (there are " + views.keySet() + ")");
        }
        return view;
    }

    /** All numbers. */
    public Tensor flat() {
        return flat;
    }

    /** The views' names and sizes. */
    public Layout layout() {
        return layout;
    }

    /** These numbers as leaves of a new graph, in the same memory, owned by the current scope; what is computed from it has a gradient. */
    public Parameters live() {
        Map<String, Tensor> leaves = new LinkedHashMap<>();
        for (Layout.Entry entry : layout.entries()) {
            Tensor view = get(entry.name());
            leaves.put(entry.name(), entry.trained() ? view.asLeaf() : view.detach());
        }
        return new Parameters(layout, flat, leaves);
    }

    /** For {@link #live()} parameters: Σᵢ weightsᵢ · ∂outputᵢ/∂parameters as a flat vector, 0 for what is not trained. */
    public Tensor gradient(Tensor output, Tensor weights) {
        return gradients(output, weights, List.of(), List.of(this)).get(0);
    }

    /** Gradients with respect to inputs, which come first, and to several parameters, a flat vector for each. */
    public static List<Tensor> gradients(Tensor output, Tensor weights, List<Tensor> inputs, List<Parameters> live) {
        try (Scope scope = Scope.open()) {
            List<Tensor> leaves = new ArrayList<>(inputs);
            live.forEach(parameters -> leaves.addAll(parameters.leaves()));
            Iterator<Tensor> found = Gradients.of(output, weights, leaves).iterator();
            List<Tensor> all = new ArrayList<>();
            inputs.forEach(input -> all.add(scope.keep(found.next())));
            live.forEach(parameters -> all.add(scope.keep(parameters.flattened(found))));
            return all;
        }
    }

    private List<Tensor> leaves() {
        return layout.entries().stream()
                .filter(Layout.Entry::trained)
                .map(entry -> get(entry.name()))
                .toList();
    }

    /** The next of these for each entry that is trained, as one vector. */
    private Tensor flattened(Iterator<Tensor> found) {
        Map<String, Tensor> named = new HashMap<>();
        layout.entries().stream().filter(Layout.Entry::trained).forEach(entry -> named.put(entry.name(), found.next()));
        return flattened(named);
    }

    /** One for each entry that is trained, by name, as one vector; 0 for the others. */
    public Tensor flattened(Map<String, Tensor> named) {
        List<Tensor> parts = new ArrayList<>();
        for (Layout.Entry entry : layout.entries()) {
            Tensor part = entry.trained() ? named(entry.name(), named) : Tensors.zerosLike(get(entry.name()));
            parts.add(part.reshape(-1));
        }
        return Tensors.concat(0, parts);
    }

    /** A copy with memory of its own. */
    public Parameters copy() {
        return new Parameters(layout, flat.copy());
    }

    /** These in bfloat16, convolutions channels last, owned by the current scope; gradients find their way back. */
    Parameters rounded() {
        Map<String, Tensor> rounded = new LinkedHashMap<>();
        views.forEach((name, view) -> {
            Tensor low = view.to(DType.BFLOAT16);
            rounded.put(name, low.dim() == 4 ? low.channelsLast() : low);
        });
        return new Parameters(layout, flat, rounded);
    }

    /** A copy on another device. */
    public Parameters to(Device device) {
        try (Scope scope = Scope.open()) {
            return new Parameters(layout, flat.copy().to(device));
        }
    }

    @Override
    public void close() {
        views.values().forEach(Tensor::close);
        transposes.values().forEach(Tensor::close);
        flat.close();
    }
}

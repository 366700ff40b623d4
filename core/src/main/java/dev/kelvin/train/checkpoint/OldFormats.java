package dev.kelvin.train.checkpoint;

import dev.kelvin.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings what older versions wrote to today's form, as a tree of JSON, before anything is made of it. What it does not
 * know it leaves in its place, for the reader to refuse.
 *
 * <p>Format 0 had no number and no checksum of its own. Its models were scalar, classes or time-joint where there is now
 * one with a head, and an activation was an object that held its slope. In it and in the first files of format 1 IGEBM's
 * network had no choice about its last layer, which was normed.
 */
final class OldFormats {
    private static final String TYPE = "type";
    private static final String NETWORK = "network";
    private static final String INNER = "inner";
    private static final String ACTIVATION = "activation";
    private static final String SLOPE = "slope";
    private static final String LEAKY = "leaky-relu";
    private static final String IGEBM = "igebm";
    private static final String NORMED_OUTPUT = "normedOutput";

    private static final Map<String, String> NETWORKS = Map.of(
            "short-run-net", "short-run",
            "igebm-net", IGEBM,
            "improved-cd-net", "improved-cd",
            "time-resnet", "resnet");

    /** Networks whose activation is always a leaky ReLU, and what has become a constant of its network. */
    private static final List<String> SLOPE_ONLY = List.of(IGEBM, "wide-resnet");

    private static final String NO_ACTIVATION = "improved-cd";

    private static final Map<String, String> TENSORS = Map.of("factors", "negatives.steps");

    private OldFormats() {}

    /** Today's header from one of format 0. */
    static ObjectNode upgraded(ObjectNode old) {
        ObjectNode header = old.deepCopy();
        header.put("format", 0);
        header.putNull("settings");
        move(header, "sha256", header, "tensors");
        if (header.get("model") instanceof ObjectNode model) {
            header.set("model", model(model));
        }
        return header;
    }

    /** Today's names of a state of format 0. */
    static Map<String, Tensor> upgraded(Map<String, Tensor> old) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        old.forEach((name, tensor) -> tensors.put(TENSORS.getOrDefault(name, name), tensor));
        return tensors;
    }

    private static ObjectNode model(ObjectNode model) {
        ObjectNode head = model.objectNode();
        switch (model.path(TYPE).asString("")) {
            case "scalar" -> head.put(TYPE, "direct").put("columns", 1);
            case "classes" -> move(model, "classes", head.put(TYPE, "direct"), "columns");
            case "time-joint" -> {
                head.put(TYPE, "timeline");
                List.of("times", "mean", "std", "cumulative").forEach(name -> move(model, name, head, name));
                head.put("pinned", true);
            }
            default -> {
                return model;
            }
        }
        model.remove(TYPE);
        model.set("head", head);
        if (model.get(NETWORK) instanceof ObjectNode network) {
            network(network);
        }
        return model;
    }

    private static void network(ObjectNode network) {
        String name = network.path(TYPE).asString("");
        String now = NETWORKS.getOrDefault(name, name);
        network.put(TYPE, now);
        if (network.get(ACTIVATION) instanceof ObjectNode activation) {
            network.remove(ACTIVATION);
            if (!now.equals(NO_ACTIVATION)) {
                if (!SLOPE_ONLY.contains(now)) {
                    network.set(ACTIVATION, activation.get(TYPE));
                }
                network.set(SLOPE, activation.has(SLOPE) ? activation.get(SLOPE) : activation.numberNode(0.0));
            }
        }
        if (network.get(INNER) instanceof ObjectNode inner) {
            network(inner);
        }
    }

    /** The tree, in which every network has the settings that it got since it was written. */
    static ObjectNode completed(ObjectNode tree) {
        if (tree.path(TYPE).asString("").equals(IGEBM) && !tree.has(NORMED_OUTPUT)) {
            tree.put(NORMED_OUTPUT, true);
        }
        tree.forEach(child -> {
            if (child instanceof ObjectNode inner) {
                completed(inner);
            }
        });
        return tree;
    }

    /** A tree in which no activation but the leaky ReLU has a slope: recipes may give one to all, and format 0 did not. */
    static JsonNode withoutIdleSlopes(JsonNode tree) {
        if (tree instanceof ObjectNode part
                && part.has(ACTIVATION)
                && !part.path(ACTIVATION).asString("").equals(LEAKY)) {
            part.remove(SLOPE);
        }
        tree.forEach(OldFormats::withoutIdleSlopes);
        return tree;
    }

    private static void move(ObjectNode from, String name, ObjectNode to, String newName) {
        JsonNode value = from.remove(name);
        if (value != null) {
            to.set(newName, value);
        }
    }
}

package dev.kelvin.spark;

import dev.kelvin.model.Model;
import dev.kelvin.model.RowScorer;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A model that this process has loaded, once for all tasks; it stays until the process ends. */
final class LoadedModel {
    /** What JavaCPP and libtorch are to do in an executor, unless its options say otherwise. */
    private static final Map<String, String> USUAL = Map.of(
            "kelvin.threads", "1", // a task has one processor
            "org.bytedeco.javacpp.nopointergc", "true", // every tensor lives in a scope
            "org.bytedeco.javacpp.maxPhysicalBytes", "0");

    private static final Map<Key, LoadedModel> LOADED = new HashMap<>();

    private record Key(Path run, String stamp, String device) {}

    private final Model model;
    private final Map<RowScorer.Settings, RowScorer> scorers = new ConcurrentHashMap<>();

    private LoadedModel(Model model) {
        this.model = model;
    }

    /**
     * The model of a run, which is loaded where no task has asked for it before.
     *
     * @param stamp of the run that the driver saw
     */
    static LoadedModel of(String run, String stamp, String device) {
        Path place = RunPlace.of(run).toAbsolutePath().normalize();
        synchronized (LOADED) { // other tasks wait for the one that loads
            return LOADED.computeIfAbsent(new Key(place, stamp, device), LoadedModel::load);
        }
    }

    private static LoadedModel load(Key key) {
        if (!RunPlace.stamp(key.run).equals(key.stamp)) {
            throw new InvalidInputException(
                    key.run + " is not the run that the driver read, or has changed since; give every"
                            + " executor the same copy");
        }
        USUAL.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
        try {
            return new LoadedModel(Model.load(key.run, Device.parse(key.device)));
        } catch (IOException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        }
    }

    /** How many models this process has loaded. */
    static int count() {
        synchronized (LOADED) {
            return LOADED.size();
        }
    }

    Model model() {
        return model;
    }

    /** What scores with these settings. */
    RowScorer scorer(RowScorer.Settings settings) {
        return scorers.computeIfAbsent(settings, each -> new RowScorer(model, each));
    }
}

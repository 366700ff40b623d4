package dev.kelvin.run;

import dev.kelvin.dataset.Build;
import dev.kelvin.dataset.Data;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.io.Sha256;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Device;
import dev.kelvin.yaml.SettingPaths;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where a run comes from: version, commit, seed, machine, data. */
public record Provenance(Map<String, String> facts) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(tools.jackson.databind.SerializationFeature.INDENT_OUTPUT)
            .build();

    private static final String RESTORE =
            "nothing can make it again: restore it from a copy of the run, or train another";

    private static final String DATA = "data";
    private static final String DATA_HASH = "dataHash";
    private static final String ACCEPTED = "accepted ";

    /** The data in words, with the first digits of their hash; empty where that is not on record. */
    public String data() {
        String hash = facts.getOrDefault(DATA_HASH, "");
        return (facts.getOrDefault(DATA, "") + " " + hash.substring(0, Math.min(8, hash.length()))).strip();
    }

    /** Of a run that begins now on this machine. */
    public static Provenance of(Experiment experiment, Device device) throws IOException {
        Recipe recipe = experiment.recipe();
        Map<String, String> facts = new LinkedHashMap<>(Build.facts());
        facts.put("seed", Long.toString(recipe.train().seed()));
        facts.put("device", device.toString());
        if (experiment.ranks().size() > 1) {
            facts.put("ranks", Integer.toString(experiment.ranks().size()));
        }
        facts.put("libtorch", Backend.version());
        facts.put("libtorchFrom", Backend.origin());
        facts.put("openblasFrom", Backend.blasOrigin());
        facts.put("threads", Integer.toString(Backend.threads()));
        facts.put("java", System.getProperty("java.vendor") + " " + System.getProperty("java.version"));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put(DATA, experiment.recipe().data().origin());
        facts.put(DATA_HASH, experiment.data().hash());
        facts.put("began", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return new Provenance(facts);
    }

    void write(Path file) throws IOException {
        AtomicFile.write(file, JSON.writeValueAsString(facts));
    }

    /** What a run's folder says. */
    public static Provenance read(Path file) {
        try {
            return JsonFile.read(file, RESTORE, text -> of(JSON.readTree(text)));
        } catch (IOException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    private static Provenance of(JsonNode tree) {
        if (!tree.isObject()) {
            throw new IllegalArgumentException("it holds no facts");
        }
        Map<String, String> facts = new LinkedHashMap<>();
        tree.properties()
                .forEach(fact -> facts.put(fact.getKey(), fact.getValue().stringValue()));
        return new Provenance(facts);
    }

    /** The commit of Kelvin that the run began with. */
    public String commit() {
        return facts.getOrDefault("commit", "unknown");
    }

    /** When the run began; the beginning of time if its folder does not say. */
    public Instant began() {
        try {
            return Instant.parse(facts.getOrDefault("began", ""));
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    /** These facts, and that the run was resumed now with these data, where, and by which version. */
    public Provenance resumed(Experiment experiment, Device device) throws IOException {
        Map<String, String> renewed = new LinkedHashMap<>(facts);
        renewed.put(DATA, experiment.recipe().data().origin());
        return new Provenance(renewed)
                .and("resumed ", "on " + device + ", commit " + Build.facts().get("commit"));
    }

    /** These facts, and that changes were accepted now. */
    Provenance accepting(List<Change> changes) {
        Provenance all = this;
        for (Change change : changes) {
            all = all.and(ACCEPTED, change.what() + " (SHA-256 " + change.hash() + ")");
        }
        return all;
    }

    private Provenance and(String event, String what) {
        Map<String, String> more = new LinkedHashMap<>(facts);
        int number = 1;
        while (more.containsKey(event + number)) {
            number++;
        }
        more.put(event + number, Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + what);
        return new Provenance(more);
    }

    private Stream<String> accepted() {
        return facts.keySet().stream().filter(fact -> fact.startsWith(ACCEPTED)).map(facts::get);
    }

    /** Whether data or settings with this hash were accepted after the run began. */
    boolean accepts(String hash) {
        return accepted().anyMatch(what -> what.contains(hash));
    }

    /** The SHA-256 of the data, unless others were accepted since the run began, or it is not on record. */
    Optional<String> unchangedData() {
        return accepted().findAny().isPresent() ? Optional.empty() : Optional.ofNullable(facts.get(DATA_HASH));
    }

    /** That the data are others than those that the run began with, unless these were accepted. */
    Optional<Change> dataChange(Recipe recipe, Data data) {
        String before = facts.getOrDefault(DATA_HASH, "");
        String now = data.hash();
        return before.isEmpty() || before.equals(now) || accepts(now)
                ? Optional.empty()
                : Optional.of(new Change(
                        "the data, " + recipe.data().title() + ", are others: their SHA-256 was " + before, now));
    }

    /**
     * A difference between a run's recipe or data now and when it was trained.
     *
     * @param what in words
     * @param hash the SHA-256 of what it is now
     */
    record Change(String what, String hash) {
        /** Settings that change nothing of a run's numbers. Data are compared by their SHA-256, wherever they lie. */
        private static final Set<String> WORDS = Set.of("name", "about", "takes", "data.images.set", "data.table.file");

        private static final String NOTHING = "nothing";

        /** The settings in which two recipes differ. */
        static Optional<Change> between(Recipe before, Recipe now) {
            Map<String, String> old = SettingPaths.of(before);
            Map<String, String> settings = SettingPaths.of(now);
            String what = Stream.of(settings, old)
                    .flatMap(each -> each.keySet().stream())
                    .distinct()
                    .filter(name -> !WORDS.contains(name) && !Objects.equals(old.get(name), settings.get(name)))
                    .map(name -> name + " is " + settings.getOrDefault(name, NOTHING) + " and was "
                            + old.getOrDefault(name, NOTHING))
                    .collect(Collectors.joining(", "));
            return what.isEmpty() ? Optional.empty() : Optional.of(new Change(what, hash(now)));
        }

        /** The SHA-256 of a recipe's settings. */
        static String hash(Recipe recipe) {
            return Sha256.of(SettingPaths.of(recipe).toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}

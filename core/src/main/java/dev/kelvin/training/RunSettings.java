package dev.kelvin.training;

import dev.kelvin.io.Sha256;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.SampleKind;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a {@link ModelTraining} trains on and by what, as lines of text that its checkpoints keep, so that a folder with another
 * run is refused before anything is written to it. The number of iterations is not among them: a run can be gone on with.
 *
 * @param lines a setting's name and its value; the data's is a hash of their scaling and of samples drawn by a key of its own
 */
record RunSettings(Map<String, String> lines) {
    private static final String DATA = "data";
    private static final String IS = ": ";

    /** So many samples of the data are hashed; of rows any other changes the scaling as well. */
    private static final int HASHED = 1000;

    private static final Key KEY = Key.of(0x5e771965);

    private static final String ADVICE =
            "; train into another folder, or give this one's own data and settings to go on with it";

    static RunSettings of(TrainingPlan plan, SampleKind samples, SampleSource data) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put(DATA, hash(samples, data));
        lines.put("shape", samples.words());
        lines.put("network", plain(plan.network()));
        lines.put("batch", plain(plan.batch()));
        lines.put("chains", plain(plan.chains())); // whose buffer may follow the batch
        lines.put("objective", plain(plan.objective()));
        lines.put("optimiser", plain(plan.optimiser()));
        return new RunSettings(lines);
    }

    private static String hash(SampleKind kind, SampleSource data) {
        try (Scope scope = Scope.open()) {
            float[] numbers =
                    data.draw(KEY, HASHED).to(DType.FLOAT).contiguous().toFloats();
            byte[] units = kind.rows()
                    .map(rows -> rows.schema() + " " + rows.scaling())
                    .orElse("")
                    .getBytes(StandardCharsets.UTF_8);
            ByteBuffer bytes = ByteBuffer.allocate(Math.addExact(Math.multiplyExact(numbers.length, 4), units.length));
            bytes.asFloatBuffer().put(numbers);
            bytes.position(numbers.length * 4).put(units);
            return Sha256.of(bytes.array());
        }
    }

    /** A part in words that another process finds too: what is no record has a name, and no address. */
    private static String plain(Object part) {
        return part.toString()
                .replaceAll("\\$\\$Lambda[^,\\])]*", "\\$\\$Lambda")
                .replaceAll("@[0-9a-f]+", "")
                .replace("\n", " ");
    }

    String text() {
        return lines.entrySet().stream()
                .map(line -> line.getKey() + IS + line.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private static Map<String, String> parsed(String text) {
        return text.lines()
                .filter(line -> line.contains(IS))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(IS)),
                        line -> line.substring(line.indexOf(IS) + IS.length()),
                        (first, second) -> first,
                        LinkedHashMap::new));
    }

    /** Refuses a folder with a run of other data or settings, or of more iterations, and one that is in use for something else. */
    void requireSame(Path run, Checkpoints checkpoints, int iterations, long seed) throws IOException {
        Optional<Checkpoints.Header> found = checkpoints.newest();
        if (found.isEmpty()) {
            requireFree(run);
            return;
        }
        Checkpoints.Header saved = found.get();
        Map<String, String> before = parsed(saved.settings().orElse(""));
        if (!before.keySet().containsAll(lines.keySet())) {
            throw new InvalidInputException(
                    run + " holds a run that ModelTraining did not make, of a recipe say; train into another folder");
        }
        if (saved.seed() != seed) { // which decides the samples that are held out, and so changes the data's hash
            throw new InvalidInputException(
                    run + " holds a run of seed " + saved.seed() + ", here it is " + seed + ADVICE);
        }
        lines.forEach((name, here) -> requireSame(run, name, here, String.valueOf(before.get(name))));
        if (saved.step() > iterations) {
            throw new InvalidInputException(run + " holds a run of " + saved.step() + " iterations, here they are "
                    + iterations + "; ask for so many or more, or train into another folder");
        }
    }

    private static void requireSame(Path run, String name, String here, String there) {
        if (!there.equals(here)) {
            throw new InvalidInputException(run + " holds a run of "
                    + (name.equals(DATA)
                            ? "other data, whose hash is " + there + " and here " + here
                            : "another " + name + IS + there + ", here it is " + here)
                    + ADVICE);
        }
    }

    /** A folder that is not there, empty, or of a run that was stopped before its first checkpoint. */
    private static void requireFree(Path run) throws IOException {
        if (!Files.exists(run)) {
            return;
        }
        List<String> ours = Arrays.asList(ModelCard.FILE, "checkpoints");
        try (Stream<Path> files = Files.list(run)) {
            Optional<Path> other = files.filter(file -> !ours.contains(String.valueOf(file.getFileName())))
                    .findAny();
            if (other.isPresent()) {
                throw new InvalidInputException(run + " holds no run of Kelvin's, but "
                        + other.get().getFileName() + "; train into another folder, or into one of its own in it");
            }
        }
    }
}

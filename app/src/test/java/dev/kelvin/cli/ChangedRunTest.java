package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run whose data, recipe or checkpoint is another than when it was trained. */
class ChangedRunTest {
    private static final String OTHER_DATA = "0".repeat(64);

    private static final List<String> SMALL = List.of(
            "model.mlp.hidden=[4]",
            "negatives.steps=1",
            "negatives.buffer.size=16",
            "train.batch=8",
            "train.iterations=4",
            "train.checkpointEvery=2");

    @TempDir
    private Path folder;

    private RunFolder run;

    @BeforeEach
    void train() throws IOException {
        train(Recipes.load("rings", SMALL));
    }

    /** The run again, with chains that start at the data. */
    private void trainFromTheData() throws IOException {
        List<String> settings = new ArrayList<>(SMALL);
        settings.add("negatives.start=data");
        train(Recipes.load("rings", settings));
    }

    private void train(Recipe recipe) throws IOException {
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            run = RunFolder.create(RunFolder.unused(folder, "run"), recipe, Provenance.of(experiment, Device.CPU));
            new Runner(run, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
        }
    }

    private void resume(boolean accept, String... overrides) throws IOException {
        List<String> changes = List.of(overrides);
        try (Experiment experiment = new Experiment(run.recipe(changes), Device.CPU)) {
            new Runner(run, Device.CPU).resume(experiment, changes, accept);
        }
    }

    private long restore() throws IOException {
        try (Experiment experiment = new Experiment(run.recipe(List.of()), Device.CPU)) {
            return new Runner(run, Device.CPU).restore(experiment, CheckpointChoice.NEWEST);
        }
    }

    private void edit(Path file, String found, String instead) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(found);
        Files.writeString(file, text.replace(found, instead));
    }

    private void editRecipe(String found, String instead) throws IOException {
        edit(run.path().resolve("recipe.yaml"), found, instead);
    }

    /** As if the run had been trained on other data. */
    private void changeData() throws IOException {
        edit(run.provenance(), facts().getOrDefault("dataHash", ""), OTHER_DATA);
    }

    private Map<String, String> facts() {
        return Provenance.read(run.provenance()).facts();
    }

    private String accepted(int number) {
        return facts().getOrDefault("accepted " + number, "nothing");
    }

    /** A command's exit code and what it said. */
    private record Said(int exit, String err) {
        static Said by(String... words) {
            StringWriter err = new StringWriter();
            int exit = Main.commandLine().setErr(new PrintWriter(err)).execute(words);
            return new Said(exit, err.toString());
        }
    }

    @Test
    void anUnchangedRunGoesOn() throws IOException {
        resume(false);
        assertThat(facts()).containsKey("resumed 1").doesNotContainKey("accepted 1");
        assertThat(restore()).isEqualTo(4);
    }

    @Test
    void aRecipeEditedByHandIsRefused() throws IOException {
        editRecipe("batch: 8", "batch: 12");
        assertThatThrownBy(() -> resume(false))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(run.path().toString(), "train.batch is 12 and was 8", "--accept-changes");
        assertThat(facts()).doesNotContainKey("resumed 1");
        Said said = Said.by("train", "--resume", run.path().toString());
        assertThat(said.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(said.err()).contains("train.batch is 12 and was 8");
    }

    @Test
    void anAcceptedEditIsWrittenDownAndNotAskedAboutAgain() throws IOException {
        editRecipe("batch: 8", "batch: 12");
        resume(true);
        assertThat(accepted(1)).matches("20.*Z train.batch is 12 and was 8 \\(SHA-256 [0-9a-f]{64}\\)");
        resume(false);
        editRecipe("batch: 12", "batch: 13");
        assertThatThrownBy(() -> resume(false)).hasMessageContaining("train.batch is 13 and was 8");
    }

    @Test
    void wordsMayBeEdited() throws IOException {
        editRecipe("takes: \"60 s\"", "takes: \"a minute\"");
        resume(false);
    }

    @Test
    void anOverrideIsAnAcceptance() throws IOException {
        resume(false, "train.iterations=6");
        assertThat(accepted(1)).contains("train.iterations is 6 and was 4");
        assertThat(run.recipe(List.of()).train().iterations()).isEqualTo(6);
        resume(false); // killed before the next checkpoint
        assertThat(facts()).containsKey("resumed 2").doesNotContainKey("accepted 2");
    }

    @Test
    void anOverrideAcceptsNothingElse() throws IOException {
        editRecipe("batch: 8", "batch: 12");
        assertThatThrownBy(() -> resume(false, "train.iterations=6"))
                .hasMessageContaining("train.batch is 12 and was 8")
                .hasMessageNotContaining("iterations");
        resume(false, "train.iterations=6", "train.batch=10");
        assertThat(accepted(1)).contains("train.iterations is 6 and was 4", "train.batch is 10");
    }

    /** Whoever works on the checkpoint: its figures and samples would be of a run that never was. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "evaluate RUN",
                "evaluate --checkpoint newest RUN",
                "evaluate --checkpoint 2 RUN",
                "sample -n 4 RUN",
                "diagnose RUN",
                "score RUN points.npy",
                "sample -n 4 COPY --with RUN",
                "compare COPY RUN"
            })
    void anEditedRecipeIsRefusedByAllWhoOpenTheRun(String verb) throws IOException {
        Files.writeString(run.evaluation(), "{}");
        editRecipe("batch: 8", "batch: 12");
        Path copy = copied();
        Said said = Said.by(named(verb, "COPY", copy));
        assertThat(said.exit()).as(said.err()).isEqualTo(ExitCode.RECIPE);
        assertThat(said.err())
                .contains(
                        "was changed since its checkpoint: train.batch is 12 and was 8. Change that back, or accept it",
                        "kelvin evaluate --accept-changes " + run.path());
        assertThat(run.evaluation()).hasContent("{}");
        assertThat(run.path().resolve("samples")).doesNotExist();
    }

    /** The words of a command on this run, and on another. */
    private String[] named(String command, String name, Path other) {
        return command.replace("RUN", run.path().toString())
                .replace(name, other.toString())
                .split(" ");
    }

    /** The run as it was before it was edited. */
    private Path copied() throws IOException {
        Path copy = folder.resolve("copy");
        try (Stream<Path> files = Files.walk(run.path())) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(run.path().relativize(file).toString()));
            }
        }
        edit(copy.resolve("recipe.yaml"), "batch: 12", "batch: 8");
        return copy;
    }

    @Test
    void anEditThatEvaluateAcceptsIsAcceptedForGood() throws IOException {
        editRecipe("batch: 8", "batch: 12");
        try (Experiment experiment = new Experiment(run.recipe(List.of()), Device.CPU)) {
            Runner runner = new Runner(run, Device.CPU);
            runner.accept(experiment);
            assertThat(runner.restore(experiment, CheckpointChoice.NEWEST)).isEqualTo(4);
        }
        assertThat(accepted(1)).contains("train.batch is 12 and was 8");
        resume(false);
        assertThat(facts()).doesNotContainKey("accepted 2");
    }

    /** What a table is, its SHA-256 tells, wherever it lies. */
    @Test
    void aTableThatWasMovedIsNoChange() throws IOException {
        Path table = folder.resolve("table.csv");
        Files.writeString(
                table,
                IntStream.range(0, 100)
                        .mapToObj(i -> Math.sin(i) + "," + Math.cos(3 * i) + "\n")
                        .collect(Collectors.joining("", "a,b\n", "")));
        train(Recipes.load(
                "table",
                List.of(
                        "data.table.file=" + table,
                        "data.table.advise=false",
                        "model.mlp.hidden=[4]",
                        "negatives.steps=1",
                        "negatives.buffer.size=128",
                        "train.batch=8",
                        "train.iterations=2")));
        Path moved = Files.move(table, folder.resolve("moved.csv"));
        try (Experiment experiment = new Experiment(run.recipe(List.of()).withDataAt(moved), Device.CPU)) {
            Runner runner = new Runner(run, Device.CPU);
            assertThat(runner.restore(experiment, CheckpointChoice.NEWEST)).isEqualTo(2);
            runner.resume(experiment, List.of(), false);
        }
    }

    /** Each file is named, nothing is removed or written over, and no verb calls it a run without checkpoints. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "train --resume RUN",
                "evaluate RUN",
                "sample RUN",
                "sample RUN --with RUN",
                "diagnose RUN",
                "score RUN points.npy",
                "compare RUN OTHER"
            })
    void damagedCheckpointsAreKeptAndNamed(String verb) throws IOException {
        Path older = run.checkpoints().resolve("000000002.json");
        Path newest = run.checkpoints().resolve("000000004.safetensors");
        Files.writeString(older, "damaged");
        Files.writeString(newest, "damaged");
        Files.deleteIfExists(run.checkpoints().resolve("000000000.json")); // where it was the best
        Path other = RunFolder.create(folder.resolve("other"), run.recipe(List.of()), Provenance.read(run.provenance()))
                .path();
        Said said = Said.by(named(verb, "OTHER", other));
        assertThat(said.exit()).as(said.err()).isEqualTo(ExitCode.RECIPE);
        assertThat(said.err())
                .contains(run.checkpoints() + ": no checkpoint is whole", older + " is damaged", newest + " is damaged")
                .doesNotContain("has no checkpoint yet");
        assertThat(older).hasContent("damaged");
        assertThat(newest).hasContent("damaged");
        assertThat(facts()).doesNotContainKey("resumed 1");
    }

    @Test
    void otherDataAreRefused() throws IOException {
        changeData();
        assertThatThrownBy(() -> resume(false))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll("the data, rings, are others", OTHER_DATA, "--accept-changes");
        assertThatThrownBy(this::restore)
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll("the data, rings, are others", OTHER_DATA, "--accept-changes");
        trainFromTheData();
        changeData();
        Said said = Said.by("sample", run.path().toString());
        assertThat(said.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(said.err()).contains("the data, rings, are others");
    }

    @Test
    void acceptedDataAreWrittenDownAndNotAskedAboutAgain() throws IOException {
        trainFromTheData();
        changeData();
        Said said = Said.by(
                "sample",
                "--accept-changes",
                "-n",
                "4",
                "--steps",
                "1",
                run.path().toString());
        assertThat(said.exit()).as(said.err()).isEqualTo(ExitCode.OK);
        assertThat(accepted(1)).contains("the data, rings, are others: their SHA-256 was " + OTHER_DATA);
        assertThat(restore()).isEqualTo(4);
        resume(false);
        assertThat(facts()).containsEntry("dataHash", OTHER_DATA).doesNotContainKey("accepted 2");
    }

    @Test
    void dataThatAnOverrideNamesAreAccepted() throws IOException {
        resume(false, "data={toy: moons}");
        assertThat(accepted(1)).contains("data.toy is moons and was rings");
        assertThat(accepted(2)).contains("the data, moons, are others");
        resume(false);
    }

    /** It is the newest, so that the run would go on from an older one, or from nothing. */
    @Test
    void aCheckpointThatIsNotUnderstoodStopsTheRun() throws IOException {
        Path newest = run.checkpoints().resolve("000000004.json");
        edit(newest, "\"format\" : 1", "\"format\" : 2");
        byte[] before = Files.readAllBytes(newest);
        Said said = Said.by("train", "--resume", run.path().toString());
        assertThat(said.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(said.err()).contains(newest + " is not understood: it is of format 2");
        assertThat(newest).hasBinaryContent(before);
        assertThat(run.checkpoints().resolve("000000000.json")).doesNotExist();
        assertThat(facts()).doesNotContainKey("resumed 1");
        assertThatThrownBy(() -> new Checkpoints(run.checkpoints()).newest()).isInstanceOf(IOException.class);
    }
}

package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that moves to another device and back, as far as this machine has some: its state keeps every bit, and it goes on. */
class ResumeElsewhereTest {
    private static final List<String> SHORT = List.of(
            "train.iterations=4", "train.batch=8", "train.checkpointEvery=4", "train.ema=0.9", "negatives.steps=1");

    @TempDir
    private Path folder;

    private static List<Device> devices() {
        return Device.cudaCount() > 0 ? List.of(Device.CPU, Device.cuda(0)) : List.of(Device.CPU);
    }

    private static Recipe recipe(String name, String... more) {
        List<String> changes = new ArrayList<>(SHORT);
        changes.addAll(List.of(more));
        return Recipes.load(name, changes);
    }

    /** Every kind of state: buffers of floats and bytes with classes, adapted steps, two networks, running statistics, SAM. */
    static Stream<Arguments> moves() {
        List<Recipe> recipes = List.of(
                recipe("rings"),
                recipe("digits-jem-small", "model.short-run.filters=2", "negatives.buffer.bytes=true"),
                recipe("digits-time-small", "time.count=4", "model={resnet: {widths: [2, 3], stem: imagenet}}"),
                recipe("digits-latent-small", "latent.posterior.steps=1"),
                recipe("digits-sada-jem", "model={wide-resnet: {depth: 10, width: 1, norm: batch}}"));
        return recipes.stream()
                .flatMap(recipe -> devices().stream()
                        .flatMap(from -> devices().stream()
                                .map(to -> Arguments.of(
                                        recipe.name() + " from " + from + " to " + to, recipe, from, to))));
    }

    private static Path tensors(Path checkpoints) {
        return checkpoints.resolve("000000004.safetensors");
    }

    /** Loads a checkpoint on a device, and saves it again. */
    private Path carried(Recipe recipe, Path checkpoints, Device to) throws IOException {
        Path again = Files.createTempDirectory(folder, "carried");
        try (Experiment experiment = new Experiment(recipe, to)) {
            Checkpoints.Position at = new Checkpoints(checkpoints)
                    .restore(CheckpointChoice.NEWEST, experiment.learner())
                    .orElseThrow();
            new Checkpoints(again, Optional.empty(), OptionalLong.of(Long.MAX_VALUE))
                    .save(at, experiment.learner(), OptionalDouble.empty(), true);
        }
        return again;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("moves")
    void theStateKeepsEveryBitAndTheRunGoesOn(String name, Recipe recipe, Device from, Device to) throws IOException {
        RunFolder run;
        try (Experiment experiment = new Experiment(recipe, from)) {
            run = RunFolder.create(folder.resolve("run"), recipe, Provenance.of(experiment, from));
            new Runner(run, from).train(experiment, new TrainListener() {}, () -> false);
        }
        Path there = carried(recipe, run.checkpoints(), to);
        assertThat(tensors(there)).hasSameBinaryContentAs(tensors(run.checkpoints()));
        assertThat(tensors(carried(recipe, there, from))).hasSameBinaryContentAs(tensors(run.checkpoints()));

        List<String> longer = List.of("train.iterations=6");
        try (Experiment experiment = new Experiment(run.recipe(longer), to)) {
            Runner runner = new Runner(run, to);
            runner.resume(experiment, longer, false);
            assertThat(runner.train(experiment, new TrainListener() {}, () -> false))
                    .isEqualTo(Trainer.Outcome.FINISHED);
        }
        assertThat(new Checkpoints(run.checkpoints()).newest().orElseThrow().step())
                .isEqualTo(6);
        assertThat(Files.readString(run.provenance())).contains("on " + to);
    }
}

package dev.kelvin.recipe;

import dev.kelvin.distributed.Shards;
import dev.kelvin.model.Precision;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.train.loop.Guard;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** How long a run trains, and what is kept of it. */
@Doc("the length of training, checkpoints and seed")
public record Training(
        @Doc("the number of optimiser steps") int iterations,

        @Doc("the batch size") @Default("100") int batch,

        @Doc(
                value =
                        "the number of parts, a power of two, that batch, negatives and replay buffers are divided into, each with random"
                                + " numbers of its own, so that up to as many processes, threads or devices compute an iteration (--ranks) and the"
                                + " result does not depend on how many",
                otherwise = "the batch is not divided")
        OptionalInt shards,

        @Doc(
                "the decay of the exponential moving average (EMA) of the parameters, which is what is evaluated; 0 for none")
        @Default("0")
        double ema,

        @Doc("iterations between two checkpoints") @Default("1000")
        int checkpointEvery,

        @Doc(
                value =
                        "the largest size of a checkpoint's file in MiB: larger ones are saved in parts, STEP.safetensors.001-of-012"
                                + " and so on, for places that take small files only",
                otherwise = "one file of any size")
        OptionalInt largestFile,

        @Doc("iterations between two lines of the log") @Default("" + LOG_EVERY)
        int logEvery,

        @Doc(
                "of images with classes or judged by figures.features, iterations between two measurements of FID and Inception score in training: of the replay buffer's chains, or of fresh ones where there is no buffer; 0 for none")
        @Default("0")
        int judgeEvery,

        @Doc("which checkpoint is evaluated, sampled and scored with: newest, or best by its validation score")
        @Default("newest")
        Which evaluate,

        @Doc("the random seed") @Default("0") long seed,

        @Doc(
                "the numbers in which an image network is computed: float, tf32 (faster convolutions on a GPU, in three digits) or"
                        + " bfloat16, channels last, which pays on GPUs and on new processors")
        @Default("float")
        Precision precision,

        @Doc("when a run counts as diverged") @Default("{}") Guard.Settings guard,

        @Doc("of images, what FID, KID and Inception score are measured with") @Default("{}")
        ImageFigures figures) {
    static final int LOG_EVERY = 50;

    private static final long MIB = 1 << 20;

    public Training {
        Check.all(
                () -> Check.atLeast("iterations", iterations, 1),
                () -> Check.atLeast("batch", batch, 1),
                () -> shards.ifPresent(Shards::requireCount),
                () -> Check.belowOne("ema", ema),
                () -> Check.atLeast("checkpointEvery", checkpointEvery, 1),
                () -> largestFile.ifPresent(size -> Check.atLeast("largestFile", size, 1)),
                () -> Check.atLeast("logEvery", logEvery, 1),
                () -> Check.atLeast("judgeEvery", judgeEvery, 0));
    }

    /** With files that are found from any folder. */
    Training located() {
        return new Training(
                iterations,
                batch,
                shards,
                ema,
                checkpointEvery,
                largestFile,
                logEvery,
                judgeEvery,
                evaluate,
                seed,
                precision,
                guard,
                figures.located());
    }

    /** How many shards a batch has. */
    public int shardCount() {
        return shards.orElse(1);
    }

    /** The bytes of a checkpoint's largest file, where there is a bound. */
    public OptionalLong largestFileBytes() {
        return largestFile.isPresent() ? OptionalLong.of(MIB * largestFile.getAsInt()) : OptionalLong.empty();
    }

    /** Of a run's checkpoints. */
    public enum Which {
        NEWEST,
        BEST
    }
}
